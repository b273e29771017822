// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_PEER_SIGNALS_HPP
#define HALOHEAP_COMM_KERNELS_PEER_SIGNALS_HPP

#include <haloheap/backend/signal.hpp>

namespace haloheap::comm::detail {

/// The signals of one message, as kernels see them. Each is raised to the number of the exchange, so that
/// none is ever lowered.
struct PeerChannel {
  backend::Signal* ready;         ///< here: the peer's halo may be written
  backend::Signal* arrived;       ///< here: the peer's values have come
  backend::Signal* peer_ready;    ///< at the peer: mine may be written
  backend::Signal* peer_arrived;  ///< at the peer: my values have come
};

/// All signals of a transport without a host in the loop. Passed by value to kernels. The number of the
/// exchange is kept on the device, so that a recorded graph can be replayed.
struct PeerSignals {
  /// Round by round, message by message. Then all of them once more with the two signals changed over, for
  /// kernels that wait for no values, but until the peers are ready: to them that is what arrives.
  const PeerChannel* channels = nullptr;
  backend::Signal* exchange = nullptr;
  unsigned* workers_done = nullptr;
  int* lost = nullptr;          ///< 1 + the channel on which a peer stayed silent, in device memory
  int* lost_on_host = nullptr;  ///< the same, for the host
  double timeout = 60;          ///< seconds
  int max_blocks = 1;           ///< of a kernel that waits: waiting_blocks
};

/// Which channels one kernel announces (my halo may be written), awaits (values have come) and raises (my
/// values have been written).
struct SignalDuties {
  struct Channels {
    int first = 0, count = 0;
  };
  Channels announce, await, raise;
  bool first_kernel = false;  ///< of an exchange: counts it
  bool always_ready = false;  ///< peers need not say that they are
};

}  // namespace haloheap::comm::detail

#endif
