// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PHASE_TIMER_HPP
#define HALOHEAP_COMM_PHASE_TIMER_HPP

#include <haloheap/core/backend/instance.hpp>

#include <array>
#include <chrono>
#include <deque>
#include <optional>

namespace haloheap::comm {

/// The parts of a deep-halo run ([Valen2023], section 3.5).
enum class Phase {
  pack,               ///< pack kernels and bringing their bytes to where they can be sent
  unpack,             ///< bringing received bytes back, and unpack kernels
  message,            ///< sending and receiving; on the host's clock where the host does it
  inner,              ///< the part of the first sub-step that runs behind the exchange
  outer,              ///< the rest of the first sub-step
  primary,            ///< all sub-steps that nothing overlaps
  desynchronisation,  ///< waiting for the slowest rank, when asked for
};
constexpr int phase_count = 7;

/// Adds up the time of each phase. Device phases lie between two events that are read after the run, so that
/// timing never makes the host wait. Does nothing when disabled.
class PhaseTimer {
 public:
  using Exec = backend::Exec;

  explicit PhaseTimer(bool enabled) : enabled_(enabled) {}

  bool enabled() const { return enabled_; }
  /// Makes event pairs for this many more spans ahead of a run, so that none is made in it.
  void reserve(std::size_t spans);
  /// One span of `phase` in the queue of `exec`; spans of one phase must not nest.
  void begin(Phase phase, const Exec& exec);
  void end(Phase phase, const Exec& exec);
  /// Time on the host's clock.
  void add(Phase phase, double seconds);

  /// Seconds a phase since the last reset. All queues must have drained.
  std::array<double, phase_count> seconds() const;
  void reset();

 private:
  // A run of millions of steps must not keep millions of events: after this many spans the host waits once
  // for the last of them and adds them up.
  static constexpr std::size_t max_spans = 1 << 16;

  struct Span {
    Phase phase;
    backend::Event begin{backend::Timing::on}, end{backend::Timing::on};
  };

  void fold();

  bool enabled_;
  std::deque<Span> spans_;  // the first used_ are in use; the rest wait
  std::size_t used_ = 0;
  std::array<std::size_t, phase_count> open_{};
  std::array<double, phase_count> host_{};
};

/// Adds the time of its own life on the host's clock to a phase. Does not look at the clock if nobody asks.
class HostSpan {
 public:
  HostSpan(PhaseTimer& timer, Phase phase) : timer_(timer), phase_(phase) {
    if (timer.enabled()) begin_ = Clock::now();
  }
  ~HostSpan() {
    if (timer_.enabled()) timer_.add(phase_, std::chrono::duration<double>(Clock::now() - begin_).count());
  }
  HostSpan(const HostSpan&) = delete;
  HostSpan& operator=(const HostSpan&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  PhaseTimer& timer_;
  Phase phase_;
  Clock::time_point begin_;
};

/// The phases of an exchange's round after packing, in the order in which it comes to them: what is enqueued
/// belongs to the last of them that has begun.
class MessagePhases {
 public:
  /// @param unpacking what unpacking counts as
  MessagePhases(PhaseTimer& timer, const PhaseTimer::Exec& exec, Phase unpacking)
      : timer_(timer), exec_(exec), unpacking_(unpacking) {}
  MessagePhases(const MessagePhases&) = delete;
  MessagePhases& operator=(const MessagePhases&) = delete;

  /// The host sends messages, or waits for them, while this lives.
  HostSpan messages_on_host() { return HostSpan(timer_, Phase::message); }
  /// From here on the queue sends messages, or waits for them.
  void message() { begin(Phase::message); }
  /// From here on what has come is brought to its place.
  void unpack() { begin(unpacking_); }
  void end() {
    if (current_) timer_.end(*current_, exec_);
    current_.reset();
  }

 private:
  void begin(Phase phase) {
    if (current_ == phase) return;
    end();
    timer_.begin(phase, exec_);
    current_ = phase;
  }

  PhaseTimer& timer_;
  const PhaseTimer::Exec& exec_;
  Phase unpacking_;
  std::optional<Phase> current_;
};

}  // namespace haloheap::comm

#endif
