// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_FARM_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_FARM_HPP

#include <haloheap/core/coherence/workers.hpp>

#include <array>
#include <utility>
#include <vector>

namespace haloheap::coherence {

namespace detail {

/// One instance of one device, or the host, and its last tasks.
class FarmWorker {
 public:
  FarmWorker(const Context& context, const Workers& worker) : context_(&context), worker_(worker) {}

  const Workers& worker() const { return worker_; }
  /// Two tasks at once, so that the copies of one are made beside the kernels of the other.
  bool free() const { return worker_.count == 0 || events_[next_].ready(); }
  /// The task that was given out first is done.
  void wait() const { events_[next_].wait_on_host(); }
  /// Of all that its instance has been given by now.
  void gave() {
    if (worker_.count > 0)
      events_[std::exchange(next_, 1 - next_)].record(context_->exec(worker_.first, worker_.instance));
  }

 private:
  const Context* context_;
  Workers worker_;
  std::array<backend::Event, 2> events_;
  std::size_t next_ = 0;
};

/// Every instance of every device that is to work.
inline std::vector<FarmWorker> farm_workers(const Context& context, const Workers& workers) {
  std::vector<FarmWorker> all;
  const int instances = workers.instance >= 0 ? 1 : context.instances();
  for (int instance = 0; instance < instances; ++instance)
    for (int part = 0; part < workers.parts(context); ++part) {
      const Place place = workers.place(context, part);
      if (place.memory == host) {
        all.emplace_back(context, the_host);
        return all;
      }
      all.emplace_back(
          context, Workers{device_of(place.memory), 1, workers.instance >= 0 ? workers.instance : instance});
    }
  return all;
}

}  // namespace detail

/// Independent tasks 0, ..., tasks - 1: work(worker, task) makes the calls of one, with the workers that it
/// is given: an instance of a device, or the host. Each task goes to a worker that has done what it had to
/// do, or soonest. In an asynchronous context the tasks of different workers are done at once, and this
/// returns when all are given out; else the calls of a task block.
template <class Work>
void farm(const Workers& workers, const Context& context, ElementIndex tasks, const Work& work) {
  context.cannot_record("a farm asks who is free");
  std::vector<detail::FarmWorker> all = detail::farm_workers(context, workers);
  std::size_t next = 0;
  for (ElementIndex task = 0; task < tasks; ++task) {
    std::size_t tried = 0;
    while (tried < all.size() && !all[next].free()) {
      next = (next + 1) % all.size();
      ++tried;
    }
    if (tried == all.size()) all[next].wait();  // who was given one the longest time ago
    work(all[next].worker(), task);
    all[next].gave();
    next = (next + 1) % all.size();
  }
}

}  // namespace haloheap::coherence

#endif
