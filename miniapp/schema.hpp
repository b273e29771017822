// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_SCHEMA_HPP
#define HALOHEAP_MINIAPP_SCHEMA_HPP

#include <haloheap/miniapp/deck/schema.hpp>

#include <string>
#include <vector>

namespace haloheap {

/// The names that are registered elsewhere. None may be empty; the first problem and transport are the
/// defaults, and the resources must have "device".
struct SchemaChoices {
  std::vector<std::string> problems;
  std::vector<std::string> transports;
  std::vector<std::string> resources;
};

/// The sections that all problems share. A problem may add its own.
deck::Schema make_schema(const SchemaChoices& choices);

}  // namespace haloheap

#endif
