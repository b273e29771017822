// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_BUILD_INFO_HPP
#define HALOHEAP_CORE_BASE_BUILD_INFO_HPP

#include <string>

namespace haloheap {

/// How this program came to be; every result carries it.
struct BuildInfo {
  std::string version;
  std::string git_revision;  ///< with "-dirty" if the tree had changes; "unknown" outside a repository
  std::string compiler;
  std::string flags;
};

const BuildInfo& build_info();

}  // namespace haloheap

#endif
