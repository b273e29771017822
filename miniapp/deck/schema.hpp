// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_SCHEMA_HPP
#define HALOHEAP_MINIAPP_DECK_SCHEMA_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/base/registry.hpp>
#include <haloheap/miniapp/deck/key.hpp>

#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap::deck {

/// Counts end where an int ends: kernels, MPI and Kokkos take them as such.
inline constexpr int largest_count = std::numeric_limits<int>::max();

/// Refines the key that was just added; meant for chaining in one statement:
/// `halo.integer("depth", 1).range(1, 1024).unit("cells").help("...")`.
/// Each call throws InternalError if the default breaks the new rule.
class KeyBuilder {
 public:
  explicit KeyBuilder(Key& key) : key_(key) {}

  KeyBuilder& range(double min, double max);            ///< both inclusive
  KeyBuilder& at_least(double min);                     ///< inclusive
  KeyBuilder& choices(std::vector<std::string> names);  ///< for strings
  KeyBuilder& or_auto();                                ///< "auto" too, of integers and after choices
  KeyBuilder& seed();                                   ///< of random numbers
  KeyBuilder& length(std::size_t minimum, std::size_t maximum);  ///< for lists, both inclusive
  KeyBuilder& unit(std::string text);                            ///< "cells", "s", "GiB"
  KeyBuilder& help(std::string text);                            ///< one line

 private:
  KeyBuilder& checked();

  Key& key_;
};

/// A table of the deck: `[halo]`. The section with the empty name holds the keys above the first table.
class Section {
 public:
  Section(std::string name, std::string title) : name_(std::move(name)), title_(std::move(title)) {}

  const std::string& name() const noexcept { return name_; }
  const std::string& title() const noexcept { return title_; }
  const std::deque<Key>& keys() const noexcept { return keys_; }

  KeyBuilder boolean(std::string_view name, bool value) { return add(name, value); }
  KeyBuilder integer(std::string_view name, std::int64_t value) { return add(name, value); }
  KeyBuilder real(std::string_view name, double value) { return add(name, value); }
  KeyBuilder text(std::string_view name, std::string value) { return add(name, std::move(value)); }
  /// The names of an enumeration: see names_of. To be read by Deck::choice.
  template <class E>
  KeyBuilder choice(std::string_view name, E value) {
    return text(name, name_of(value)).choices(all_names<E>());
  }
  /// The names of a registry's entries, of which the first is the default.
  template <class Entry>
  KeyBuilder entry(std::string_view name, const Registry<Entry>& registry) {
    return text(name, registry.front().name).choices(registry.names());
  }
  KeyBuilder integers(std::string_view name, std::vector<std::int64_t> value) {
    return add(name, std::move(value));
  }
  KeyBuilder reals(std::string_view name, std::vector<double> value) { return add(name, std::move(value)); }
  KeyBuilder texts(std::string_view name, std::vector<std::string> value) {
    return add(name, std::move(value));
  }

 private:
  KeyBuilder add(std::string_view name, Value value);

  std::string name_;
  std::string title_;
  std::deque<Key> keys_;  // a deque, so that references to keys outlive later additions
};

/// The one place that knows every key: its type, default, unit, limits and help. The loader, the printed deck
/// and docs/reference/deck_reference.md all come from it. "Schema order" is the order of the sections, and of
/// the keys in each.
class Schema {
 public:
  /// Opens a section: a new one, or the one of that name, which then keeps its title. Throws InternalError
  /// for a name with a dot.
  Section& section(std::string_view name, std::string title);

  const std::deque<Section>& sections() const noexcept { return sections_; }

  /// A section or key by its full name; null if there is none.
  const Section* find_section(std::string_view name) const noexcept;
  const Key* find(std::string_view name) const noexcept;

  /// All keys in schema order.
  std::vector<const Key*> keys() const&;
  std::vector<const Key*> keys() const&& = delete;  // they would point into a schema that is gone

  /// The key that a mistyped full name most likely meant: close in spelling, or of the same last name in
  /// another section.
  std::string nearest_key(std::string_view name) const;

  /// The section that a mistyped name most likely meant.
  std::string nearest_section(std::string_view name) const;

 private:
  std::deque<Section> sections_;
};

/// The deck reference as Markdown: one table for each section.
std::string write_reference(const Schema& schema);

}  // namespace haloheap::deck

#endif
