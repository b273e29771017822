// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/device_guard.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/lost_peer.hpp>
#include <haloheap/comm/paths/host/nccl.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/device_messages.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/deadline.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace haloheap::comm::detail {
namespace {

using backend::DeviceMessages;
using Exec = HaloPath::Exec;
using Lock = std::lock_guard<std::mutex>;

/// NCCL refuses two ranks on one device, but only some of the ranks learn why.
void require_own_devices(const Communicator& communicator) {
  const backend::DeviceIdentity own = backend::device_identity();
  std::vector<backend::DeviceIdentity> all(static_cast<std::size_t>(communicator.size()));
  check_mpi(
      MPI_Allgather(own.data(), sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, communicator.get()),
      "MPI_Allgather");
  agree(communicator, [&all] {
    for (std::size_t second = 0; second < all.size(); ++second)
      for (std::size_t first = 0; first < second; ++first)
        if (all[first] == all[second])
          throw CapabilityError(
              fmt::format("ranks {} and {} share a device, and NCCL takes one rank a device", first, second),
              "", "start no more ranks than there are devices, or use transport peer_store");
  });
}

std::unique_ptr<DeviceMessages> make_device_messages(const Communicator& communicator) {
  agree(communicator, DeviceMessages::keep_multicast_off);
  require_own_devices(communicator);
  DeviceMessages::Id id{};
  agree(communicator, [&] {
    if (communicator.rank() == 0) id = DeviceMessages::make_id();
  });
  check_mpi(MPI_Bcast(id.data(), sizeof id, MPI_BYTE, 0, communicator.get()), "MPI_Bcast");
  std::unique_ptr<DeviceMessages> messages;
  agree(communicator,
        [&] { messages = std::make_unique<DeviceMessages>(id, communicator.size(), communicator.rank()); });
  return messages;
}

/// NCCL's messages, and a thread that gives them up when a peer stays silent: NCCL's kernels would wait for
/// ever, and with them the host for the queue that they are in.
class NcclMessages {
 public:
  NcclMessages(const Communicator& communicator, double timeout)
      : rank_(communicator.rank()), timeout_(timeout), device_(backend::current_device()) {
    if (communicator.size() > 1) messages_ = make_device_messages(communicator);
    watch_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }

  ~NcclMessages() {
    bool in_order = std::uncaught_exceptions() == 0;
    try {
      while (in_order && waiting() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } catch (const Error&) {  // of the device
      in_order = false;
    }
    watch_.request_stop();
    watch_.join();
    if (!in_order && messages_ && !given_up_) messages_->abort();
  }
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;

  /// Enqueues the messages of a round.
  void enqueue(const Exec& exec, const RoundBytes& messages, const std::byte* send, std::byte* receive) {
    if (messages.empty()) return;
    while (waiting() >= max_ahead) {
      check();
      std::this_thread::yield();
    }
    const std::lock_guard<std::timed_mutex> calling(calls_);
    check();
    Group group = spare_group();
    group.peers.clear();
    group.packed.record(exec);
    enqueued_.clear();
    for (const MessageBytes& message : messages) {
      group.peers.insert(message.peer);
      enqueued_.push_back({message.peer, send + message.send_offset, message.send_bytes,
                           receive + message.receive_offset, message.receive_bytes});
    }
    messages_->enqueue(exec, enqueued_);
    group.arrived.record(exec);
    const Lock lock(state_);
    groups_.push_back(std::move(group));
  }

  /// @throws CommunicationError if messages have been given up
  void check() const {
    if (!given_up_) return;
    const Lock lock(state_);
    throw CommunicationError(*failure_);
  }

 private:
  // Calls of `enqueue`. A host that is far ahead fills the device's queue, and one that waits for room there
  // holds up the thread that watches.
  static constexpr std::size_t max_ahead = 4;

  /// The messages of one call of `enqueue`.
  struct Group {
    backend::Event packed, arrived;
    std::set<int> peers;
  };

  Group spare_group() {
    const Lock lock(state_);
    if (spare_.empty()) return Group();
    Group group = std::move(spare_.back());
    spare_.pop_back();
    return group;
  }

  std::size_t waiting() {
    const Lock lock(state_);
    retire();
    return groups_.size();
  }

  /// Locked.
  void retire() {
    for (; !groups_.empty() && groups_.front().arrived.ready(); ++arrived_) {
      spare_.push_back(std::move(groups_.front()));
      groups_.pop_front();
    }
  }

  void watch(const std::stop_token& stop) {
    const backend::DeviceGuard device(device_);
    const std::chrono::duration<double> pause(std::min(0.01, 0.1 * timeout_));
    grid::Index seen = 0;
    for (base::Deadline deadline(timeout_); !stop.stop_requested() && !given_up_;) {
      std::this_thread::sleep_for(pause);
      std::optional<CommunicationError> failure;
      try {
        failure = look(deadline, seen);
      } catch (const Error& error) {  // of the device
        failure = CommunicationError(error.what(), "", "");
      }
      if (failure) give_up(*failure);
    }
  }

  /// @returns why to give up, if so
  std::optional<CommunicationError> look(base::Deadline& deadline, grid::Index& seen) {
    const Lock lock(state_);
    const std::string wrong = messages_ && !given_up_ ? messages_->failure() : "";
    if (!wrong.empty())
      return CommunicationError(fmt::format("NCCL failed on rank {}: {}", rank_, wrong),
                                "the run cannot go on", "set NCCL_DEBUG=WARN in the environment to see more");
    retire();
    // The peers' time does not run while this rank's device is not there itself.
    if (std::exchange(seen, arrived_) < arrived_ || groups_.empty() || !groups_.front().packed.ready())
      deadline = base::Deadline(timeout_);
    else if (deadline.passed())
      return lost_peer(rank_, timeout_, fmt::format("{}", fmt::join(groups_.front().peers, " or ")));
    return std::nullopt;
  }

  void give_up(const CommunicationError& failure) {
    {
      const Lock lock(state_);
      failure_ = failure;
      given_up_ = true;
    }
    // A thread that stays in `enqueue` waits for something that only this can end.
    const bool alone = calls_.try_lock_for(std::chrono::seconds(1));
    if (messages_) messages_->abort();
    if (alone) calls_.unlock();
    const Lock lock(state_);
    groups_.clear();
  }

  int rank_;
  double timeout_;
  int device_;
  std::unique_ptr<DeviceMessages> messages_;
  std::timed_mutex calls_;                         // of NCCL, for the communicator; protects what follows
  std::vector<DeviceMessages::Message> enqueued_;  // by this call
  mutable std::mutex state_;                       // protects what follows
  std::deque<Group> groups_;                       // that have not arrived
  std::vector<Group> spare_;
  grid::Index arrived_ = 0;  // so many have
  std::optional<CommunicationError> failure_;
  std::atomic<bool> given_up_ = false;
  std::jthread watch_;
};

struct NcclRound {
  RoundBytes messages;
  memory::Array<std::byte> send, receive;
  backend::Event arrived;

  NcclRound(const RoundBytes& round, const std::shared_ptr<memory::MemoryResource>& memory)
      : messages(round),
        send(memory, "haloheap::comm::send", send_buffer_bytes(round)),
        receive(memory, "haloheap::comm::receive", receive_buffer_bytes(round)) {}
};

class NcclPath final : public HaloPath {
 public:
  explicit NcclPath(const PathSetup& setup) : messages_(setup.communicator, setup.timeout) {
    for (const RoundBytes& round : setup.rounds) rounds_.emplace_back(round, setup.buffers);
    connect(setup);
  }

  PathPlaces places() override {
    PathPlaces places;
    for (const NcclRound& round : rounds_) {
      places.send.push_back(round.send.data());
      places.receive.push_back({round.receive.data(), round.receive.data()});
    }
    return places;
  }

  void add_to(HaloSteps& steps) override {
    steps.checks.emplace_back([this] { messages_.check(); });
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      NcclRound& round = rounds_[i];
      if (round.messages.empty()) continue;
      steps.rounds[i].host = true;  // which may have to wait before it enqueues: see max_ahead
      steps.rounds[i].post.emplace_back([this, &round](const Exec& exec, MessagePhases& phases, bool) {
        phases.message();
        messages_.enqueue(exec, round.messages, round.send.data(), round.receive.data());
        round.arrived.record(exec);
      });
      steps.rounds[i].end.emplace_back([this, &round](const Exec& exec, MessagePhases& phases) {
        messages_.check();
        phases.unpack();
        round.arrived.wait_on(exec);
      });
    }
  }

 private:
  /// NCCL connects two ranks at their first message, for which the host waits.
  void connect(const PathSetup& setup) {
    std::set<int> peers;
    for (const RoundBytes& round : setup.rounds)
      for (const MessageBytes& message : round) peers.insert(message.peer);
    RoundBytes messages;
    for (const int peer : peers) messages.push_back({peer, messages.size(), 1, messages.size(), 1});
    const memory::Array<std::byte> send(setup.buffers, "haloheap::comm::connect_send", messages.size()),
        receive(setup.buffers, "haloheap::comm::connect_receive", messages.size());
    const backend::Instance queue(backend::Priority::high);
    messages_.enqueue(queue.exec(), messages, send.data(), receive.data());
    queue.exec().fence("haloheap::comm::connect");
    messages_.check();
  }

  std::vector<NcclRound> rounds_;
  NcclMessages messages_;  // ends before the memory that it sends
};

}  // namespace

std::unique_ptr<HaloPath> make_nccl_path(PathSetup setup) {
  return std::make_unique<NcclPath>(setup);
}

}  // namespace haloheap::comm::detail
