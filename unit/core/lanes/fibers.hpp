// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_FIBERS_HPP
#define HALOHEAP_UNIT_CORE_LANES_FIBERS_HPP

#include <haloheap/unit/core/lanes/schedule.hpp>

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

namespace haloheap::emulation {

/// What went wrong among the fibers, and in which order to run them to see it again.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Functions that take turns on one thread, where a schedule says so.
class Fibers {
 public:
  using Program = std::function<void()>;
  static constexpr std::uint64_t default_steps = 50'000'000;

  /// Runs all programs to their ends. @throws Failure when one fails or throws, when all wait, and after
  /// max_steps
  void run(std::vector<Program> programs, Schedule& schedule, std::uint64_t max_steps = default_steps);

  /// Those that run now; for the functions below. There must be some.
  static Fibers& running();
  static bool any() { return running_ != nullptr; }
  unsigned self() const { return self_; }
  Schedule& schedule() { return *schedule_; }

  /// Others may run before the caller goes on.
  void step();
  /// Others should.
  void pause();
  /// Goes on after wake().
  void block();
  void wake(unsigned fiber);
  /// What a cache says stands at an address where `now` stands: that, or what it said last.
  std::uint64_t seen(const void* where, std::uint64_t now);
  /// Ends all.
  [[noreturn]] void fail(const std::string& cause);

  /// Keeps what is noted from now on, so that a failure tells it.
  void trace(bool on) { traced_ = on; }
  void note(const char* what, const void* where, std::uint64_t value);
  /// What was noted, in its order.
  std::string events() const;

 private:
  struct Stop {};
  struct Event {
    unsigned fiber;
    const char* what;
    const void* where;
    std::uint64_t value;
  };
  struct Fiber {
    Program program;
    std::jmp_buf place;
    bool begun = false, done = false;
    void* fake_stack = nullptr;  ///< AddressSanitizer's
  };

  static void enter();
  void live();
  void switch_to(unsigned fiber);
  void go(Schedule::Point point);
  [[noreturn]] void leave();
  void remove_runnable(unsigned fiber);

  static thread_local Fibers* running_;
  std::vector<Fiber> fibers_;
  std::vector<std::unique_ptr<std::byte[]>> spare_stacks_;
  std::vector<unsigned> runnable_;
  ucontext_t main_{}, start_{};
  void* main_fake_stack_ = nullptr;
  const void* main_stack_ = nullptr;
  std::size_t main_stack_bytes_ = 0;
  Schedule* schedule_ = nullptr;
  unsigned self_ = 0;
  std::uint64_t steps_ = 0, max_steps_ = 0;
  std::string failure_;
  bool stopping_ = false;
  std::unordered_map<const void*, std::uint64_t> cache_;
  bool traced_ = false;
  std::vector<Event> events_;
};

}  // namespace haloheap::emulation

#endif
