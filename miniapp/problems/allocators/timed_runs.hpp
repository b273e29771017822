// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_TIMED_RUNS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_TIMED_RUNS_HPP

#include <haloheap/core/backend/instance.hpp>

#include <Kokkos_Core.hpp>

#include <functional>

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

/// Warm-up and measured runs of a problem. `run_once`, which is told whether the run is the last one, gives
/// its times; `result` gets those of the measured runs, and the seconds of the warm-up.
/// @param seconds of one run's times
/// @param progress gets the number of runs that are done
template <class Settings, class Result, class RunOnce, class Seconds>
void repeat_runs(const Settings& settings, Result& result, const RunOnce& run_once, const Seconds& seconds,
                 const std::function<void(int)>& progress) {
  for (int i = 0; i < settings.runs(); ++i) {
    const auto times = run_once(i + 1 == settings.runs());
    if (i < settings.warm_ups)
      result.warm_up += seconds(times);
    else
      result.times.push_back(times);
    progress(i + 1);
  }
}

}  // namespace haloheap

#endif
