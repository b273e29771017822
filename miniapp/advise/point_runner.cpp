// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/miniapp/advise/point_runner.hpp>

#include <algorithm>

namespace haloheap::advise {

PointRunner::PointRunner(const comm::Communicator& communicator, double seconds, Say say)
    : communicator_(communicator), seconds_(seconds), until_(seconds), say_(std::move(say)) {}

Problem& PointRunner::problem(const deck::Deck& deck) {
  const auto name = deck.get<std::string>("problem");
  auto& made = problems_[name];
  if (!made) made = problems().at(name).make();
  return *made;
}

int PointRunner::nodes(int ranks_per_node) const {
  const std::vector<int> nodes = comm::nodes_of(communicator_, ranks_per_node);
  return static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
}

void PointRunner::use(double share) {
  until_ = share * seconds_;
}

double PointRunner::halfway() const {
  return (communicator_.max(elapsed()) + until_) / 2;
}

std::optional<report::Point> PointRunner::run(const deck::Deck& deck, const std::string& what, double until) {
  const double now = communicator_.max(elapsed());
  if (now > until_) time_is_up_ = true;
  if ((until != always && now > std::min(until, until_)) || refused_.contains(what)) return std::nullopt;
  if (say_) say_(what, elapsed());
  report::Progress silent = report::no_progress();
  const RunContext context{communicator_, deck, silent, deck.get<std::string>("output.folder"),
                           "advise",      false};
  std::string reason;
  try {
    agree(communicator_, [&] { problem(deck).plan(deck, communicator_.size()); });
    return problem(deck).run(context);
  } catch (const comm::AgreedError& error) {
    // A machine that lacks something or has too little memory is what we are here to find out.
    if (error.kind() != ErrorKind::capability && error.kind() != ErrorKind::out_of_memory &&
        error.kind() != ErrorKind::usage)
      throw;
    reason = error.what();
    // Of that which is too large there may be smaller ones.
    if (error.kind() != ErrorKind::out_of_memory) refused_.insert(what);
  }
  missing_[what] = reason.substr(0, reason.find('\n'));
  return std::nullopt;
}

}  // namespace haloheap::advise
