// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_REGISTRY_HPP
#define HALOHEAP_CORE_BASE_REGISTRY_HPP

#include <haloheap/core/base/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap {

/// The reason of entries that can be had anywhere.
inline std::string nothing_missing() {
  return "";
}

/// What users choose by a name: memory resources, transfer modes, transports, problems. Lists, help texts,
/// decks, tests and error messages all come from here, in the order of the entries; the first is the default.
///
/// An Entry has a `name` and a `help` text. Its other members are properties, by which others treat it:
/// never by its name. It may have
/// - `std::string unavailable_reason() const`, or a function pointer of that name: why this build or machine
///   does not have it; empty where it can be had;
/// - `nearest`: the name of what comes closest to it, to be recommended where it is missing.
template <class Entry>
class Registry {
 public:
  using value_type = Entry;

  /// @param kind what the entries are, in messages: "memory resource"
  Registry(std::string kind, std::vector<Entry> entries)
      : kind_(std::move(kind)), entries_(std::move(entries)) {}

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& front() const { return entries_.front(); }

  std::vector<std::string> names() const {
    return names([](const Entry& /*entry*/) { return true; });
  }

  /// Of the entries that have a property.
  template <class Property>
  std::vector<std::string> names(const Property& property) const {
    std::vector<std::string> some;
    for (const Entry& entry : entries_)
      if (property(entry)) some.emplace_back(entry.name);
    return some;
  }

  /// Null if there is none of that name.
  const Entry* find(std::string_view name) const {
    const auto found = std::find_if(begin(), end(),
                                    [&](const Entry& entry) { return std::string_view(entry.name) == name; });
    return found == end() ? nullptr : &*found;
  }

  /// @throws UsageError, listing the names, if there is none of that name
  const Entry& at(std::string_view name) const {
    if (const Entry* entry = find(name)) return *entry;
    throw UsageError("there is no " + kind_ + " '" + std::string(name) + "'", "",
                     "use one of: " + joined(names()));
  }

  /// The same of what can be had here.
  /// @throws CapabilityError with the reason, and what to use instead, if it cannot
  const Entry& available(std::string_view name) const {
    const Entry& entry = at(name);
    const std::string reason = reason_of(entry);
    if (reason.empty()) return entry;
    const Entry* instead = nearest(entry);
    throw CapabilityError(kind_ + " '" + std::string(name) + "' cannot be had here: " + reason, "",
                          instead ? "the nearest that works here is '" + std::string(instead->name) + "'"
                                  : "available here: " + joined(available_names()));
  }

  std::vector<std::string> available_names() const {
    return names([](const Entry& entry) { return reason_of(entry).empty(); });
  }

  /// What works here and comes closest to an entry that does not; null if nothing is named.
  const Entry* nearest(const Entry& missing) const {
    if constexpr (requires { missing.nearest; }) {
      const Entry* entry = find(missing.nearest);
      while (entry != nullptr && !reason_of(*entry).empty()) entry = find(entry->nearest);
      return entry;
    } else {
      return nullptr;
    }
  }

  /// @throws UsageError if there is one of that name already
  void add(Entry entry) {
    if (find(entry.name))
      throw UsageError("there is a " + kind_ + " '" + std::string(entry.name) + "' already",
                       "it was not added", "give it another name, and add it once");
    entries_.push_back(std::move(entry));
  }

 private:
  static std::string reason_of(const Entry& entry) {
    if constexpr (requires { entry.unavailable_reason(); }) {
      return entry.unavailable_reason();
    } else {
      return "";
    }
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace haloheap

#endif
