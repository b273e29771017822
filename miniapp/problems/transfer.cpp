// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/iterations.hpp>
#include <haloheap/miniapp/problems/transfer.hpp>
#include <haloheap/miniapp/problems/transfer_kernel.hpp>
#include <haloheap/miniapp/problems/transfer_point.hpp>

#include <map>
#include <optional>

namespace haloheap {
namespace {

constexpr TransferTraffic traffic{1, 1, 1};

double ratio_of(Bound bound) {
  return bound == Bound::communication ? 0.1 : bound == Bound::compute ? 10 : 1;
}

class Transfer final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    if (deck.choice<Bound>("transfer.bound") != Bound::none &&
        deck.get<std::int64_t>("transfer.iterations") != 0)
      deck.reject("transfer.iterations", "the iterations are found for transfer.bound",
                  "use transfer.bound = \"none\", or leave them out");
    return plan_transfer(deck, ranks, traffic);
  }

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    return runner_.run(context, traffic,
                       [&](const TransferSettings& settings, const transfer::ResourceMaker& resources,
                           report::Point& point) {
                         const int count = iterations(context.deck, settings, resources, point);
                         point.figures.push_back({"iterations", "iterations", static_cast<double>(count)});
                         return add_one(count);
                       });
  }

 private:
  /// Found once, so that all modes and schedules of a sweep do the same work.
  int iterations(const deck::Deck& deck, const TransferSettings& settings,
                 const transfer::ResourceMaker& resources, report::Point& point) {
    const auto bound = deck.choice<Bound>("transfer.bound");
    if (bound == Bound::none) return static_cast<int>(deck.get<std::int64_t>("transfer.iterations"));
    auto& found = found_[work_key(deck)];
    if (!found) found = calibrate_iterations(settings, resources, ratio_of(bound));
    point.figures.push_back({"calibrated_ratio", "", found->ratio});
    return found->count;
  }

  std::map<std::string, std::optional<Iterations>> found_;
  TransferRunner runner_;
};

}  // namespace

std::unique_ptr<Problem> make_transfer() {
  return std::make_unique<Transfer>();
}

}  // namespace haloheap
