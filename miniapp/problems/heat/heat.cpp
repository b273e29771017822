// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/heat/heat_run.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

constexpr double mib = 1024.0 * 1024.0;

std::string transfer_plan(const TransferChoice& choice, std::size_t bytes) {
  if (!choice.any()) return "";
  return fmt::format(
      "  fields come from the host and go back there: mode '{}', {} stream{}, {:.2f} MiB each way\n",
      choice.mode, choice.streams, choice.streams == 1 ? "" : "s", static_cast<double>(bytes) / mib);
}

/// A stencil with deep halos, in 2D and 3D.
class Heat final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const HeatSettings heat = read_heat(deck, ranks);
    const HeatCosts costs = heat_costs(heat, ranks);
    const std::string text = fmt::format(
        "grid {} x {} x {}, {} steps of {}, {} quantities, rank grid {} x {} x {}\n"
        "  memory of the largest rank: fields {:.2f} MiB ({}), packed halos {:.3f} MiB ({}), host staging "
        "{:.3f} MiB\n"
        "  an exchange every {} steps, {} of them a pass: {} messages of {:.1f} KiB together from the "
        "busiest "
        "rank\n",
        heat.cells.x, heat.cells.y, heat.cells.z, heat.steps, heat.single_precision ? "float" : "double",
        heat.quantities, heat.ranks.x, heat.ranks.y, heat.ranks.z,
        static_cast<double>(costs.field_bytes) / mib, heat.fields,
        static_cast<double>(costs.device_buffer_bytes) / mib, heat.buffers,
        static_cast<double>(costs.host_buffer_bytes) / mib, heat.config.depth, heat.config.fused_steps,
        costs.messages, static_cast<double>(costs.message_bytes) / 1024.0);
    return text + transfer_plan(heat.transfer, costs.own_bytes);
  }

  report::QuantityList quantities() const override { return list_of(heat_quantities()); }

  double updates(const deck::Deck& deck) const override {
    if (deck.choice<Measure>("run.measure") != Measure::steps) return 0;
    double updates = heat_runs(deck, Measure::steps);
    for (const std::int64_t n : deck.get<std::vector<std::int64_t>>("grid.size"))
      updates *= static_cast<double>(n);
    return updates * static_cast<double>(deck.get<std::int64_t>("grid.steps") *
                                         deck.get<std::int64_t>("grid.quantities"));
  }

  report::Point run(const RunContext& context) override {
    const HeatSettings heat = read_heat(context.deck, context.communicator.size());
    if (heat.single_precision) return HeatRun<float>(context, heat, reference_).run();
    return HeatRun<double>(context, heat, reference_).run();
  }

 private:
  HeatReference reference_;
};

}  // namespace

ProblemEntry heat2d_problem() {
  return {"heat2d",
          "2D stencil with deep halos ([Valen2023])",
          {add_heat_keys, add_transfer_mode_keys, add_memory_keys},
          make_problem<Heat>,
          2};
}
ProblemEntry heat3d_problem() {
  return {"heat3d",
          "3D stencil with deep halos",
          {add_heat_keys, add_transfer_mode_keys, add_memory_keys},
          make_problem<Heat>,
          3};
}

}  // namespace haloheap
