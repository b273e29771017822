// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_RUN_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/resource.hpp>
#include <haloheap/miniapp/problems/allocators/getpage.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_check.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace haloheap {

/// What one point of getpage measures.
struct GetpageResult {
  std::vector<double> seconds;       ///< of the kernel, without counting steps; one entry a repetition
  std::vector<double> thread, warp;  ///< steps, TAS and WAS, in kernels that do nothing else
  std::uint64_t free_before = 0;     ///< pages
  std::uint64_t failures = 0;        ///< requests of the last repetition that got nothing
  GetpageFaults faults;              ///< of the last repetition, and after all was given back
};

/// Runs one point. The heap's pool comes from `pool`, the program's own arrays from `arrays`.
/// `done` is called after each run, warm-ups included.
GetpageResult run_getpage(const backend::Exec& exec, const GetpageSettings& settings,
                          std::shared_ptr<memory::MemoryResource> pool,
                          std::shared_ptr<memory::MemoryResource> arrays, const std::function<void()>& done);

/// Bytes of the program's own arrays.
std::size_t getpage_array_bytes(const GetpageSettings& settings);

}  // namespace haloheap

#endif
