// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/comm/paths/peer/peer_copy.hpp>

namespace haloheap::comm::detail {
namespace {

/// Kernels wait block by block: those that pack until the peer is ready, so that the copies behind them may
/// go, and those that unpack until its values have come.
class PeerCopyPath final : public HaloPath {
 public:
  explicit PeerCopyPath(const PathSetup& setup) : messages_(setup, nullptr) {}

  PathPlaces places() override {
    PathPlaces places = messages_.places();
    places.first_channel = messages_.network().first_channels();
    return places;
  }

  void add_to(HaloSteps& steps) override {
    const PeerNetwork& network = messages_.network();
    KernelSignals signals{.signals = network.signals(), .announce = network.all_channels()};
    for (std::size_t round = 0; round < messages_.rounds(); ++round) {
      const SignalDuties::Channels channels = network.channels(round, round + 1);
      signals.raise.emplace_back();
      signals.await.push_back(channels);
      if (!messages_.any(round)) continue;
      steps.rounds[round].post.emplace_back(
          [this, round, channels](const Exec& exec, MessagePhases& phases, bool) {
            phases.message();
            messages_.copy_to_peers(round, exec);
            messages_.signal(exec, {.announce = {}, .await = {}, .raise = channels});
          });
    }
    network.add_to(steps, signals);
  }

 private:
  CopiedMessages messages_;
};

}  // namespace

std::unique_ptr<HaloPath> make_peer_copy_path(PathSetup setup) {
  return std::make_unique<PeerCopyPath>(setup);
}

}  // namespace haloheap::comm::detail
