// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_point.hpp>

#include <map>
#include <optional>

namespace haloheap {
namespace {

constexpr TransferTraffic one_array{1, 1, 1};

double ratio_of(Bound bound) {
  return bound == Bound::communication ? 0.1 : bound == Bound::compute ? 10 : 1;
}

/// How much the kernel does.
struct KernelLength {
  int iterations = 0;
  std::optional<double> ratio = {};  ///< where the iterations were found
};

const report::Quantities<KernelLength>& iteration_quantities() {
  static const report::Quantities<KernelLength> all = {
      {{"figures.calibrated_ratio", "", "kernel over copies",
        "With transfer.bound: time of the kernel over that of the copies, as measured when the iterations "
        "were found."},
       &KernelLength::ratio},
      {{"figures.iterations", "", "iterations", "Iterations of the kernel's loop.", report::Shown{}},
       &KernelLength::iterations},
  };
  return all;
}

/// The micro-benchmark of [Bhimani2016] in all its versions: bound, memory, schedule.
class Transfer final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    if (deck.choice<Bound>("transfer.bound") != Bound::none &&
        deck.get<std::int64_t>("transfer.iterations") != 0)
      deck.reject("transfer.iterations", "the iterations are found for transfer.bound",
                  "use transfer.bound = \"none\", or leave them out");
    return plan_transfer(deck, ranks, one_array);
  }

  report::QuantityList quantities() const override {
    report::QuantityList all = list_of(iteration_quantities());
    for (const report::Quantity* quantity : transfer_quantities()) all.push_back(quantity);
    return all;
  }

  report::Point run(const RunContext& context) override {
    return runner_.run(context, one_array,
                       [&](const TransferSettings& settings, const transfer::ResourceMaker& resources,
                           report::Point& point) {
                         const KernelLength length = iterations(context.deck, settings, resources);
                         point.measure(iteration_quantities(), length);
                         return add_one(length.iterations);
                       });
  }

 private:
  /// Found once, so that all modes and schedules of a sweep do the same work.
  KernelLength iterations(const deck::Deck& deck, const TransferSettings& settings,
                          const transfer::ResourceMaker& resources) {
    const auto bound = deck.choice<Bound>("transfer.bound");
    if (bound == Bound::none) return {deck.number("transfer.iterations")};
    auto& found = found_[work_key(deck)];
    if (!found) found = calibrate_iterations(settings, resources, ratio_of(bound));
    return {found->count, found->ratio};
  }

  std::map<std::string, std::optional<Iterations>> found_;
  TransferRunner runner_;
};

}  // namespace

ProblemEntry transfer_problem() {
  return {"transfer",
          "an array to the device, a kernel, the array back: bounds, modes, schedules ([Bhimani2016])",
          {add_transfer_mode_keys, add_transfer_keys, add_memory_keys},
          make_problem<Transfer>,
          AdviceKind::transfer};
}

}  // namespace haloheap
