// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/backend/numa.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/transfer_point.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>
#include <haloheap/miniapp/report/spread.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <optional>

namespace haloheap {
namespace {

constexpr double micro = 1e6, nano = 1e9;

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

void report_transfer(const TransferSettings& settings, const TransferTraffic& traffic,
                     const TransferResult& result, const EngineSeconds& alone, report::Point& point) {
  point.wall = report::spread_of(result.seconds);
  const double bytes = static_cast<double>(settings.rows * sizeof(float));
  const double total = point.wall.median, bound = alone.bound(settings.streams);
  const auto figure = [&](const char* name, const char* title, double value) {
    point.figures.push_back({name, title, value});
  };
  figure("total_median_us", "total [us]", micro * total);
  figure("total_mean_us", "", micro * mean(result.seconds));
  const auto engine = [&](const std::string& name, double seconds) {
    point.figures.push_back({name + "_us", name, micro * seconds});
    point.figures.push_back({name + "_ns_per_byte", "", nano * seconds / bytes});
  };
  if (result.engines) {
    engine("up", result.engines->up);
    engine("kernel", result.engines->kernel);
    engine("down", result.engines->down);
  }
  // The paper's unit: seconds of the whole for a byte of the array.
  figure("total_ns_per_byte", "ns/byte", nano * total / bytes);
  figure("link_gb_per_s", "link [GB/s]", 1e-9 * bytes * (traffic.up + traffic.down) / total);
  figure("serial_us", "", micro * alone.sum());
  figure("bound_us", "bound [us]", micro * bound);
  figure("total_over_bound", "total/bound", total / bound);
  figure("allocate_us", "allocate [us]", micro * result.allocate);
  figure("release_us", "", micro * result.release);
  figure("chunks", "", result.chunks);
  point.verification =
      verification_of(result.wrong, settings.rows * static_cast<std::size_t>(traffic.down), "elements");
  if (settings.emulated) point.notes.emplace_back(emulated_link_note);
}

}  // namespace

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
  point.path = {
      .transport = "none", .exchange = "none", .overlap = "none", .fields = "device", .buffers = "none"};
  const std::size_t side = static_cast<std::size_t>(arrays) * settings.rows * sizeof(float);
  check_memory(context.communicator, {{"pinned", side}, {"device", side}});
  agree(context.communicator, [&] {
    std::optional<backend::NodeBinding> binding;
    if (settings.bind && !settings.emulated && !backend::kernels_on_host) {
      binding.emplace(backend::device_numa_node());
      point.notes.push_back(binding->text());
    }
    RunMemory memory(context.deck);
    std::map<std::string, std::shared_ptr<MemoryResource>> made;  // one of each, so that limits hold for all
    const transfer::ResourceMaker resources = [&](const std::string& name) {
      auto& resource = made[name];
      if (!resource) resource = memory.named(name);
      return resource;
    };
    run(resources, point);
    point.memory_per_rank = static_cast<std::int64_t>(memory.peak_bytes());
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
