// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/bandwidth.hpp>
#include <haloheap/miniapp/problems/bandwidth_run.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/transfer_point.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

void report_bandwidth(const BandwidthSettings& settings, const BandwidthResult& result,
                      report::Point& point) {
  const double bytes = static_cast<double>(settings.transfer.rows * sizeof(float)) * settings.count;
  const double all = settings.path == BandwidthPath::both ? 2 * bytes : bytes;
  point.wall = report::spread_of(result.seconds);
  const auto figure = [&](const char* name, const char* title, double value) {
    point.figures.push_back({name, title, value});
  };
  const auto rate = [](double moved, double seconds) { return 1e-9 * moved / seconds; };
  figure("gb_per_s", "GB/s", rate(all, point.wall.median));
  figure("gb_per_s_lowest", "lowest", rate(all, point.wall.maximum));
  figure("gb_per_s_highest", "highest", rate(all, point.wall.minimum));
  if (settings.path == BandwidthPath::both) {
    figure("up_gb_per_s", "up", rate(bytes, report::spread_of(result.up).median));
    figure("down_gb_per_s", "down", rate(bytes, report::spread_of(result.down).median));
  }
  figure("each_us", "each [us]", 1e6 * point.wall.median / settings.count);
  const report::Spread single = report::spread_of(result.single);
  figure("single_us", "single [us]", 1e6 * single.median);
  figure("single_minimum_us", "", 1e6 * single.minimum);
  point.verification = verification_of(result.wrong, static_cast<std::size_t>(all) / settings.count, "bytes");
  if (settings.transfer.emulated) point.notes.emplace_back(emulated_link_note);
  if (!result.not_held.empty())
    point.notes.push_back("copies start while others are still enqueued, for which the host takes time: " +
                          result.not_held);
}

class Bandwidth final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const BandwidthSettings settings = read_bandwidth(deck);
    return fmt::format("'{}', {} copies of {} bytes in a row, {}, by {}, link {}\n", settings.transfer.mode,
                       settings.count, settings.transfer.rows * sizeof(float),
                       deck.get<std::string>("bandwidth.path"), deck.get<std::string>("bandwidth.by"),
                       settings.transfer.emulated ? "emulated" : "real");
  }

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const BandwidthSettings settings = read_bandwidth(context.deck);
    return run_link_point(
        context, settings.transfer, 2, [&](const transfer::ResourceMaker& resources, report::Point& point) {
          const double runs = settings.transfer.warm_ups + settings.transfer.repetitions;
          int done = 0;
          const BandwidthResult result =
              run_bandwidth(settings, resources, [&] { context.progress.update(++done / runs); });
          report_bandwidth(settings, result, point);
        });
  }
};

}  // namespace

std::unique_ptr<Problem> make_bandwidth() {
  return std::make_unique<Bandwidth>();
}

}  // namespace haloheap
