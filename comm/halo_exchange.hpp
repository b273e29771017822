// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_EXCHANGE_HPP
#define HALOHEAP_COMM_HALO_EXCHANGE_HPP

#include <haloheap/comm/pack.hpp>
#include <haloheap/comm/phase_timer.hpp>
#include <haloheap/comm/transport.hpp>

#include <string>

namespace haloheap {

struct HaloExchangeConfig {
  std::string transport = "pinned";         ///< a name from transports()
  std::shared_ptr<MemoryResource> buffers;  ///< device-accessible memory for packed bytes
  double timeout = 60;                      ///< seconds
  bool desynchronisation = false;           ///< time a barrier before each message phase
};

/// Fills the ghost cells of a field from the neighbours. Everything is set up in the constructor: buffers,
/// region tables, persistent requests.
template <class T>
class HaloExchange {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  /// Collective. `timer` must outlive the exchange.
  /// @throws CapabilityError for an unknown transport, UsageError if the buffers' memory does not suit the
  /// device
  HaloExchange(const Communicator& communicator, const HaloPlan& plan, const FieldLayout& layout,
               const HaloExchangeConfig& config, PhaseTimer& timer);

  /// Packs the border cells of `field` on `exec` and posts what can be posted. No host fence.
  void begin(const Exec& exec, const T* field);
  /// The ghost cells are valid for work enqueued on `exec` after this. Waits on the host for messages, never
  /// for kernels that were not packed for them.
  void end(const Exec& exec, T* field);

 private:
  void pack(int round, const Exec& exec, const T* field);

  const Communicator& communicator_;
  PhaseTimer& timer_;
  bool desynchronisation_;
  double timeout_;
  std::vector<Packer<T>> packers_;
  std::vector<bool> has_messages_;
  std::unique_ptr<Transport> transport_;
};

extern template class HaloExchange<float>;
extern template class HaloExchange<double>;

}  // namespace haloheap

#endif
