// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_QUANTITIES_HPP
#define HALOHEAP_MINIAPP_REPORT_QUANTITIES_HPP

#include <haloheap/miniapp/report/quantity.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace haloheap::report {
namespace detail {

template <class T>
struct Plain {
  using type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true;
};

template <class T>
deck::Value to_value(T value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<std::int64_t>(value);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(value);
  else
    return value;
}

}  // namespace detail

/// What is measured of one kind of result: each quantity, with how it comes from a Result. Make it once, as a
/// static object: what is measured points to it.
template <class Result>
class Quantities {
 public:
  struct Row {
    Row() = default;

    /// `get` takes a Result: a function or a member. Where it gives an std::optional, points may lack it.
    template <std::invocable<const Result&> Get>
    Row(Quantity what, Get get) : quantity(std::move(what)) {
      using Plain = detail::Plain<std::decay_t<std::invoke_result_t<Get, const Result&>>>;
      quantity.type = deck::type_of(detail::to_value(typename Plain::type{}));
      if (Plain::optional) quantity.presence = Presence::sometimes;
      value = [get](const Result& result) -> std::optional<deck::Value> {
        const auto& own = std::invoke(get, result);
        if constexpr (Plain::optional) {
          if (!own) return std::nullopt;
          return detail::to_value(*own);
        } else {
          return detail::to_value(own);
        }
      };
    }

    /// Known when all points of a sweep have run.
    Row(Quantity what, Comparison comparison) : quantity(std::move(what)) {
      quantity.presence = Presence::sometimes;
      quantity.comparison = std::move(comparison);
    }

    Quantity quantity;
    std::function<std::optional<deck::Value>(const Result&)> value;  ///< none for comparisons
  };

  Quantities(std::initializer_list<Row> rows) : rows_(rows) {}

  /// These and more.
  Quantities add(std::initializer_list<Row> rows) && {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    return std::move(*this);
  }

  /// These and those of a part of the result. Where `get` gives an std::optional, the part may be missing.
  template <class Get, class Part>
  Quantities with(Get get, const Quantities<Part>& part) && {
    using Plain = detail::Plain<std::decay_t<std::invoke_result_t<Get, const Result&>>>;
    for (const auto& row : part.rows()) {
      Row own;
      own.quantity = row.quantity;
      if (Plain::optional && own.quantity.presence == Presence::always)
        own.quantity.presence = branch_of(own.quantity).empty() ? Presence::sometimes : Presence::with_branch;
      if (row.value)
        own.value = [get, value = row.value](const Result& result) -> std::optional<deck::Value> {
          const auto& of = std::invoke(get, result);
          if constexpr (Plain::optional)
            return of ? value(*of) : std::nullopt;
          else
            return value(of);
        };
      rows_.push_back(std::move(own));
    }
    return std::move(*this);
  }

  /// Adds what there is.
  void measure(const Result& result, std::vector<Measurement>& measured) const {
    for (const Row& row : rows_) {
      if (!row.value) continue;
      if (auto value = row.value(result)) measured.push_back({&row.quantity, std::move(*value)});
    }
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

/// What points have whose results are measured by all of these.
template <class... Results>
QuantityList list_of(const Quantities<Results>&... quantities) {
  QuantityList list;
  const auto add = [&list](const auto& all) {
    for (const auto& row : all.rows()) list.push_back(&row.quantity);
  };
  (add(quantities), ...);
  return list;
}

}  // namespace haloheap::report

#endif
