// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_DECK_HPP
#define HALOHEAP_MINIAPP_DECK_DECK_HPP

#include <haloheap/core/base/config_problem.hpp>
#include <haloheap/miniapp/deck/schema.hpp>
#include <haloheap/miniapp/deck/setting.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace haloheap::deck {

/// One point of the sweep: a valid value for every key of the schema.
class Deck {
 public:
  /// Takes the defaults for all keys.
  explicit Deck(Schema schema) : Deck(std::make_shared<const Schema>(std::move(schema)), {}) {}

  /// Takes the defaults for the keys that `settings` does not have. InternalError for a key that the schema
  /// lacks, a wrong type, or a value that is not allowed: what users write is checked by the loader.
  Deck(std::shared_ptr<const Schema> schema, std::map<std::string, Setting> settings);

  /// The value of a key; T is one of the alternatives of Value. InternalError for an unknown key or another
  /// type.
  template <class T>
  T get(std::string_view key) const {
    if (const T* value = std::get_if<T>(&setting(key).value)) return *value;
    throw_wrong_type(key);
  }

  /// The value of an integer key whose range fits an int.
  int number(std::string_view key) const { return static_cast<int>(get<std::int64_t>(key)); }

  /// The value of a key whose values are the names of an enumeration.
  template <class E>
  E choice(std::string_view key) const {
    return from_name<E>(get<std::string>(key));
  }

  const Value& value(std::string_view key) const { return setting(key).value; }

  /// Where the value came from: "input/heat2d.toml:3:9", "command line" or "default".
  std::string location(std::string_view key) const { return to_string(setting(key).origin); }

  /// For rules between keys, and for limits that only the machine knows: throws UsageError, with the place
  /// and the key in front of the cause.
  /// @param consequence of a run with that value; empty: nothing more than that it was not run
  [[noreturn]] void reject(std::string_view key, const std::string& cause, const std::string& remedy,
                           const std::string& consequence = "") const;

  /// The same of what a library finds wrong with the setting that the key stands for.
  template <class S>
  [[noreturn]] void reject(std::string_view key, const ConfigProblem<S>& problem) const {
    reject(key, problem.cause, problem.remedy, problem.consequence);
  }

  /// All values as TOML that loads back to the same deck.
  std::string to_toml(Comments comments = Comments::none) const;

  /// This deck with other values for some keys. InternalError as for the constructor.
  Deck with(const std::map<std::string, Value>& values) const;

  /// All values by full key name.
  std::map<std::string, Value> as_map() const;

  const Schema& schema() const noexcept { return *schema_; }

 private:
  const Setting& setting(std::string_view key) const;
  [[noreturn]] void throw_wrong_type(std::string_view key) const;

  std::shared_ptr<const Schema> schema_;
  std::map<std::string, Setting> settings_;
};

}  // namespace haloheap::deck

#endif
