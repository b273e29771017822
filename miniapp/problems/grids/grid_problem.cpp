// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/miniapp/problems/grids/grid_run.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap {
namespace {

constexpr double mib = 1024.0 * 1024.0;

/// How all problems on grids are computed.
constexpr ProblemKeys ways[] = {add_ranks_keys,         add_halo_keys,   add_transport_keys,
                                add_transfer_mode_keys, add_memory_keys, add_frame_keys};

std::string transfer_plan(const TransferChoice& choice, std::size_t bytes) {
  if (!choice.any()) return "";
  return fmt::format(
      "  fields come from the host and go back there: mode '{}', {} stream{}, {:.2f} MiB each way\n",
      choice.mode, choice.streams, choice.streams == 1 ? "" : "s", static_cast<double>(bytes) / mib);
}

std::string frames_plan(const GridSettings& settings) {
  if (settings.frames == 0) return "";
  const double bytes = static_cast<double>(product(settings.cells())) * settings.model->fields() *
                       static_cast<double>(settings.model->value_bytes());
  return fmt::format("  {} frames of {:.2f} MiB are written in a run after the measured ones\n",
                     settings.frames + 1, bytes / mib);
}

/// A physics with deep halos, in 2D and 3D.
class GridProblem final : public Problem {
 public:
  explicit GridProblem(report::QuantityList own) : own_(std::move(own)) {}

  std::string plan(const deck::Deck& deck, int ranks) const override {
    const GridSettings settings = read_grid(deck, ranks);
    const GridCosts costs = grid_costs(settings, ranks);
    const grid::Triple& cells = settings.cells();
    const std::string text = fmt::format(
        "grid {} x {} x {}, {} steps of {}, {} quantities, rank grid {} x {} x {}\n"
        "  memory of the largest rank: fields {:.2f} MiB ({}), packed halos {:.3f} MiB ({}), host staging "
        "{:.3f} MiB\n"
        "  an exchange every {} steps, {} of them a pass: {} messages of {:.1f} KiB together from the "
        "busiest "
        "rank\n",
        cells.x, cells.y, cells.z, settings.steps, settings.model->scalar(), settings.model->fields(),
        settings.ranks.x, settings.ranks.y, settings.ranks.z, static_cast<double>(costs.field_bytes) / mib,
        settings.fields, static_cast<double>(costs.device_buffer_bytes) / mib, settings.buffers,
        static_cast<double>(costs.host_buffer_bytes) / mib, settings.config.depth,
        settings.config.fused_steps, costs.messages, static_cast<double>(costs.message_bytes) / 1024.0);
    return text + transfer_plan(settings.transfer, costs.own_bytes) + frames_plan(settings);
  }

  report::QuantityList quantities() const override {
    report::QuantityList all = list_of(grid_quantities());
    all.insert(all.end(), own_.begin(), own_.end());
    return all;
  }

  double updates(const deck::Deck& deck) const override {
    if (deck.choice<Measure>("run.measure") != Measure::steps) return 0;
    const auto model = read_model(deck);
    return grid_runs(deck, Measure::steps) * static_cast<double>(product(model->size().cells)) *
           static_cast<double>(deck.get<std::int64_t>("grid.steps") * model->facts().updates);
  }

  report::Point run(const RunContext& context) override {
    const GridSettings settings = read_grid(context.deck, context.communicator.size());
    return settings.model->run(context, settings, reference_);
  }

 private:
  report::QuantityList own_;
  GridReference reference_;
};

}  // namespace

ProblemEntry grid_problem(const GridPhysics& physics) {
  std::vector<ProblemKeys> keys{add_grid_keys, add_step_keys};
  if (physics.has_precision) keys.push_back(add_precision_keys);
  keys.insert(keys.end(), physics.add_keys.begin(), physics.add_keys.end());
  keys.insert(keys.end(), std::begin(ways), std::end(ways));
  return {.name = physics.name,
          .help = physics.help,
          .add_keys = keys,
          .make = [own = physics.quantities] { return std::make_unique<GridProblem>(own); },
          .advice = AdviceKind::grid,
          .dims = physics.dims,
          .model = physics.model};
}

bool changes_no_result(ProblemKeys add) {
  return std::find(std::begin(ways), std::end(ways), add) != std::end(ways);
}

}  // namespace haloheap
