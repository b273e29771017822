// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/device_guard.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/lost_peer.hpp>
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/nccl.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/patience.hpp>
#include <haloheap/core/memory/array.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <nccl.h>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace haloheap {
namespace {

using Exec = Transport::Exec;
using Lock = std::lock_guard<std::mutex>;

void check_nccl(ncclResult_t status, const char* call) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  throw CommunicationError(
      fmt::format("{} failed: {} ({})", call, ncclGetErrorString(status), ncclGetLastError(nullptr)),
      "no halo can be exchanged", "set NCCL_DEBUG=WARN in the environment to see more");
}

/// Before NCCL is called for the first time: it reads the environment once.
void keep_multicast_off() {
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const std::string value = std::getenv("NCCL_NVLS_ENABLE");
  if (value != "0")
    throw CapabilityError(
        fmt::format("NCCL_NVLS_ENABLE is '{}' in the environment, and transport 'nccl' runs only with NVLink "
                    "multicast off",
                    value),
        "", "unset NCCL_NVLS_ENABLE, or set it to 0");
}

/// NCCL refuses two ranks on one device, but only some of the ranks learn why.
void require_own_devices(const Communicator& communicator) {
  cudaUUID_t own = Exec().cuda_device_prop().uuid;
  std::vector<cudaUUID_t> all(static_cast<std::size_t>(communicator.size()));
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, communicator.get()),
            "MPI_Allgather");
  agree(communicator, [&all] {
    for (std::size_t second = 0; second < all.size(); ++second)
      for (std::size_t first = 0; first < second; ++first)
        if (std::memcmp(&all[first], &all[second], sizeof(cudaUUID_t)) == 0)
          throw CapabilityError(
              fmt::format("ranks {} and {} share a device, and NCCL takes one rank a device", first, second),
              "", "start no more ranks than there are devices, or use halo.transport = \"peer_store\"");
  });
}

ncclComm_t make_comm(const Communicator& communicator) {
  agree(communicator, keep_multicast_off);
  require_own_devices(communicator);
  ncclUniqueId id{};
  agree(communicator, [&] {
    if (communicator.rank() == 0) check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
  });
  check_mpi(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, communicator.get()), "MPI_Bcast");
  ncclComm_t comm = nullptr;
  agree(communicator, [&] {
    check_nccl(ncclCommInitRank(&comm, communicator.size(), id, communicator.rank()), "ncclCommInitRank");
  });
  return comm;
}

/// NCCL's messages, and a thread that gives them up when a peer stays silent: NCCL's kernels would wait for
/// ever, and with them the host for the queue that they are in.
class NcclMessages {
 public:
  NcclMessages(const Communicator& communicator, double timeout)
      : rank_(communicator.rank()), timeout_(timeout), device_(Exec().cuda_device()) {
    if (communicator.size() > 1) comm_ = make_comm(communicator);
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
    if (comm_ == nullptr) return;
    if (in_order)
      ncclCommDestroy(comm_);
    else
      ncclCommAbort(comm_);
  }
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;

  /// Enqueues the messages of a round.
  void enqueue(const Exec& exec, const RoundBytes& messages, const std::byte* send, std::byte* receive) {
    if (messages.empty()) return;
    while (waiting() >= most_ahead) {
      check();
      std::this_thread::yield();
    }
    const std::lock_guard<std::timed_mutex> calling(calls_);
    check();
    Group group = spare_group();
    group.peers.clear();
    group.packed.record(exec);
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (const MessageBytes& message : messages) {
      group.peers.insert(message.peer);
      if (message.send_bytes > 0)
        check_nccl(ncclSend(send + message.send_offset, message.send_bytes, ncclInt8, message.peer, comm_,
                            exec.cuda_stream()),
                   "ncclSend");
      if (message.receive_bytes > 0)
        check_nccl(ncclRecv(receive + message.receive_offset, message.receive_bytes, ncclInt8, message.peer,
                            comm_, exec.cuda_stream()),
                   "ncclRecv");
    }
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
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
  static constexpr std::size_t most_ahead = 4;

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
    Index seen = 0;
    for (Patience patience(timeout_); !stop.stop_requested() && !given_up_;) {
      std::this_thread::sleep_for(pause);
      std::optional<CommunicationError> failure;
      try {
        failure = look(patience, seen);
      } catch (const Error& error) {  // of the device
        failure = CommunicationError(error.what(), "", "");
      }
      if (failure) give_up(*failure);
    }
  }

  /// @returns why to give up, if so
  std::optional<CommunicationError> look(Patience& patience, Index& seen) {
    const Lock lock(state_);
    ncclResult_t status = ncclSuccess;
    if (comm_ != nullptr) ncclCommGetAsyncError(comm_, &status);
    if (status != ncclSuccess && status != ncclInProgress)
      return CommunicationError(fmt::format("NCCL failed on rank {}: {} ({})", rank_,
                                            ncclGetErrorString(status), ncclGetLastError(comm_)),
                                "the run cannot go on", "set NCCL_DEBUG=WARN in the environment to see more");
    retire();
    // The peers' time does not run while this rank's device is not there itself.
    if (std::exchange(seen, arrived_) < arrived_ || groups_.empty() || !groups_.front().packed.ready())
      patience = Patience(timeout_);
    else if (patience.exhausted())
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
    ncclCommAbort(comm_);
    comm_ = nullptr;
    if (alone) calls_.unlock();
    const Lock lock(state_);
    groups_.clear();
  }

  int rank_;
  double timeout_;
  int device_;
  ncclComm_t comm_ = nullptr;
  std::timed_mutex calls_;    // of NCCL, for the communicator
  mutable std::mutex state_;  // protects what follows
  std::deque<Group> groups_;  // that have not arrived
  std::vector<Group> spare_;
  Index arrived_ = 0;  // so many have
  std::optional<CommunicationError> failure_;
  std::atomic<bool> given_up_ = false;
  std::jthread watch_;
};

struct Round {
  RoundBytes messages;
  Array<std::byte> send, receive;
  backend::Event arrived;

  Round(const RoundBytes& round, const std::shared_ptr<MemoryResource>& memory)
      : messages(round),
        send(memory, "haloheap::comm::send", sum(round, &MessageBytes::send_bytes)),
        receive(memory, "haloheap::comm::receive", sum(round, &MessageBytes::receive_bytes)) {}
};

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(const TransportSetup& setup) : messages_(setup.communicator, setup.timeout) {
    for (const RoundBytes& round : setup.rounds) rounds_.emplace_back(round, setup.buffers);
    connect(setup);
  }

  std::byte* send_buffer(int round) override { return at(round).send.data(); }
  const std::byte* receive_buffer(int round) override { return at(round).receive.data(); }

  void fetch(int number, const Exec& exec) override {
    Round& round = at(number);
    messages_.enqueue(exec, round.messages, round.send.data(), round.receive.data());
    round.arrived.record(exec);
  }
  void wait_fetched(int) override {}
  void transfer(int) override { messages_.check(); }
  void place(int round, const Exec& exec) override { at(round).arrived.wait_on(exec); }
  void check() const override { messages_.check(); }

 private:
  /// NCCL connects two ranks at their first message, for which the host waits.
  void connect(const TransportSetup& setup) {
    std::set<int> peers;
    for (const RoundBytes& round : setup.rounds)
      for (const MessageBytes& message : round) peers.insert(message.peer);
    RoundBytes messages;
    for (const int peer : peers) messages.push_back({peer, messages.size(), 1, messages.size(), 1});
    const Array<std::byte> send(setup.buffers, "haloheap::comm::connect_send", messages.size()),
        receive(setup.buffers, "haloheap::comm::connect_receive", messages.size());
    const backend::Instance queue(backend::Priority::high);
    messages_.enqueue(queue.exec(), messages, send.data(), receive.data());
    queue.exec().fence("haloheap::comm::connect");
    messages_.check();
  }

  Round& at(int round) { return rounds_[static_cast<std::size_t>(round)]; }

  std::vector<Round> rounds_;
  NcclMessages messages_;  // ends before the memory that it sends
};

}  // namespace

std::unique_ptr<Transport> make_nccl_transport(TransportSetup setup) {
  return std::make_unique<NcclTransport>(setup);
}

}  // namespace haloheap
