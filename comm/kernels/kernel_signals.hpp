// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_KERNEL_SIGNALS_HPP
#define HALOHEAP_COMM_KERNELS_KERNEL_SIGNALS_HPP

#include <haloheap/comm/kernels/peer_signals.hpp>
#include <haloheap/comm/phase_timer.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// What the kernels of an exchange do for a path besides copying: which channels they announce, raise and
/// await.
struct KernelSignals {
  using Channels = SignalDuties::Channels;

  PeerSignals signals;
  Channels announce = {};            ///< by the first kernel: this rank may be written to
  Channels await_ready = {};         ///< by the first kernel, when it has packed: the peers may be written to
  std::vector<Channels> raise = {};  ///< a round: by the kernel that writes the last of its values
  std::vector<Channels> await = {};  ///< a round: by the kernel that unpacks
  /// Values for one field come where none for the other do: fields that take turns need no announcement.
  bool fields_apart = false;
  Phase unpacking = Phase::unpack;  ///< what the time of kernels that unpack counts as
};

}  // namespace haloheap::comm::detail

#endif
