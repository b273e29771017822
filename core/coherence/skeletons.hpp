// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_HPP

/// Calls on smart containers: the work is divided among devices, and what each needs is brought.
#include <haloheap/core/coherence/skeletons/farm.hpp>
#include <haloheap/core/coherence/skeletons/map.hpp>
#include <haloheap/core/coherence/skeletons/map_overlap.hpp>
#include <haloheap/core/coherence/skeletons/map_pairs.hpp>
#include <haloheap/core/coherence/skeletons/map_pairs_reduce.hpp>
#include <haloheap/core/coherence/skeletons/reduce.hpp>
#include <haloheap/core/coherence/skeletons/scan.hpp>

#endif
