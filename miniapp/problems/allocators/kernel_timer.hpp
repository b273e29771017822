// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_KERNEL_TIMER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_KERNEL_TIMER_HPP

#include <haloheap/core/backend/instance.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {

/// Seconds of what is enqueued on one instance, by device events. Nothing is enqueued there before, so the
/// time has the launch in it.
class KernelTimer {
 public:
  explicit KernelTimer(const backend::Exec& exec) : exec_(exec) {}

  template <class Enqueue>
  double operator()(const Enqueue& enqueue) {
    exec_.fence("haloheap::KernelTimer");
    begin_.record(exec_);
    enqueue();
    end_.record(exec_);
    end_.wait_on_host();
    return seconds_between(begin_, end_);
  }

 private:
  backend::Exec exec_;
  backend::Event begin_{backend::Timing::on}, end_{backend::Timing::on};
};

}  // namespace haloheap

#endif
