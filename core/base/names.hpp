// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_NAMES_HPP
#define HALOHEAP_CORE_BASE_NAMES_HPP

#include <haloheap/core/base/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap {

/// One value of an enumeration and the word for it in decks, tables, results and messages.
template <class E>
struct Name {
  E value;
  std::string_view name;
};

/// All of them, in the order of lists.
template <class E, std::size_t Size>
struct NameTable {
  std::string_view kind;  ///< what they are names of: "overlap"
  Name<E> names[Size];
};

template <class E, std::size_t Size>
constexpr NameTable<E, Size> name_table(std::string_view kind, const Name<E> (&names)[Size]) {
  NameTable<E, Size> table{kind, {}};
  for (std::size_t i = 0; i < Size; ++i) table.names[i] = names[i];
  return table;
}

// The table of an enumeration is what a function names_of of its own namespace gives, the only place that
// spells its values. It stands beside the enumeration:
//
//     constexpr auto names_of(Exchange) {
//       return name_table<Exchange>("exchange", {{Exchange::sync, "sync"}, {Exchange::async, "async"}});
//     }

/// @throws InternalError for a value that the table does not have
template <class E>
std::string name_of(E value) {
  for (const Name<E>& entry : names_of(E{}).names)
    if (entry.value == value) return std::string(entry.name);
  throw InternalError("a value of enumeration '" + std::string(names_of(E{}).kind) + "' has no name");
}

template <class E>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Name<E>& entry : names_of(E{}).names) names.emplace_back(entry.name);
  return names;
}

/// The value of that name. @throws UsageError for a name that there is not
template <class E>
E from_name(std::string_view name) {
  std::string all;
  for (const Name<E>& entry : names_of(E{}).names) {
    if (entry.name == name) return entry.value;
    all += (all.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw UsageError("there is no " + std::string(names_of(E{}).kind) + " '" + std::string(name) + "'", "",
                   "use one of: " + all);
}

}  // namespace haloheap

#endif
