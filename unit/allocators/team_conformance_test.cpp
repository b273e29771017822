// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>

namespace haloheap::allocators {
using TestedAllocators = TeamAllocators;
}

#include <haloheap/unit/allocators/team_conformance.hpp>
