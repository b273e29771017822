// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HALO_EXCHANGE_HPP
#define HALOHEAP_COMM_HALO_HALO_EXCHANGE_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/exchanged_fields.hpp>
#include <haloheap/comm/halo/halo_exchange_config.hpp>
#include <haloheap/comm/kernels/halo_kernels.hpp>
#include <haloheap/comm/paths/halo_path.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/comm/phase_timer.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace haloheap::comm {

/// Fills the ghost cells of fields from the neighbours, all fields in one message to each. For
/// double-buffered fields there are two sets of them, 0 and 1, of which one at a time is exchanged.
/// Everything is set up in the constructor: buffers, block tables, persistent requests, mappings of
/// neighbours' memory.
///
/// All border cells are read in `begin`: from then on they may be overwritten. In rounds after the first,
/// `end` reads nothing but ghost cells that earlier rounds have filled.
///
/// Where values flow the other way (detail::Flow::accumulate), ghost cells are read instead, round by round
/// from the last to the first, and what comes is added to the own cells.
///
/// After a CommunicationError nothing but its end is left to an exchange: what is called all the same throws.
///
/// What the exchange has enqueued must be done before it ends: wait for the execution spaces that it was
/// given. Its end is collective too where ranks reach each other's memory.
class HaloExchange {
 public:
  using Exec = backend::Exec;

  /// Collective. `timer` and `communicator` must outlive the exchange. Everything but `timeout`, `buffers`,
  /// the numbers of own cells and where values stand in memory must be the same on all ranks, and neighbours'
  /// sides must fit.
  /// @param topology of this rank of `communicator`
  /// @param plan of this topology and these bounds: HaloPlan::make
  /// @throws UsageError before Kokkos is initialised or after it is finalised; what ExchangedFields::problem
  /// says; for a plan or topology that is not that of these bounds or of this rank, and buffers whose memory
  /// does not suit the device (AgreedError if not all ranks are wrong); AgreedError that says what differs if
  /// the ranks were not given the same; UsageError for an unknown transport, CapabilityError for one that
  /// cannot reach a neighbour, or not its memory; CommunicationError if not all ranks have come within the
  /// timeout, and a minute at least
  HaloExchange(const Communicator& communicator, const HaloPlan& plan, const Topology& topology,
               const ExchangedFields& fields, const HaloExchangeConfig& config, PhaseTimer& timer);

  /// Packs the border cells of a set on `exec` and posts what can be posted. No host fence.
  /// @throws UsageError if an exchange has begun that has not ended, or one has failed
  void begin(const Exec& exec, int set);
  /// The ghost cells are valid for work enqueued on `exec` after this. Waits on the host for messages, never
  /// for kernels that were not packed for them; with transports between devices it waits for nothing.
  /// @throws UsageError if no exchange has begun, or one of the other set, or one has failed;
  /// CommunicationError that names the neighbours which were silent for the timeout
  void end(const Exec& exec, int set);

  /// Both, for a caller with nothing to do between them: fewer kernels where no message needs the host.
  /// @throws as both
  void exchange(const Exec& exec, int set);

  /// The same of the set whose first field is this one. @throws UsageError for a field of no set
  void begin(const Exec& exec, const void* field) { begin(exec, set_of(field)); }
  void end(const Exec& exec, const void* field) { end(exec, set_of(field)); }
  void exchange(const Exec& exec, const void* field) { exchange(exec, set_of(field)); }

  /// The next exchange announces that this rank is ready, and waits for its peers, whatever was exchanged
  /// before it. To be called on all ranks between the same two exchanges: see
  /// HaloExchangeConfig::alternating. Also before an exchange is recorded into a graph.
  void forget_last() { kernels_->forget_last(); }

  /// Whether an exchange has begun that has not ended.
  bool begun() const { return begun_set_ != none; }
  /// True if no message needs the host, so that exchanges can be recorded into a graph.
  bool without_host() const;
  /// Which transport serves how many neighbours of this rank: "peer_store 2, pinned 1".
  std::string mix() const;
  /// What kept transport "auto" from memory that ranks map, on the first rank where it did; else nothing.
  const std::string& why_not_mapped() const { return why_not_mapped_; }
  /// Whether HaloExchangeConfig::mpi says how any message of this rank is passed.
  bool uses_message_mode() const;
  /// @throws CommunicationError if a device has given up waiting for a peer
  void check();
  /// Where packed bytes stand: HaloExchangeConfig::buffers, or the device's memory.
  const std::shared_ptr<memory::MemoryResource>& buffers() const { return buffers_; }

 private:
  static constexpr int none = -1;

  struct Leg {
    std::string name;
    HaloPlan plan;  // the messages that go this way
    std::vector<detail::RoundStrips>
        strips;  // a round, that they are parts of; none: each is packed by itself
    std::unique_ptr<detail::HaloPath> path;

    std::set<int> peers() const;
  };

  void add_legs(const Topology& topology, const HaloBounds& bounds, const HaloPlan& plan,
                const HaloExchangeConfig& config);
  void add_leg(const Topology& topology, const HaloBounds& bounds, const Route& route,
               const HaloExchangeConfig& config);
  void make_kernels(const HaloPlan& plan, const ExchangedFields& given, Corners corners, bool alternating);
  int set_of(const void* field) const;
  template <class Work>
  void fail_for_good(const Work& work);
  void require_sound(const char* call) const;
  void require_begun(int set) const;
  void require_none_begun(const char* call) const;
  void begin(const Exec& exec, int set, bool end_follows);
  void finish(const Exec& exec, int set);
  void stage(int round, const Exec& exec);
  void post(int round, const Exec& exec, bool end_follows);
  void desynchronise(int round, const Exec& exec);
  void receive(int round, const Exec& exec, int set);
  /// The round that is gone through as number `turn`, from 0 on.
  int in_turn(int turn) const { return flow_ == detail::Flow::fill ? turn : rounds_ - 1 - turn; }
  /// What unpacking counts as.
  Phase unpacking() const { return steps_.signals ? steps_.signals->unpacking : Phase::unpack; }
  const detail::HaloSteps::Round& steps_of(int round) const {
    return steps_.rounds[static_cast<std::size_t>(round)];
  }

  const Communicator& communicator_;
  PhaseTimer& timer_;
  std::string owner_;
  detail::Flow flow_;
  bool desynchronisation_;
  double timeout_;
  int rounds_;
  std::vector<detail::FieldShape> shapes_;
  std::vector<detail::ForEachSet> data_;  // a field
  std::shared_ptr<memory::MemoryResource> buffers_;
  std::vector<Leg> legs_;
  std::string why_not_mapped_;
  detail::HaloSteps steps_;
  std::optional<detail::HaloKernels> kernels_;
  backend::Event packed_;  // recorded for `desynchronisation`
  int begun_set_ = none;   // between `begin` and the end of `end`
  bool failed_ = false;    // an exchange has thrown
};

}  // namespace haloheap::comm

#endif
