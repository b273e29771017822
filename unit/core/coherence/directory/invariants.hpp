// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_INVARIANTS_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_INVARIANTS_HPP

#include <haloheap/core/coherence/directory.hpp>
#include <haloheap/unit/core/coherence/directory/memories.hpp>

namespace haloheap::coherence::test {

/// What must be true of an object between operations, whatever they were (I1 to I5).
void check_flags(const detail::State& state, const Memories& memories, const Versions& truth,
                 detail::ObjectId object);
void check_regions(const detail::State& state, const Memories& memories, const Versions& truth,
                   detail::ObjectId object);
/// What single accesses on the host may skip.
void check_host_state(const detail::Directory& directory, const Memories& memories, const Versions& truth,
                      detail::ObjectId object);

}  // namespace haloheap::coherence::test

#endif
