// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_RANDOM_STALLS_HPP
#define HALOHEAP_UNIT_COMM_RANDOM_STALLS_HPP

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace haloheap::testing {

/// As long as this lives, threads of this process are stopped for a moment, one after the other at random,
/// wherever they are: between a store and the signal that tells of it, for instance.
class RandomStalls {
 public:
  explicit RandomStalls(unsigned seed)
      : random_(seed), thread_([this](const std::stop_token& stop) {
          install();
          stall(stop);
        }) {}
  ~RandomStalls() {
    thread_.request_stop();
    thread_.join();
  }
  RandomStalls(const RandomStalls&) = delete;
  RandomStalls& operator=(const RandomStalls&) = delete;

 private:
  static constexpr long longest = 600'000;  // nanoseconds

  /// Runs in the thread that is stopped.
  static void sleep_here(int) {
    static std::atomic<unsigned> turn = 0;
    const int error = errno;
    const timespec time{0, static_cast<long>(turn.fetch_add(1) * 2654435761U % longest)};
    nanosleep(&time, nullptr);
    errno = error;
  }

  /// For good: a signal may still be on its way when this ends.
  static void install() {
    struct sigaction action {};
    action.sa_handler = sleep_here;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR2, &action, nullptr);
  }

  void stall(const std::stop_token& stop) {
    const auto self = static_cast<int>(syscall(SYS_gettid));
    while (!stop.stop_requested()) {
      std::vector<int> threads;
      for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
        threads.push_back(std::stoi(entry.path().filename().string()));
      const int chosen = threads[random_() % threads.size()];
      if (chosen != self) syscall(SYS_tgkill, getpid(), chosen, SIGUSR2);
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 100));
    }
  }

  std::mt19937 random_;
  std::jthread thread_;
};

}  // namespace haloheap::testing

#endif
