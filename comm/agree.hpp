// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_AGREE_HPP
#define HALOHEAP_COMM_AGREE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/base/error.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// An error that every rank throws at the same place with the same text, so that all can stop in order.
class AgreedError : public Error {
 public:
  AgreedError(ErrorKind kind, const std::string& text) : Error(kind, text, "", "") {}
  AgreedError(ErrorKind kind, const std::string& cause, const std::string& consequence,
              const std::string& remedy)
      : Error(kind, cause, consequence, remedy) {}
};

/// Runs `action`, which must not communicate, on all ranks. If it throws an Error on any, every rank throws
/// an AgreedError with the text of the first rank that failed, and its number unless all failed. Collective.
void agree(const Communicator& communicator, const std::function<void()>& action);

/// What one rank was given to make something with others.
struct Terms {
  /// What all ranks must have alike, by a name that the user knows.
  struct Item {
    std::string name, value;
  };
  /// What goes to a peer and what is expected from it, in words: each word that one rank says of what it
  /// sends, its peer must say of what it receives.
  struct Trade {
    int round = 0, peer = 0;
    std::string send, receive;
  };

  std::vector<Item> items;
  std::vector<Trade> trades;
};

/// Seconds for the others to come to a constructor, which take memory and fill it before: not less than
/// sixty, however short they may be silent in an exchange.
inline double set_up_timeout(double timeout) {
  return std::max(timeout, 60.0);
}

/// Collective: the beginning of a constructor that all ranks call together. Costs one reduction where they
/// agree.
/// @param what is made: "HaloExchange"
/// @param look says what this rank was given, and throws if it cannot do with it; must not communicate
/// @throws what `look` throws, if it does on all ranks; AgreedError with the text of the first rank on which
/// it does, if not on all; AgreedError that says what differs between which ranks; CommunicationError if not
/// all ranks have come within `timeout` seconds. A rank that comes after others have given up is not told: it
/// finds them in agreement and waits for them in what follows. So whoever catches that error ends the run.
void agree_on(const Communicator& communicator, const std::string& what, double timeout,
              const std::function<Terms()>& look);

}  // namespace haloheap::comm

#endif
