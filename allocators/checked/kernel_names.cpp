// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/checked/kernel_names.hpp>
#include <haloheap/allocators/checked/named_errors.hpp>
#include <haloheap/core/base/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace haloheap::allocators {
namespace {

namespace tools = Kokkos::Tools::Experimental;
using Begin = Kokkos::Tools::beginFunction;
using End = Kokkos::Tools::endFunction;
using Lock = std::lock_guard<std::mutex>;

/// Of the only one.
struct State {
  std::mutex mutex;
  bool alive = false;
  tools::EventSet before;
  std::map<std::uint64_t, std::string> running;  // kernels by what Kokkos calls them
  std::uint64_t last = 0;
};

State& state() {
  static State state;
  return state;
}

/// Waits for all kernels, whose errors are of this one. Copies of errors may be kernels, too.
void name_new(const std::string& kernel) {
  static thread_local bool naming = false;
  if (std::exchange(naming, true)) return;
  Kokkos::fence("haloheap::allocators::checked::kernel_names");
  detail::NamedErrors::name_new(kernel);
  naming = false;
}

void begin(Begin before, const char* label, std::uint32_t device, std::uint64_t* id) {
  name_new("");
  if (before != nullptr) before(label, device, id);
  const Lock lock(state().mutex);
  if (before == nullptr) *id = ++state().last;
  state().running[*id] = label;
}

void end(End before, std::uint64_t id) {
  std::string label;
  {
    const Lock lock(state().mutex);
    if (const auto kernel = state().running.extract(id)) label = kernel.mapped();
  }
  name_new(label);
  if (before != nullptr) before(id);
}

template <Begin tools::EventSet::*event>
void on_begin(const char* label, std::uint32_t device, std::uint64_t* id) {
  begin(state().before.*event, label, device, id);
}

template <End tools::EventSet::*event>
void on_end(std::uint64_t id) {
  end(state().before.*event, id);
}

void watch() {
  tools::set_begin_parallel_for_callback(on_begin<&tools::EventSet::begin_parallel_for>);
  tools::set_end_parallel_for_callback(on_end<&tools::EventSet::end_parallel_for>);
  tools::set_begin_parallel_reduce_callback(on_begin<&tools::EventSet::begin_parallel_reduce>);
  tools::set_end_parallel_reduce_callback(on_end<&tools::EventSet::end_parallel_reduce>);
  tools::set_begin_parallel_scan_callback(on_begin<&tools::EventSet::begin_parallel_scan>);
  tools::set_end_parallel_scan_callback(on_end<&tools::EventSet::end_parallel_scan>);
}

}  // namespace

KernelNames::KernelNames() {
  if (std::exchange(state().alive, true))
    throw UsageError("there is a KernelNames already", "", "keep one for the whole program");
  state().before = tools::get_callbacks();
  watch();
}

KernelNames::~KernelNames() {
  tools::set_callbacks(state().before);
  state().running.clear();
  state().alive = false;
}

}  // namespace haloheap::allocators
