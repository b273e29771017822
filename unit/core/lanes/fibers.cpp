// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause

// Ubuntu's compilers define it, and then the C library ends a program that jumps to another stack.
#undef _FORTIFY_SOURCE

#include <haloheap/unit/core/lanes/fibers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#else
// Nobody has to know that another stack is in use.
static void __sanitizer_start_switch_fiber(void**, const void*, std::size_t) {}
static void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*) {}
#endif

namespace haloheap::emulation {
namespace {
constexpr std::size_t stack_bytes = std::size_t{256} << 10;
}

thread_local Fibers* Fibers::running_ = nullptr;

Fibers& Fibers::running() {
  if (running_ == nullptr) throw std::logic_error("a lane was used where no fibers run");
  return *running_;
}

void Fibers::run(std::vector<Program> programs, Schedule& schedule, std::uint64_t max_steps) {
  fibers_ = std::vector<Fiber>(programs.size());
  runnable_.clear();
  events_.clear();
  cache_.clear();
  for (unsigned i = 0; i < programs.size(); ++i) {
    if (spare_stacks_.size() <= i)
      spare_stacks_.push_back(std::make_unique_for_overwrite<std::byte[]>(stack_bytes));
    fibers_[i].program = std::move(programs[i]);
    runnable_.push_back(i);
  }
  schedule_ = &schedule;
  steps_ = 0;
  max_steps_ = max_steps;
  failure_.clear();
  stopping_ = false;
  if (fibers_.empty()) return;
  running_ = this;
  self_ = schedule.next(Schedule::Point::end, runnable_, 0);
  getcontext(&start_);
  start_.uc_stack.ss_sp = spare_stacks_[self_].get();
  start_.uc_stack.ss_size = stack_bytes;
  start_.uc_link = nullptr;
  makecontext(&start_, enter, 0);
  __sanitizer_start_switch_fiber(&main_fake_stack_, spare_stacks_[self_].get(), stack_bytes);
  swapcontext(&main_, &start_);
  __sanitizer_finish_switch_fiber(main_fake_stack_, nullptr, nullptr);
  running_ = nullptr;
  if (!failure_.empty()) throw Failure(failure_);
}

void Fibers::enter() {
  Fibers& all = *running_;
  const void* from = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(nullptr, &from, &bytes);
  if (all.main_stack_ == nullptr) all.main_stack_ = from, all.main_stack_bytes_ = bytes;
  all.live();
  all.leave();
}

void Fibers::live() {
  const unsigned me = self_;
  fibers_[me].begun = true;
  try {
    if (!stopping_) fibers_[me].program();
  } catch (const Stop&) {
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = fmt::format("{}: {}", schedule_->name(), error.what());
    stopping_ = true;
  }
}

void Fibers::switch_to(unsigned fiber) {
  Fiber& old = fibers_[self_];
  if (fiber == self_) return;
  self_ = fiber;
  std::byte* const stack = spare_stacks_[fiber].get();
  // The C library's context switch asks the kernel for the signal mask, which takes far longer than the rest;
  // so it only begins stacks.
  if (_setjmp(old.place) == 0) {
    __sanitizer_start_switch_fiber(old.done ? nullptr : &old.fake_stack, stack, stack_bytes);
    if (fibers_[fiber].begun) _longjmp(fibers_[fiber].place, 1);
    getcontext(&start_);
    start_.uc_stack.ss_sp = stack;
    start_.uc_stack.ss_size = stack_bytes;
    start_.uc_link = nullptr;
    makecontext(&start_, enter, 0);
    setcontext(&start_);
  }
  __sanitizer_finish_switch_fiber(fibers_[self_].fake_stack, nullptr, nullptr);
}

void Fibers::leave() {
  fibers_[self_].done = true;
  remove_runnable(self_);
  unsigned next = 0;
  if (!runnable_.empty() && !stopping_) {
    next = schedule_->next(Schedule::Point::end, runnable_, self_);
  } else {
    const auto left = std::find_if(fibers_.begin(), fibers_.end(), [](const Fiber& f) { return !f.done; });
    if (left == fibers_.end()) {
      __sanitizer_start_switch_fiber(nullptr, main_stack_, main_stack_bytes_);
      setcontext(&main_);
    }
    if (!stopping_) failure_ = schedule_->name() + ": all fibers that are left wait for each other";
    stopping_ = true;
    next = static_cast<unsigned>(left - fibers_.begin());
  }
  switch_to(next);
  std::terminate();  // nobody comes back to a fiber that is done
}

void Fibers::remove_runnable(unsigned fiber) {
  const auto at = std::find(runnable_.begin(), runnable_.end(), fiber);
  if (at == runnable_.end()) return;
  *at = runnable_.back();
  runnable_.pop_back();
}

void Fibers::go(Schedule::Point point) {
  if (stopping_) throw Stop();
  if (++steps_ > max_steps_) fail(fmt::format("no end after {} steps: a lane hangs", max_steps_));
  switch_to(schedule_->next(point, runnable_, self_));
  if (stopping_) throw Stop();
}

void Fibers::step() {
  go(Schedule::Point::step);
}

void Fibers::pause() {
  go(Schedule::Point::pause);
}

void Fibers::block() {
  remove_runnable(self_);
  if (runnable_.empty()) fail("all lanes wait for each other");
  go(Schedule::Point::end);
}

void Fibers::wake(unsigned fiber) {
  runnable_.push_back(fiber);
}

void Fibers::fail(const std::string& cause) {
  if (failure_.empty()) failure_ = fmt::format("{}: {}\n{}", schedule_->name(), cause, events());
  stopping_ = true;
  throw Stop();
}

std::uint64_t Fibers::seen(const void* where, std::uint64_t now) {
  constexpr unsigned freshness = 4;  // of so many loads, one finds that the cache has forgotten
  const auto [at, unknown] = cache_.try_emplace(where, now);
  if (!unknown && schedule_->random() % freshness == 0) at->second = now;
  return at->second;
}

void Fibers::note(const char* what, const void* where, std::uint64_t value) {
  if (traced_) events_.push_back({self_, what, where, value});
}

std::string Fibers::events() const {
  constexpr std::size_t maximum = 300;
  std::string text;
  for (std::size_t i = events_.size() - std::min(events_.size(), maximum); i < events_.size(); ++i) {
    const Event& event = events_[i];
    text += fmt::format("  fiber {}: {} of {}: {:#x}\n", event.fiber, event.what, event.where, event.value);
  }
  return text;
}

}  // namespace haloheap::emulation
