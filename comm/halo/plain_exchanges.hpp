// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_PLAIN_EXCHANGES_HPP
#define HALOHEAP_COMM_HALO_PLAIN_EXCHANGES_HPP

#include <haloheap/comm/halo/halo_exchange_config.hpp>

namespace haloheap::comm::detail {

/// For exchanges of which nobody promises what happens between them, and at whose times nobody looks.
inline HaloExchangeConfig plain_exchanges(HaloExchangeConfig config) {
  config.alternating = false;
  config.desynchronisation = false;
  return config;
}

}  // namespace haloheap::comm::detail

#endif
