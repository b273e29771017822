// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/transport.hpp>
#include <haloheap/comm/transports/staged.hpp>
#include <haloheap/core/base/error.hpp>

namespace haloheap {

const std::vector<TransportInfo>& transports() {
  static const std::vector<TransportInfo> list = {
      {"pinned", "through page-locked host memory", make_pinned_transport},
      {"pageable", "through ordinary host memory, as in Valen (2023)", make_pageable_transport},
  };
  return list;
}

std::unique_ptr<Transport> make_transport(const std::string& name, TransportSetup setup) {
  std::string names;
  for (const TransportInfo& info : transports()) {
    if (info.name == name) return info.make(std::move(setup));
    names += (names.empty() ? "" : ", ") + info.name;
  }
  throw CapabilityError("this build has no transport '" + name + "'", "", "use one of: " + names);
}

}  // namespace haloheap
