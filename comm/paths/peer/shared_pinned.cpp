// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/comm/paths/peer/shared_pinned.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>

namespace haloheap::comm::detail {
namespace {

/// Values do not arrive where kernels read them. The copies to the peers must not start before these are
/// ready, nor those to the device before their values have come: kernels wait for both before the copies.
class SharedPinnedPath final : public HaloPath {
 public:
  explicit SharedPinnedPath(const PathSetup& setup)
      : messages_(setup, std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::shared)),
        raised_(setup.rounds.size()) {}

  PathPlaces places() override { return messages_.places(); }

  void add_to(HaloSteps& steps) override {
    const PeerNetwork& network = messages_.network();
    const std::vector<SignalDuties::Channels> none(messages_.rounds());
    for (std::size_t round = 0; round < messages_.rounds(); ++round) {
      if (!messages_.any(round)) continue;
      steps.rounds[round].post.emplace_back(
          [this, round](const Exec& exec, MessagePhases& phases, bool end_follows) {
            phases.message();
            post(round, exec, end_follows);
          });
      steps.rounds[round].end.emplace_back(
          [this, round](const Exec& exec, MessagePhases& phases) { end(round, exec, phases); });
    }
    network.add_to(steps, {.signals = network.signals(),
                           .announce = network.all_channels(),
                           .await_ready = network.ready_channels(),
                           .raise = none,
                           .await = none});
  }

 private:
  SignalDuties::Channels channels(std::size_t round) const {
    return messages_.network().channels(round, round + 1);
  }

  void post(std::size_t round, const Exec& exec, bool end_follows) {
    messages_.copy_to_peers(round, exec);
    raised_[round] = !end_follows;
    if (raised_[round]) messages_.signal(exec, {.announce = {}, .await = {}, .raise = channels(round)});
  }

  /// The kernel that waits for the peers tells them first, if none has yet.
  void end(std::size_t round, const Exec& exec, MessagePhases& phases) {
    SignalDuties duties{.announce = {}, .await = channels(round), .raise = {}};
    if (!raised_[round]) duties.raise = channels(round);
    phases.message();
    messages_.signal(exec, duties);
    phases.unpack();
    messages_.copy_landed(round, exec);
  }

  CopiedMessages messages_;
  std::vector<bool> raised_;  // a round: the peers were told by `post`
};

}  // namespace

std::unique_ptr<HaloPath> make_shared_pinned_path(PathSetup setup) {
  return std::make_unique<SharedPinnedPath>(setup);
}

}  // namespace haloheap::comm::detail
