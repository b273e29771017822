// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/numa.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_point.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/timing.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>

namespace haloheap {
namespace {

constexpr double micro = 1e6, nano = 1e9;

/// What a point measured, with what its numbers relate to.
struct TransferPointResult {
  report::Timing timing;
  const TransferSettings& settings;
  const TransferTraffic& traffic;
  const TransferResult& result;
  const EngineSeconds& alone;

  double bytes() const { return static_cast<double>(settings.rows * sizeof(float)); }
  double total() const { return timing.wall.median; }
  double bound() const { return alone.bound(settings.streams); }
};

/// A number of what an engine did, where it left a trace.
auto of_engine(double EngineSeconds::*engine, double factor) {
  return [=](const TransferPointResult& t) {
    return t.result.engines ? std::optional(factor * (*t.result.engines).*engine) : std::nullopt;
  };
}
auto of_engine_a_byte(double EngineSeconds::*engine) {
  return [=](const TransferPointResult& t) {
    return t.result.engines ? std::optional(nano * (*t.result.engines).*engine / t.bytes()) : std::nullopt;
  };
}

const report::Quantities<TransferPointResult>& measured_quantities() {
  using T = TransferPointResult;
  using E = EngineSeconds;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<T>{}
          .with(&T::timing, report::timings())
          .add({
              {of_merit(
                   {"figures.total_median_us", "us", "total",
                    "Time of a run, from the first call until the results are on the host, by the host's "
                    "clock: the "
                    "median.",
                    Shown{}}),
               [](const T& t) { return micro * t.total(); }},
              {{"figures.total_mean_us", "us", "mean total", "Time of a run, likewise: the mean."},
               [](const T& t) { return micro * report::mean(t.result.seconds); }},
              {{"figures.h2d_us", "us", "H2D",
                "How long at least one operation of the engine that copies to the device was under way, by "
                "events around "
                "each, in runs of their own: where streams share an engine, its work and what waits for it. "
                "0 "
                "for "
                "engines that have nothing to do; missing for recorded runs, which have no such events.",
                Shown{"H2D"}},
               of_engine(&E::h2d, micro)},
              {{"figures.h2d_ns_per_byte", "ns/byte", "H2D a byte", "h2d_us over the bytes of one array."},
               of_engine_a_byte(&E::h2d)},
              {{"figures.kernel_us", "us", "kernel",
                "How long at least one kernel was under way, likewise. Kernels that reach the host's memory "
                "have the transfer in here.",
                Shown{"kernel"}},
               of_engine(&E::kernel, micro)},
              {{"figures.kernel_ns_per_byte", "ns/byte", "kernel a byte",
                "kernel_us over the bytes of one array."},
               of_engine_a_byte(&E::kernel)},
              {{"figures.d2h_us", "us", "D2H",
                "How long at least one operation of the engine that copies to the host was under way, "
                "likewise.",
                Shown{"D2H"}},
               of_engine(&E::d2h, micro)},
              {{"figures.d2h_ns_per_byte", "ns/byte", "D2H a byte", "d2h_us over the bytes of one array."},
               of_engine_a_byte(&E::d2h)},
              {{"figures.total_ns_per_byte", "ns/byte", "total a byte",
                "The total over the bytes of one array, the unit of [Bhimani2016].", Shown{"ns/byte"}},
               [](const T& t) { return nano * t.total() / t.bytes(); }},
              {{"figures.link_gb_per_s", "GB/s", "link",
                "1e9 bytes to be copied, host-to-device and device-to-host, over the total.", Shown{}},
               [](const T& t) { return 1e-9 * t.bytes() * (t.traffic.h2d + t.traffic.d2h) / t.total(); }},
              {{"figures.serial_us", "us", "serial",
                "Sum of the engines' times for page-locked memory without streams."},
               [](const T& t) { return micro * t.alone.sum(); }},
              {{"figures.bound_us", "us", "bound",
                "The bound of docs/guide/transfers.md that follows from the engines' times.", Shown{}},
               [](const T& t) { return micro * t.bound(); }},
              {{"figures.total_over_bound", "", "total/bound", "The total over its bound.", Shown{}},
               [](const T& t) { return t.total() / t.bound(); }},
              {{"figures.allocate_us", "us", "allocate",
                "Time to take the operands' memory, both sides, once.", Shown{}},
               [](const T& t) { return micro * t.result.allocate; }},
              {{"figures.release_us", "us", "release",
                "Time to give back the operands' memory, both sides, once."},
               [](const T& t) { return micro * t.result.release; }},
              {{"figures.chunks", "", "chunks", "Chunks that a run is cut into."},
               [](const T& t) { return t.result.chunks; }},
          });
  return all;
}

void report_transfer(const TransferSettings& settings, const TransferTraffic& traffic,
                     const TransferResult& result, const EngineSeconds& alone, report::Point& point) {
  point.measure(measured_quantities(),
                {{report::spread_of(result.seconds)}, settings, traffic, result, alone});
  point.verification = report::verification_of(
      result.wrong, settings.rows * static_cast<std::size_t>(traffic.d2h), "elements");
  if (settings.emulated) point.notes.emplace_back(emulated_link_note);
}

}  // namespace

report::QuantityList transfer_quantities() {
  return list_of(measured_quantities(), report::memory_use());
}

std::string plan_transfer(const deck::Deck& deck, int ranks, const TransferTraffic& traffic) {
  require_one_rank(deck, ranks);
  const TransferSettings settings = read_transfer(deck);
  return fmt::format("'{}', {} stream{}, {} array{} of {} bytes, link {}\n", settings.mode, settings.streams,
                     settings.streams == 1 ? "" : "s", traffic.arrays, traffic.arrays == 1 ? "" : "s",
                     settings.rows * sizeof(float), settings.emulated ? "emulated" : "real");
}

std::string work_key(const deck::Deck& deck) {
  std::string key;
  for (const auto& [name, value] : deck.as_map())
    if (name.starts_with("link.") || name == "transfer.bytes" || name == "transfer.bound" ||
        name == "transfer.iterations")
      key += deck::to_string(value) + " ";
  return key;
}

report::Point run_link_point(const RunContext& context, const TransferSettings& settings, int arrays,
                             const std::function<void(const transfer::ResourceMaker&, report::Point&)>& run) {
  report::Point point;
  point.work.problem = context.deck.get<std::string>("problem");
  point.work.size = {static_cast<std::int64_t>(settings.rows)};
  point.work.scalar = "float";
  point.ranks = context.communicator.size();
  point.rank_grid = {point.ranks};
  const std::size_t side = static_cast<std::size_t>(arrays) * settings.rows * sizeof(float);
  check_memory(context.communicator, {{"pinned", side}, {"device", side}});
  agree(context.communicator, [&] {
    std::optional<backend::NodeBinding> binding;
    if (settings.bind && !settings.emulated && !backend::kernels_on_host) {
      binding.emplace(backend::device_numa_node());
      point.notes.push_back(binding->text());
    }
    RunMemory memory(context.deck);
    std::map<std::string, std::shared_ptr<memory::MemoryResource>>
        made;  // one of each, so that limits hold for all
    const transfer::ResourceMaker resources = [&](const std::string& name) {
      auto& resource = made[name];
      if (!resource) resource = memory.named(name);
      return resource;
    };
    run(resources, point);
    point.measure(report::memory_use(), {memory.peak_bytes()});
  });
  return point;
}

report::Point TransferRunner::run(const RunContext& context, const TransferTraffic& traffic,
                                  const ChooseWork& choose) {
  const TransferSettings settings = read_transfer(context.deck);
  return run_link_point(
      context, settings, traffic.arrays, [&](const transfer::ResourceMaker& resources, report::Point& point) {
        const TransferWork work = choose(settings, resources, point);
        const std::string key = work_key(context.deck);
        if (!alone_.contains(key)) alone_[key] = measure_engines(settings, resources, work);
        const double runs = settings.warm_ups + settings.repetitions;
        int done = 0;
        const TransferResult result =
            measure_transfer(settings, resources, work, [&] { context.progress.update(++done / runs); });
        report_transfer(settings, traffic, result, alone_[key], point);
      });
}

}  // namespace haloheap
