// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// What a run measures (deck: run.measure).
enum class Measure { steps, exchange, overlap };

template <>
inline constexpr auto names_of<Measure> = name_table<Measure>("measurement", {{Measure::steps, "steps"},
                                                                              {Measure::exchange, "exchange"},
                                                                              {Measure::overlap, "overlap"}});

/// Whether MPI is believed when it says that it does not take device memory (deck: halo.gpu_aware).
enum class GpuAware { automatic, force };

template <>
inline constexpr auto names_of<GpuAware> = name_table<GpuAware>("answer", {{GpuAware::automatic, "auto"},
                                                                           {GpuAware::force, "force"}});

}  // namespace haloheap

#endif
