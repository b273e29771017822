// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_RUNS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_RUNS_HPP

#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/ranks/kernel_ranks.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/device_clock.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

/// The kernel of problem collectives, and its runs with a heap of one type.
namespace haloheap::collectives_kernels {

using Exec = allocators::HeapConfig::Exec;
using allocators::RankCollectives;

/// Ticks of one rank, and how many of its results are wrong.
struct Record {
  std::uint64_t allocate, collective, free;
  std::uint32_t wrong, checked;
};

/// What rank `source` has for rank `target`, at place i: exact, and so are sums over the ranks.
KOKKOS_INLINE_FUNCTION double value(unsigned source, unsigned target, unsigned i) {
  return static_cast<double>(source) * 65536 + static_cast<double>(target) * 3 + static_cast<double>(i);
}

template <class Heap>
struct RunRanks {
  using Handle = typename Heap::Handle;
  using Member = typename allocators::KernelRanks<Heap>::Policy::member_type;

  RankCollectives<Handle> world;
  unsigned n;
  Collective operation;
  CollectiveMethod method;
  int operations;
  Record* records;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const unsigned rank = allocators::rank_of(member);
    records[rank] = run(world.of(rank), member);
  }

 private:
  KOKKOS_FUNCTION unsigned parts() const { return world.parts(operation); }

  /// All ranks of a team make the same allocations, also those that have given up: they make them together.
  KOKKOS_FUNCTION Record run(const RankCollectives<Handle>& collectives, const Member& member) const {
    const unsigned length = parts() * n;
    const std::uint64_t start = backend::ticks();
    double* const from = collectives.messages().template allocate_together<double>(member, length);
    double* const to = collectives.messages().template allocate_together<double>(member, length);
    const std::uint64_t allocated = backend::ticks();
    Record record{allocated - start, 0, 0, 1, 1};
    if (from != nullptr && to != nullptr) fill(collectives.rank(), from);
    repeat(collectives, member, from, to, record);
    const std::uint64_t used = backend::ticks();
    collectives.messages().deallocate(from);
    collectives.messages().deallocate(to);
    record.free = backend::ticks() - used;
    return record;
  }

  /// A loop, and not several calls: the code of the allocator is in there.
  KOKKOS_FUNCTION void repeat(const RankCollectives<Handle>& collectives, const Member& member,
                              const double* from, double* to, Record& record) const {
    const bool together = method == CollectiveMethod::collective;
    bool done = from != nullptr && to != nullptr;
    for (int i = 0; i < operations; ++i) {
      const std::uint64_t begin = backend::ticks();
      double* buffer = nullptr;
      if (together) buffer = collectives.messages().template allocate_together<double>(member, parts() * n);
      done = done && (!together || buffer != nullptr) && collectives.run(operation, from, to, n, buffer);
      if (together) collectives.messages().deallocate(buffer);
      record.collective = backend::ticks() - begin;
    }
    if (done) check(collectives.rank(), to, record);
  }

  KOKKOS_FUNCTION void fill(unsigned rank, double* from) const {
    for (unsigned part = 0; part < parts(); ++part)
      for (unsigned i = 0; i < n; ++i) from[std::size_t{part} * n + i] = value(rank, part, i);
  }

  KOKKOS_FUNCTION double expected(unsigned rank, unsigned part, unsigned i) const {
    if (operation == Collective::alltoall) return value(part, rank, i);
    if (operation == Collective::broadcast) return value(0, 0, i);
    double sum = 0;
    for (unsigned source = 0; source < world.size(); ++source) sum += value(source, 0, i);
    return sum;
  }

  KOKKOS_FUNCTION void check(unsigned rank, const double* to, Record& record) const {
    record.wrong = record.checked = 0;
    if (operation == Collective::reduce && rank != 0) return;
    for (unsigned part = 0; part < parts(); ++part)
      for (unsigned i = 0; i < n; ++i) {
        ++record.checked;
        record.wrong += to[std::size_t{part} * n + i] != expected(rank, part, i) ? 1 : 0;
      }
  }
};

inline double median(const std::vector<Record>& records, std::uint64_t Record::*member,
                     double seconds_per_tick) {
  std::vector<double> values;
  for (const Record& record : records)
    values.push_back(seconds_per_tick * static_cast<double>(record.*member));
  return report::percentile(std::move(values), 50);
}

template <class A>
class Runs {
 public:
  Runs(const CollectivesSettings& settings, const HeapSetup& setup)
      : settings_(settings),
        exec_(setup.exec),
        heap_(exec_, heap_config(settings.allocator, setup.pool)),
        ranks_(exec_, setup.arrays, heap_, static_cast<unsigned>(settings.ranks()), {settings.operation},
               settings.timeout),
        records_(setup.arrays, "collectives_records", ranks_.size()),
        seconds_per_tick_(backend::seconds_per_tick(exec_)) {}

  CollectivesRuns run(const std::function<void(int)>& progress) {
    CollectivesRuns result;
    result.requests = settings_.requests();
    repeat_runs(
        settings_, result, [&](bool /*last*/) { return run_once(result); },
        [](const CollectivesTimes& times) { return times.kernel; }, progress);
    return result;
  }

  const A& heap() const { return heap_; }

  CollectivesTimes run_once(CollectivesRuns& result) {
    const RunRanks<A> kernel{ranks_.in_kernel(),     static_cast<unsigned>(settings_.doubles),
                             settings_.operation,    settings_.method,
                             settings_.operations(), records_.view().data()};
    CollectivesTimes times;
    times.kernel = timer_([&] { launch(kernel); });
    const std::vector<Record> records = allocators::fetch(exec_, records_.view().data(), ranks_.size());
    require_done();
    for (const Record& record : records) {
      result.wrong += record.wrong;
      result.checked += record.checked;
    }
    if (!A::promises(settings_.allocator.config).frees) heap_.reset(exec_);
    times.collective = median(records, &Record::collective, seconds_per_tick_);
    times.allocate = median(records, &Record::allocate, seconds_per_tick_);
    times.free = median(records, &Record::free, seconds_per_tick_);
    return times;
  }

 private:
  void launch(const RunRanks<A>& kernel) {
    const auto threads = static_cast<unsigned>(settings_.threads);
    Kokkos::parallel_for("haloheap::collectives", ranks_.policy(exec_, threads), kernel);
  }

  void require_done() {
    using allocators::GivenUp;
    const GivenUp reason = ranks_.given_up(exec_);
    if (reason == GivenUp::no_memory)
      throw OutOfMemory(settings_.buffer_bytes(),
                        fmt::format("a rank got no memory from '{}'", settings_.allocator.name),
                        "all ranks of the kernel gave up", "use a larger allocator.pool");
    if (reason == GivenUp::timeout)
      throw CommunicationError(
          fmt::format("a rank of the kernel waited longer than {} s for another", settings_.timeout),
          "all ranks of the kernel gave up", "use a larger collectives.timeout if the allocator is so slow");
    allocators::detail::require_done(reason, settings_.timeout);
  }

  const CollectivesSettings& settings_;
  Exec exec_;
  A heap_;
  allocators::KernelRanks<A> ranks_;
  memory::Array<Record> records_;
  double seconds_per_tick_;
  KernelTimer timer_{exec_};
};

}  // namespace haloheap::collectives_kernels

#endif
