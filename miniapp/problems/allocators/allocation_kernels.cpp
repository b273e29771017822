// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/coalescing/ask_alike.hpp>
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/backend/clock.hpp>
#include <haloheap/core/backend/device_clock.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/allocation_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace haloheap {
namespace {

using Exec = allocators::HeapConfig::Exec;
using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;
using Member = Policy::member_type;

/// Ticks of one thread, and what it computed.
struct Record {
  std::uint64_t allocate, work, free;
  float result;
  int served;
};

template <class Handle>
struct AllocateWorkFree {
  Handle heap;
  Workload work;
  Record* records;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto thread = static_cast<unsigned>(member.league_rank() * member.team_size() + member.team_rank());
    const std::uint64_t start = backend::ticks();
    auto* const data = static_cast<float*>(
        allocators::ask_alike(heap, member, static_cast<std::size_t>(work.n) * sizeof(float)));
    const std::uint64_t allocated = backend::ticks();
    if (data == nullptr) {
      records[thread] = {allocated - start, 0, 0, 0, 0};
      return;
    }
    for (int i = 0; i < work.n; ++i) data[i] = static_cast<float>(i);
    const std::uint64_t begin = backend::ticks();
    data[0] = work(data, thread);
    const std::uint64_t end = backend::ticks();
    const float result = data[0];
    const std::uint64_t used = backend::ticks();
    heap.deallocate(data);
    const std::uint64_t freed = backend::ticks();
    records[thread] = {allocated - start, end - begin, freed - used, result, 1};
  }
};

/// The largest team that the device can have and that divides a block.
template <class Functor>
int largest_team(const Functor& functor, int threads) {
  int team = std::min(threads, Policy(1, 1).team_size_max(functor, Kokkos::ParallelForTag()));
  while (threads % team != 0) --team;
  return team;
}

std::vector<float> expected_results(const AllocationSettings& settings) {
  std::vector<float> data(static_cast<std::size_t>(settings.work.n));
  std::iota(data.begin(), data.end(), 0.0F);
  std::vector<float> results(settings.total_threads(), settings.work(data.data(), 0));
  if (settings.work.work == AllocationWork::gather)
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = settings.work(data.data(), static_cast<unsigned>(i));
  return results;
}

void require_all_served(const AllocationSettings& settings, const std::vector<Record>& records) {
  const auto unserved =
      std::count_if(records.begin(), records.end(), [](const Record& r) { return r.served == 0; });
  if (unserved == 0) return;
  throw OutOfMemory(settings.bytes(),
                    fmt::format("{} of {} threads got no {} bytes from '{}'", unserved, records.size(),
                                settings.bytes(), settings.allocator.name),
                    "", "use a larger allocator.pool, or fewer floats, blocks or threads");
}

AllocationTimes mean_over_threads(const std::vector<Record>& records, double seconds_per_tick) {
  AllocationTimes times;
  for (const Record& record : records) {
    times.allocate += static_cast<double>(record.allocate);
    times.work += static_cast<double>(record.work);
    times.free += static_cast<double>(record.free);
  }
  const double factor = seconds_per_tick / static_cast<double>(records.size());
  times.allocate *= factor;
  times.work *= factor;
  times.free *= factor;
  return times;
}

template <class A>
class Runs {
 public:
  Runs(const AllocationSettings& settings, const HeapSetup& setup)
      : settings_(settings),
        exec_(setup.exec),
        heap_(exec_, heap_config(settings.allocator, setup.pool)),
        records_(setup.arrays, "allocation_records", settings.total_threads()),
        expected_(expected_results(settings)),
        seconds_per_tick_(backend::seconds_per_tick(exec_)) {}

  AllocationRuns run(const std::function<void(int)>& progress) {
    AllocationRuns result;
    result.at_once = std::min(settings_.total_threads(), static_cast<std::size_t>(exec_.concurrency()));
    repeat_runs(
        settings_, result, [&](bool /*last*/) { return run_once(result); },
        [](const AllocationTimes& times) { return times.kernel; }, progress);
    return result;
  }

 private:
  AllocationTimes run_once(AllocationRuns& result) {
    const AllocateWorkFree<typename A::Handle> kernel{heap_.handle(), settings_.work, records_.view().data()};
    const auto threads = static_cast<int>(settings_.total_threads());
    result.team_size = largest_team(kernel, settings_.threads);
    const double seconds = timer_([&] {
      Kokkos::parallel_for("haloheap::allocation",
                           Policy(exec_, threads / result.team_size, result.team_size), kernel);
    });
    const std::vector<Record> records = allocators::fetch(exec_, records_.view().data(), records_.size());
    if (!A::promises(settings_.allocator.config).frees) heap_.reset(exec_);
    require_all_served(settings_, records);
    for (std::size_t i = 0; i < records.size(); ++i)
      result.wrong += records[i].result != expected_[i] ? 1 : 0;
    AllocationTimes times = mean_over_threads(records, seconds_per_tick_);
    times.kernel = seconds;
    return times;
  }

  const AllocationSettings& settings_;
  Exec exec_;
  A heap_;
  memory::Array<Record> records_;
  std::vector<float> expected_;
  double seconds_per_tick_;
  KernelTimer timer_{exec_};
};

}  // namespace

std::size_t allocation_array_bytes(const AllocationSettings& settings) {
  return settings.total_threads() * sizeof(Record);
}

AllocationRuns run_allocation(const AllocationSettings& settings, const HeapSetup& setup,
                              const std::function<void(int)>& progress) {
  AllocationRuns result;
  allocators::choose_allocator<allocators::AllAllocators>(
      settings.allocator.name, [&]<class A>() { result = Runs<A>(settings, setup).run(progress); });
  return result;
}

}  // namespace haloheap
