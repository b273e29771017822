// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_HEAP_COUNTER_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_HEAP_COUNTER_HPP

namespace haloheap::coherence {

/// Calls of operator new so far, in a program that has heap_counter.cpp.
long heap_allocations();

}  // namespace haloheap::coherence

#endif
