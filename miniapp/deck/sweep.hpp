// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_SWEEP_HPP
#define HALOHEAP_MINIAPP_DECK_SWEEP_HPP

#include <haloheap/miniapp/deck/deck.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::deck {

/// All points of a deck whose values may be lists: every combination, in schema order, the last key fastest.
class Sweep {
 public:
  /// The most points that one deck may have; more is taken for a mistake.
  static constexpr std::size_t max_points = 100000;

  /// `axes` has one or more allowed values for each key that is not left at its default. Throws UsageError
  /// for more than max_points.
  Sweep(std::shared_ptr<const Schema> schema, std::string path,
        std::map<std::string, std::vector<Setting>> axes);

  /// The deck's file.
  const std::string& path() const noexcept { return path_; }

  /// The keys with more than one value, in schema order.
  std::vector<std::string> swept_keys() const;

  /// The number of points: at least 1.
  std::size_t size() const noexcept { return size_; }

  /// Point i of 0 to size() - 1; InternalError beyond.
  Deck point(std::size_t index) const;

  /// The whole sweep as TOML that loads back to the same sweep.
  std::string to_toml(Comments comments = Comments::none) const;

 private:
  std::shared_ptr<const Schema> schema_;
  std::string path_;
  std::map<std::string, std::vector<Setting>> axes_;
  std::size_t size_ = 1;
};

}  // namespace haloheap::deck

#endif
