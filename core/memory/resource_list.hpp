// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCE_LIST_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCE_LIST_HPP

#include <haloheap/core/memory/resource.hpp>

#include <memory>
#include <string>
#include <vector>

namespace haloheap {

/// One line of the list in resource_list.cpp.
struct ResourceEntry {
  std::string name;
  std::string help;
  std::string (*unavailable_reason)();  ///< empty: it can be made here
  std::shared_ptr<MemoryResource> (*make)();
};

/// Every memory resource there is. A new one is a file pair in resources/ and a line in resource_list.cpp.
const std::vector<ResourceEntry>& resource_list();

}  // namespace haloheap

#endif
