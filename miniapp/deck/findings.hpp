// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_FINDINGS_HPP
#define HALOHEAP_MINIAPP_DECK_FINDINGS_HPP

#include <haloheap/miniapp/deck/setting.hpp>

#include <string>
#include <vector>

namespace haloheap::deck {

/// Everything that is wrong with a deck and its overrides, so that users see all of it at once.
class Findings {
 public:
  /// `key` may be empty where the text is about no key, as for a syntax error.
  void add(Origin origin, std::string key, std::string text);

  /// Throws one UsageError with a line for each finding, in the order of the deck and then of the command
  /// line. Returns if there are none.
  void raise() const;

 private:
  struct Finding {
    Origin origin;
    std::string text;
  };
  std::vector<Finding> findings_;
};

}  // namespace haloheap::deck

#endif
