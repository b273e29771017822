// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth_run.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_point.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap {

namespace {

void add_bandwidth_keys(deck::Schema& schema) {
  deck::Section& bandwidth = schema.section("bandwidth", "Copies alone, of problem bandwidth");
  bandwidth.choice("path", BandwidthPath::h2d)
      .help("To the device, from it, both at once; within a device, or from the next one to it");
  bandwidth.choice("by", CopiedBy::copies)
      .help("Who moves the bytes: copies of transfer.mode, or a kernel that reads and writes them");
  bandwidth.integer("count", 16)
      .range(1, 1000)
      .unit("copies")
      .help("Copies in a row for each repetition; they are held back until all are enqueued");
}

/// The modes whose bytes move so, as a remedy says them.
std::string modes_by(transfer::Movement movement) {
  const auto moves_so = [movement](const transfer::ModeEntry& mode) { return mode.movement == movement; };
  return fmt::format("{}", fmt::join(transfer::modes().names(moves_so), " or "));
}

/// Modes without copies leave them to kernels; and kernels do not reach all memory.
void check_mode(const deck::Deck& deck, const BandwidthSettings& settings) {
  using enum transfer::Movement;
  const transfer::ModeEntry& entry = transfer::modes().at(settings.transfer.mode);
  const std::string& mode = entry.name;
  if (!settings.by_kernel && entry.movement == in_place)
    deck.reject("transfer.mode", fmt::format("mode '{}' copies nothing by itself", mode),
                "use bandwidth.by = \"kernel\"");
  if (settings.by_kernel && !entry.kernels_reach)
    deck.reject("transfer.mode", fmt::format("kernels do not reach the memory of mode '{}'", mode),
                "use bandwidth.by = \"copies\", or mode " + modes_by(in_place));
  if (entry.movement == on_touch || (entry.movement == pages_sent && settings.by_kernel))
    deck.reject(
        "transfer.mode",
        fmt::format("pages of mode '{}' go where they are touched: copies in a row would move them once",
                    mode),
        fmt::format("use mode {} by copies, {} by kernel, or problem = \"transfer\"", modes_by(pages_sent),
                    modes_by(in_place)));
  if (entry.whole_runs)
    deck.reject("transfer.mode", fmt::format("mode '{}' is of whole runs, and here are copies alone", mode),
                fmt::format("use mode {}, which copies as it does", entry.nearest));
}

/// Copies between devices do not use it, so it cannot be emulated.
void no_link(const deck::Deck& deck, BandwidthSettings& settings) {
  if (deck.choice<LinkKind>("link.kind") == LinkKind::emulated)
    deck.reject("link.kind", "copies in memory of devices do not use the link", "use link.kind = \"auto\"");
  settings.transfer.emulated = false;
}

}  // namespace

BandwidthSettings read_bandwidth(const deck::Deck& deck) {
  BandwidthSettings settings;
  settings.transfer = read_transfer(deck);
  settings.transfer.streams = 2;  // one for each direction
  settings.path = deck.choice<BandwidthPath>("bandwidth.path");
  settings.by_kernel = deck.choice<CopiedBy>("bandwidth.by") == CopiedBy::kernel;
  settings.count = deck.number("bandwidth.count");
  if (settings.path == BandwidthPath::device || settings.path == BandwidthPath::peer) {
    no_link(deck, settings);
  } else {
    check_mode(deck, settings);
    const bool once = transfer::modes().at(settings.transfer.mode).movement == transfer::Movement::pages_sent;
    if (once) settings.count = 1;  // what has moved stays there
  }
  return settings;
}

namespace {

/// What a point measured, with the bytes of its numbers.
struct BandwidthPoint {
  const BandwidthSettings& settings;
  const BandwidthResult& result;
  report::Timing timing;
  report::Spread single;

  /// Of all copies in a row, one way.
  double bytes() const {
    return static_cast<double>(settings.transfer.rows * sizeof(float)) * settings.count;
  }
  double all() const { return settings.path == BandwidthPath::both ? 2 * bytes() : bytes(); }
};

/// 1e9 bytes a second.
double rate(double bytes, double seconds) {
  return 1e-9 * bytes / seconds;
}

/// Of one direction while both are used.
auto one_way(std::vector<double> BandwidthResult::*seconds) {
  return [seconds](const BandwidthPoint& b) {
    const bool both = b.settings.path == BandwidthPath::both;
    return both ? std::optional(rate(b.bytes(), report::spread_of(b.result.*seconds).median)) : std::nullopt;
  };
}

const report::Quantities<BandwidthPoint>& bandwidth_quantities() {
  using B = BandwidthPoint;
  using report::Shown;
  static const auto all =
      report::Quantities<B>{}
          .with(&B::timing, report::timings())
          .add({
              {{BandwidthFigures::rate, "GB/s", "bandwidth",
                "1e9 bytes a second of bandwidth.count copies in a row, by events: the median. Of path both "
                "the "
                "bytes of "
                "both directions; a copy within a device counts once.",
                Shown{"GB/s"}},
               [](const B& b) { return rate(b.all(), b.timing.wall.median); }},
              {{"figures.gb_per_s_lowest", "GB/s", "lowest bandwidth", "Bandwidth of the slowest repetition.",
                Shown{"lowest"}},
               [](const B& b) { return rate(b.all(), b.timing.wall.maximum); }},
              {{"figures.gb_per_s_highest", "GB/s", "highest bandwidth",
                "Bandwidth of the fastest repetition.", Shown{"highest"}},
               [](const B& b) { return rate(b.all(), b.timing.wall.minimum); }},
              {{"figures.h2d_gb_per_s", "GB/s", "bandwidth to the device",
                "Of path both: the direction to the device by itself.", Shown{"H2D"}},
               one_way(&BandwidthResult::h2d)},
              {{"figures.d2h_gb_per_s", "GB/s", "bandwidth to the host",
                "Of path both: the direction to the host by itself.", Shown{"D2H"}},
               one_way(&BandwidthResult::d2h)},
              {{"figures.each_us", "us", "each", "Time of one of the copies in a row.", Shown{}},
               [](const B& b) { return 1e6 * b.timing.wall.median / b.settings.count; }},
              {{BandwidthFigures::single, "us", "single",
                "Time of one copy alone, from the call until it is done, by the host's clock: the median.",
                Shown{}},
               [](const B& b) { return 1e6 * b.single.median; }},
              {{"figures.single_minimum_us", "us", "fastest single",
                "Time of one copy alone, the fastest repetition."},
               [](const B& b) { return 1e6 * b.single.minimum; }},
          });
  return all;
}

void report_bandwidth(const BandwidthSettings& settings, const BandwidthResult& result,
                      report::Point& point) {
  const BandwidthPoint measured{
      settings, result, {report::spread_of(result.seconds)}, report::spread_of(result.single)};
  point.measure(bandwidth_quantities(), measured);
  point.verification = report::verification_of(
      result.wrong, static_cast<std::size_t>(measured.all()) / settings.count, "bytes");
  if (settings.transfer.emulated) point.notes.emplace_back(emulated_link_note);
  if (!result.not_held.empty())
    point.notes.push_back("copies start while others are still enqueued, for which the host takes time: " +
                          result.not_held);
}

/// Copies alone: bandwidth and latency of each way between host and device.
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

  report::QuantityList quantities() const override {
    return list_of(bandwidth_quantities(), report::memory_use());
  }

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

ProblemEntry bandwidth_problem() {
  return {"bandwidth",
          "copies between host and device alone, each mode and way",
          {add_transfer_mode_keys, add_transfer_keys, add_bandwidth_keys, add_memory_keys},
          make_problem<Bandwidth>};
}

}  // namespace haloheap
