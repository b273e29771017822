// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_TABLE1_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_TABLE1_HPP

#include <haloheap/miniapp/problems/containers/container_point.hpp>

namespace haloheap {

/// A row of Table 1 of [Dastgeer2016], in units of what its application replicates: calls times the bytes of
/// a vector.
struct Table1Row {
  std::string application, policy;
  bool peer;
  double to_devices, within_devices, between_devices, to_host, total, allocated;
};

/// The row of an application under a policy on two devices; none where [Dastgeer2016], which measured two
/// C2050, has none.
std::optional<Table1Row> table1_row(const std::string& application, const std::string& policy, bool peer);

}  // namespace haloheap

#endif
