// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_SETTING_HPP
#define HALOHEAP_MINIAPP_DECK_SETTING_HPP

#include <haloheap/miniapp/deck/schema.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace haloheap::deck {

/// Where a value was written. Lines and columns count from 1; line 0 stands for a source without lines.
struct Origin {
  std::string source = "default";  ///< a path, "command line" or "default"
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// "input/heat2d.toml:3:9", or the source alone where it has no lines.
std::string to_string(const Origin& origin);

/// A value and where it came from.
struct Setting {
  Value value;
  Origin origin;
};

/// Whether each line of a written deck carries what its key means and accepts.
enum class Comments { none, help };

/// Writes a deck in schema order. `values` gives the values of a key: one, or several for a sweep.
std::string write_toml(const Schema& schema, const std::function<std::vector<Value>(const Key&)>& values,
                       Comments comments);

}  // namespace haloheap::deck

#endif
