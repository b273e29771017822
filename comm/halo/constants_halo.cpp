// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/constants_halo.hpp>
#include <haloheap/comm/halo/plain_exchanges.hpp>

namespace haloheap::comm::detail {

ConstantsHalo::ConstantsHalo(const Communicator& communicator, const GridComputation& setup,
                             const DeepHaloConfig& config, const stencil::Subdomain& where)
    : given_(*setup.constants),
      where_(where),
      plan_(HaloPlan::make(setup.grid.topology, where.constants_layout, where.cells, config.exchange,
                           config.messages)),
      exchange_(communicator, plan_, setup.grid.topology,
                ExchangedFields::of(where.constants_layout, given_.type, given_.value_bytes, given_.memory,
                                    given_.memory),
                plain_exchanges(config.halo), timer_) {}

void ConstantsHalo::fill(const backend::Exec& exec) {
  exchange_.exchange(exec, 0);
  given_.impose(exec, where_);
  backend::wait_for(exec);
  exchange_.check();
}

}  // namespace haloheap::comm::detail
