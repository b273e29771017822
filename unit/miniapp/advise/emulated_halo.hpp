// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_MINIAPP_ADVISE_EMULATED_HALO_HPP
#define HALOHEAP_UNIT_MINIAPP_ADVISE_EMULATED_HALO_HPP

#include <haloheap/core/transfer/emulated_streams.hpp>
#include <haloheap/miniapp/advise/halo_adviser.hpp>

#include <memory>
#include <string>

namespace haloheap::advise::test {

/// A network between emulated devices.
struct Network {
  double latency = 20e-6;  ///< seconds a message
  double rate = 10e9;      ///< bytes/s
};

/// Deep halos on a device, a link and a network that are emulated: the operations that a rank would enqueue,
/// in its order, take the time that the models say. It knows nothing of the adviser's formulas: engines are
/// busy, streams wait for each other, and the host waits for messages.
class EmulatedHalo final : public HaloBench {
 public:
  EmulatedHalo(const HaloShape& shape, const transfer::LinkModel& link, const Network& network)
      : shape_(shape),
        network_(network),
        host_copy_(link.host_copy),
        streams_(transfer::make_emulated_streams(2, link)) {}

  std::optional<double> exchange(const HaloChoice& choice) override {
    return timed([&] { exchange(choice, [] {}); });
  }

  std::optional<double> cycle(const HaloChoice& choice) override {
    return timed([&] {
      const int split = choice.overlap == Overlap::none         ? 0
                        : choice.overlap == Overlap::first_step ? 1
                                                                : choice.depth;
      exchange(choice, [&] {
        for (int k = 1; k <= split; ++k) sweep(interior(k));
      });
      for (int k = 1; k <= choice.depth; ++k) {
        const double whole = updates(choice.depth, k);
        // Thin boxes fill a device badly.
        if (k <= split) sweep(4 * (whole - interior(k)));
        if (k > split) sweep(shape_.own_cells() + 2 * (whole - shape_.own_cells()));
      }
    });
  }

  int runs() const { return runs_; }

 private:
  static constexpr int compute = 0, border = 1;

  template <class Action>
  double timed(const Action& action) {
    ++runs_;
    constexpr int cycles = 4;
    streams_->start();
    const double begin = streams_->now();
    for (int i = 0; i < cycles; ++i) action();
    streams_->finish();
    return (streams_->now() - begin) / cycles;
  }

  double updates(int depth, int k) const { return shape_.updates(depth - k + 1) - shape_.updates(depth - k); }
  double interior(int k) const {
    return shape_.hidden_updates(k, Overlap::all_steps) - shape_.hidden_updates(k - 1, Overlap::all_steps);
  }

  void enqueue(int stream, transfer::Engine engine, double amount, bool blocks = false) {
    transfer::Operation operation{.engine = engine, .enqueue = [](const backend::Exec&) {}, .blocks = blocks};
    if (engine == transfer::Engine::kernel)
      operation.operations = amount;
    else
      operation.bytes = static_cast<std::size_t>(amount);
    streams_->enqueue(stream, operation);
  }
  void sweep(double cells) { enqueue(compute, transfer::Engine::kernel, cells); }

  template <class Behind>
  void exchange(const HaloChoice& choice, const Behind& behind) {
    const bool blocks = choice.transport == "pageable";
    const int rounds = choice.exchange == Exchange::sync ? 2 : 1,
              messages = choice.exchange == Exchange::sync ? 2 : 8;
    const double bytes = shape_.halo_bytes(choice.depth) / rounds, cells = bytes / shape_.cell_bytes;
    streams_->order(compute, border);
    for (int round = 0; round < rounds; ++round) {
      enqueue(border, transfer::Engine::kernel, cells);  // pack
      enqueue(border, transfer::Engine::down, bytes, blocks);
      streams_->mark(border, 0);
      if (round == 0) behind();
      streams_->await(0);
      const double seconds = messages * network_.latency + bytes / network_.rate;
      streams_->on_host(static_cast<std::size_t>(seconds * host_copy_), [] {});
      enqueue(border, transfer::Engine::up, bytes, blocks);
      enqueue(border, transfer::Engine::kernel, cells);  // unpack
    }
    streams_->order(border, compute);
  }

  HaloShape shape_;
  Network network_;
  double host_copy_;
  std::unique_ptr<transfer::Streams> streams_;
  int runs_ = 0;
};

}  // namespace haloheap::advise::test

#endif
