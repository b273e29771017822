// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/protocols/none.hpp>

namespace haloheap::coherence::detail {

void NoneProtocol::use_on_device(Planner& planner, CopyId id, const Request& request) const {
  State& state = planner.state;
  Copy& copy = state.copy(id);
  if (reads(request.access) && !copy.valid) planner.copy(state.object(request.object).main, id, copy.rect);
  copy.valid = true;
  if (!writes(request.access)) return;
  copy.modified = true;
  state.main_of(request.object).valid = false;
}

void NoneProtocol::use_on_host(Planner& /*planner*/, const Request& /*request*/) const {}

void NoneProtocol::finish(Planner& planner, CopyId id, const Request& /*request*/) const {
  if (planner.state.copy(id).pins > 0) return;
  write_back(planner, id);
  planner.release(id);
}

std::unique_ptr<Protocol> make_none_protocol() {
  return std::make_unique<NoneProtocol>();
}

}  // namespace haloheap::coherence::detail
