// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_EXCHANGE_HPP
#define HALOHEAP_COMM_HALO_EXCHANGE_HPP

#include <haloheap/comm/halo_blocks.hpp>
#include <haloheap/comm/phase_timer.hpp>
#include <haloheap/comm/route.hpp>
#include <haloheap/comm/transport.hpp>
#include <haloheap/core/memory/array.hpp>

#include <array>
#include <optional>
#include <string>

namespace haloheap {

struct HaloExchangeConfig {
  std::string transport = "pinned";         ///< a name from transports(), or "auto"
  std::string mpi = "persistent";           ///< a name from message_modes(), for transports that use MPI
  bool force_gpu_aware = false;             ///< hand device pointers to MPI though its query says no
  int ranks_per_node = 0;                   ///< pretend that so many ranks make a node; 0: ask MPI
  std::shared_ptr<MemoryResource> buffers;  ///< device-accessible memory for packed bytes
  double timeout = 60;                      ///< seconds
  bool desynchronisation = false;           ///< time a barrier before each message phase
  /// A promise that saves devices a handshake: between two exchanges nothing touches the halo of the field
  /// that is not exchanged first. True for single steps from one field to the other.
  bool alternating = false;
};

/// Fills the ghost cells of a field from the neighbours. Everything is set up in the constructor: buffers,
/// block tables, persistent requests, mappings of neighbours' memory.
///
/// All border cells are read in `begin`: from then on they may be overwritten. In rounds after the first,
/// `end` reads nothing but ghost cells that earlier rounds have filled.
template <class T>
class HaloExchange {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  /// Collective. `timer` must outlive the exchange.
  /// @param fields the fields that will be exchanged; the same twice if there is one
  /// @throws CapabilityError for an unknown transport, or one that cannot reach a neighbour; UsageError if
  /// the buffers' memory does not suit the device
  HaloExchange(const Communicator& communicator, const HaloPlan& plan, const Topology& topology,
               const FieldLayout& layout, const std::array<T*, 2>& fields, const HaloExchangeConfig& config,
               PhaseTimer& timer);

  /// Packs the border cells of `field` on `exec` and posts what can be posted. No host fence.
  void begin(const Exec& exec, const T* field);
  /// The ghost cells are valid for work enqueued on `exec` after this. Waits on the host for messages, never
  /// for kernels that were not packed for them; with transports between devices it waits for nothing.
  void end(const Exec& exec, const T* field);

  /// Both, for a caller with nothing to do between them: fewer kernels where no message needs the host.
  void exchange(const Exec& exec, const T* field);
  /// To be called before an exchange is recorded into a graph: whatever will have been exchanged before it.
  void forget_last() { last_field_ = nullptr; }

  /// True if no message needs the host, so that exchanges can be recorded into a graph.
  bool without_host() const;
  /// Which transport serves how many neighbours of this rank: "peer_store 2, pinned 1".
  std::string mix() const;
  /// @throws CommunicationError if a device has given up waiting for a peer
  void check() const;

 private:
  struct Leg {
    std::string name;
    HaloPlan plan;  // the messages that travel this way
    std::unique_ptr<Transport> transport;
    RoutePlaces places;
    std::vector<int> first_line;  // a round, the number of its first signal, and one more; of all transports

    bool has_messages(int round) const {
      return !plan.rounds[static_cast<std::size_t>(round)].messages.empty();
    }
    /// Signals of the messages of rounds [first, last).
    SignalDuties::Lines lines(int first, int last) const;
    /// The same to await that the peers of all rounds are ready: see PeerSignals::lines.
    SignalDuties::Lines ready_lines() const;
  };

  void add_leg(const Communicator& communicator, const Topology& topology, const Route& route,
               const HaloExchangeConfig& config);
  int add_array(void* first, void* second);
  void add_remote(int round, std::size_t messages, Transport& transport, RoutePlaces& places);
  SignalDuties first_duties(const T* field);
  void add_places(Leg& leg);
  void make_blocks(const HaloPlan& plan);
  void run(const BlockCopies<T>& copies, const Exec& exec, const T* field, const SignalDuties& duties) const;
  const BlockArray<T>* arrays(const T* field) const;
  void begin(const Exec& exec, const T* field, bool end_follows);
  void post(int round, const Exec& exec, const T* field, bool end_follows);
  void deliver(int round);
  void await_arrival(int round, const Exec& exec, const T* field, bool raise);

  const Communicator& communicator_;
  FieldLayout layout_;
  PhaseTimer& timer_;
  bool desynchronisation_, alternating_;
  double timeout_;
  int rounds_;
  std::vector<Leg> legs_;
  const Leg* between_devices_ = nullptr;  // the leg with signals, if this rank has messages on it
  int early_rounds_ = 1;                  // so many rounds are packed in begin with all they send
  std::array<T*, 2> fields_;
  std::vector<std::array<T*, 2>> array_list_;  // what blocks count as arrays, for each of the fields
  std::optional<Array<BlockArray<T>>>
      arrays_;                     // the same for kernels: those for the first field, then for the second
  const T* last_field_ = nullptr;  // that was exchanged
  bool raised_ = false;            // by `begin`, the signals of the first round
  std::optional<BlockCopies<T>> whole_;  // the whole exchange in one kernel, where that can be
  std::vector<BlockCopies<T>> copies_;   // early, signals only, then a round: forwarded, unpack
};

extern template class HaloExchange<float>;
extern template class HaloExchange<double>;

}  // namespace haloheap

#endif
