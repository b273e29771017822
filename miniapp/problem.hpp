// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEM_HPP
#define HALOHEAP_MINIAPP_PROBLEM_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/base/registry.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/report/progress.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace haloheap {

/// What a problem needs to run one point of a sweep.
struct RunContext {
  const comm::Communicator& communicator;
  const deck::Deck& deck;
  report::Progress& progress;
  std::filesystem::path folder;  ///< for files of its own, exists
  std::string point_name;        ///< for file names, "point_03"
  bool may_write = true;         ///< whether it writes such files
};

/// One thing that the mini-app can compute. A problem knows its deck keys, its known answers and its figures
/// of merit; it never parses, prints or keeps time by hand.
class Problem {
 public:
  virtual ~Problem() = default;

  /// Checks all rules that can be known without a device, and says what would run: memory per rank, messages.
  /// @throws UsageError with the place in the deck
  virtual std::string plan(const deck::Deck& deck, int ranks) const = 0;

  /// What its points may have, in the order of all outputs. Needs no device.
  virtual report::QuantityList quantities() const = 0;

  /// Useful cell updates of all runs of a point, warm-up included, for the rate in the progress line; 0 where
  /// there is no such rate.
  virtual double updates(const deck::Deck& /*deck*/) const { return 0; }

  /// Runs one point. Collective. Everything but the deck's own values and what compares points is filled in.
  virtual report::Point run(const RunContext& context) = 0;
};

class GridModel;
struct GridSize;

/// What a problem leaves to advice, see advise/advice.cpp.
enum class AdviceKind {
  none,
  grid,       ///< halos, steps a pass, and transfers of a grid's fields
  transfer,   ///< how arrays are copied between host and device
  allocator,  ///< which allocator its kernels use
  solver,     ///< how its linear systems are solved
};

struct ProblemEntry {
  std::string name;
  std::string help;
  std::vector<ProblemKeys> add_keys;  ///< its sections of the deck
  std::function<std::unique_ptr<Problem>()> make;
  AdviceKind advice = AdviceKind::none;
  int dims = 0;  ///< of its grid; 0: it has none
  /// The physics of problems on grids with halos; null of all others: see problems/grids/grid_model.hpp.
  std::unique_ptr<GridModel> (*model)(const deck::Deck& deck, const GridSize& size) = nullptr;
};

/// ProblemEntry::make of a class that is made of nothing.
template <class P>
std::unique_ptr<Problem> make_problem() {
  return std::make_unique<P>();
}

/// All problems of this build.
const Registry<ProblemEntry>& problems();

}  // namespace haloheap

#endif
