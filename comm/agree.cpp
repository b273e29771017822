// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/deadline.hpp>
#include <haloheap/core/base/error_kind_of.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

namespace haloheap::comm {
namespace {

/// What one rank ran into, as it is sent.
struct Failure {
  std::string text;
  int kind = 0;  // none
  std::exception_ptr error;
};

Failure failure_of(const std::function<void()>& action) {
  try {
    action();
    return {};
  } catch (const std::exception& error) {
    return {error.what(), static_cast<int>(base::error_kind_of(error)), std::current_exception()};
  }
}

/// @param first the first rank that failed
/// @param alone false if all did
[[noreturn]] void throw_agreed(const Communicator& communicator, const Failure& failure, int first,
                               bool alone) {
  const std::string prefix = alone ? "rank " + std::to_string(first) + ": " : "";
  const std::string text = communicator.broadcast(prefix + failure.text, first);
  const int kind = std::stoi(communicator.broadcast(std::to_string(failure.kind), first));
  throw AgreedError(static_cast<ErrorKind>(kind), text);
}

/// FNV-1a: the same on all ranks, whatever their libraries.
class Hash {
 public:
  Hash& add(const std::string& text) {
    for (const char c : text + '\0') value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return *this;
  }
  Hash& add(int number) { return add(std::to_string(number)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

std::uint64_t hash_of(const std::string& what, const std::vector<Terms::Item>& items) {
  Hash hash;
  hash.add(what);
  for (const Terms::Item& item : items) hash.add(item.name).add(item.value);
  return hash.value();
}

std::uint64_t hash_of(int round, int from, int to, const std::string& goods) {
  return Hash().add(round).add(from).add(to).add(goods).value();
}

/// Sums to zero over all ranks if everybody expects what is sent.
std::uint64_t balance_of(int rank, const std::vector<Terms::Trade>& trades) {
  std::uint64_t sum = 0;
  for (const Terms::Trade& trade : trades)
    sum += hash_of(trade.round, rank, trade.peer, trade.send) -
           hash_of(trade.round, trade.peer, rank, trade.receive);
  return sum;
}

/// What is known of all ranks after one reduction: its sums and minima are under way at the same time.
class Summary {
 public:
  Summary(std::uint64_t hash, std::uint64_t balance, bool failed, const Communicator& communicator)
      : size_(communicator.size()),
        min_{hash, ~hash, static_cast<std::uint64_t>(failed ? communicator.rank() : size_)},
        sums_{balance, failed ? 1U : 0U} {
    start(min_, MPI_MIN, communicator, 0);
    start(sums_, MPI_SUM, communicator, 1);
  }

  /// False if not all have come.
  bool wait(double timeout) {
    for (base::Deadline deadline(timeout); true; deadline.rest()) {
      int done = 0;
      check_mpi(MPI_Testall(2, requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (done) return true;
      if (deadline.passed()) return false;
    }
  }

  int first_failed() const { return static_cast<int>(min_[2]); }
  bool any_failed() const { return first_failed() < size_; }
  bool all_failed() const { return sums_[1] == static_cast<std::uint64_t>(size_); }
  bool alike() const { return min_[0] == ~min_[1]; }
  bool balanced() const { return sums_[0] == 0; }

 private:
  template <std::size_t Size>
  void start(std::array<std::uint64_t, Size>& words, MPI_Op operation, const Communicator& communicator,
             std::size_t request) {
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, words.data(), static_cast<int>(Size), MPI_UINT64_T, operation,
                             communicator.get(), &requests_[request]),
              "MPI_Iallreduce");
  }

  int size_;
  std::array<std::uint64_t, 3> min_;
  std::array<std::uint64_t, 2> sums_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// Every rank's text, on all ranks.
std::vector<std::string> shared(const Communicator& communicator, const std::string& text) {
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(communicator.size()));
  for (int rank = 0; rank < communicator.size(); ++rank) all.push_back(communicator.broadcast(text, rank));
  return all;
}

/// "'pinned' on rank 0, 'mapped' on rank 1"; of each value the first rank that has it. Empty if all have one.
std::string difference(const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> first;
  for (std::size_t rank = 0; rank < values.size(); ++rank) first.emplace(values[rank], rank);
  if (first.size() == 1) return "";
  std::map<std::size_t, std::string> by_rank;
  for (const auto& [value, rank] : first) by_rank[rank] = value;
  std::string text;
  for (const auto& [rank, value] : by_rank)
    text += fmt::format("{}'{}' on rank {}", text.empty() ? "" : ", ", value, rank);
  return text;
}

[[noreturn]] void throw_difference(const std::string& cause) {
  throw AgreedError(ErrorKind::usage, cause, "the ranks would wait for each other in vain",
                    "give all ranks the same configuration, grid and layout");
}

/// Says which items differ. Collective.
[[noreturn]] void throw_unlike(const Communicator& communicator, const std::string& what,
                               const std::vector<Terms::Item>& items) {
  const std::string made = difference(shared(communicator, what));
  if (!made.empty()) throw_difference("the ranks do not make the same: " + made);
  std::string text;
  for (const Terms::Item& item : items) {
    const std::string differs = difference(shared(communicator, item.value));
    if (!differs.empty()) text += fmt::format("{}{} is {}", text.empty() ? "" : "; ", item.name, differs);
  }
  throw_difference(fmt::format("the ranks do not agree on the {}: {}", what, text));
}

/// A rank's trades as they are sent: a line each.
std::string to_lines(const std::vector<Terms::Trade>& trades) {
  std::string lines;
  for (const Terms::Trade& trade : trades)
    lines += fmt::format("{}\t{}\t{}\t{}\n", trade.round, trade.peer, trade.send, trade.receive);
  return lines;
}

std::vector<Terms::Trade> to_trades(const std::string& lines) {
  std::vector<Terms::Trade> trades;
  std::istringstream stream(lines);
  for (std::string round, peer, send, receive;
       std::getline(stream, round, '\t') && std::getline(stream, peer, '\t') &&
       std::getline(stream, send, '\t') && std::getline(stream, receive);)
    trades.push_back({std::stoi(round), std::stoi(peer), send, receive});
  return trades;
}

/// Says what the first two ranks that do not agree say of what goes from one to the other. Collective.
[[noreturn]] void throw_unbalanced(const Communicator& communicator, const std::string& what,
                                   const std::vector<Terms::Trade>& trades) {
  using Way = std::array<int, 3>;                            // round, from, to
  std::map<Way, std::pair<std::string, std::string>> goods;  // as sent, as expected
  const std::vector<std::string> all = shared(communicator, to_lines(trades));
  for (int rank = 0; rank < communicator.size(); ++rank)
    for (const Terms::Trade& trade : to_trades(all[static_cast<std::size_t>(rank)])) {
      const auto add = [](std::string& to, const std::string& more) {
        to += (to.empty() ? "" : ", ") + more;
      };
      add(goods[{trade.round, rank, trade.peer}].first, trade.send);
      add(goods[{trade.round, trade.peer, rank}].second, trade.receive);
    }
  for (const auto& [way, said] : goods)
    if (said.first != said.second)
      throw_difference(
          fmt::format("the ranks do not agree on the {}: in round {} rank {} sends {} to rank "
                      "{}, which expects {}",
                      what, way[0], way[1], said.first.empty() ? "nothing" : said.first, way[2],
                      said.second.empty() ? "nothing" : said.second));
  throw InternalError("the ranks' messages do not balance, but no two of them differ");
}

}  // namespace

void agree(const Communicator& communicator, const std::function<void()>& action) {
  const Failure failure = failure_of(action);
  const bool failed = failure.kind != 0;
  const int size = communicator.size();
  const int first = size - static_cast<int>(communicator.max(failed ? size - communicator.rank() : 0));
  if (first == size) return;
  // What all ranks ran into (a wrong deck) is no rank's own.
  throw_agreed(communicator, failure, first, communicator.sum(failed ? 1 : 0) < size);
}

void agree_on(const Communicator& communicator, const std::string& what, double timeout,
              const std::function<Terms()>& look) {
  Terms terms;
  const Failure failure = failure_of([&] { terms = look(); });
  auto summary =
      std::make_unique<Summary>(hash_of(what, terms.items), balance_of(communicator.rank(), terms.trades),
                                failure.kind != 0, communicator);
  if (!summary->wait(timeout)) {
    (void)summary.release();  // MPI may write to it whenever the others come
    communicator.leave_open();
    if (failure.error) std::rethrow_exception(failure.error);
    throw CommunicationError(
        fmt::format("rank {} waited {:g} s for all ranks to make a {}", communicator.rank(), timeout, what),
        "it cannot be made without them",
        "call its constructor on all ranks of the communicator; a timeout of more than a minute lets them "
        "come later");
  }
  if (summary->any_failed()) {
    if (summary->all_failed()) std::rethrow_exception(failure.error);
    throw_agreed(communicator, failure, summary->first_failed(), true);
  }
  if (!summary->alike()) throw_unlike(communicator, what, terms.items);
  if (!summary->balanced()) throw_unbalanced(communicator, what, terms.trades);
}

}  // namespace haloheap::comm
