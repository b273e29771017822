// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_RUNS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_RUNS_HPP

#include <haloheap/allocators/fetch.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/device_clock.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/kernel_timer.hpp>
#include <haloheap/miniapp/problems/allocators/repeat_runs.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

/// The kernel of problem collectives, and its runs with a heap of one type.
namespace haloheap::collectives_kernels {

using Exec = allocators::HeapConfig::Exec;
using TeamPolicy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;

/// Ticks of one rank, and how many of its results are wrong.
struct Record {
  std::uint64_t allocate, collective, free;
  std::uint32_t wrong, checked;
};

/// What rank `source` has for rank `target`, at place i: exact, and so are sums over the ranks.
KOKKOS_INLINE_FUNCTION double value(unsigned source, unsigned target, unsigned i) {
  return static_cast<double>(source) * 65536 + static_cast<double>(target) * 3 + static_cast<double>(i);
}

template <class Handle>
struct RunRanks {
  using Member = typename TeamPolicy::member_type;

  RankCollectives<Handle> shape;  ///< of rank 0
  Collective operation;
  CollectiveMethod method;
  int operations;
  Record* records;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int rank = member.league_rank() * member.team_size() + member.team_rank();
    RankCollectives<Handle> collectives = shape;
    collectives.rank = static_cast<unsigned>(rank);
    records[rank] = run(collectives, member);
  }

 private:
  KOKKOS_FUNCTION unsigned parts() const { return operation == Collective::alltoall ? shape.ranks : 1; }

  /// All ranks of a team make the same allocations, also those that have given up: they make them together.
  KOKKOS_FUNCTION Record run(const RankCollectives<Handle>& collectives, const Member& member) const {
    const unsigned length = parts() * shape.n;
    const std::uint64_t start = backend::ticks();
    double* const from = collectives.messages.allocate_together(member, length);
    double* const to = collectives.messages.allocate_together(member, length);
    const std::uint64_t allocated = backend::ticks();
    Record record{allocated - start, 0, 0, 1, 1};
    if (from != nullptr && to != nullptr) fill(collectives.rank, from);
    repeat(collectives, member, from, to, record);
    const std::uint64_t used = backend::ticks();
    collectives.messages.deallocate(from);
    collectives.messages.deallocate(to);
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
      if (together) buffer = collectives.messages.allocate_together(member, parts() * shape.n);
      done = done && (!together || buffer != nullptr) && collectives.run(operation, from, to, buffer);
      if (together) collectives.messages.deallocate(buffer);
      record.collective = backend::ticks() - begin;
    }
    if (done) check(collectives.rank, to, record);
  }

  KOKKOS_FUNCTION void fill(unsigned rank, double* from) const {
    for (unsigned part = 0; part < parts(); ++part)
      for (unsigned i = 0; i < shape.n; ++i) from[std::size_t{part} * shape.n + i] = value(rank, part, i);
  }

  KOKKOS_FUNCTION double expected(unsigned rank, unsigned part, unsigned i) const {
    if (operation == Collective::alltoall) return value(part, rank, i);
    if (operation == Collective::broadcast) return value(0, 0, i);
    double sum = 0;
    for (unsigned source = 0; source < shape.ranks; ++source) sum += value(source, 0, i);
    return sum;
  }

  KOKKOS_FUNCTION void check(unsigned rank, const double* to, Record& record) const {
    record.wrong = record.checked = 0;
    if (operation == Collective::reduce && rank != 0) return;
    for (unsigned part = 0; part < parts(); ++part)
      for (unsigned i = 0; i < shape.n; ++i) {
        ++record.checked;
        record.wrong += to[std::size_t{part} * shape.n + i] != expected(rank, part, i) ? 1 : 0;
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
  using Handle = typename A::Handle;

 public:
  Runs(const CollectivesSettings& settings, const HeapPlace& place)
      : settings_(settings),
        exec_(place.exec),
        ranks_(static_cast<std::size_t>(settings.ranks())),
        heap_(exec_, heap_config(settings.allocator, place.pool)),
        mailboxes_(place.arrays, "collectives_mailboxes", mailboxes_of(settings.operation, ranks_)),
        given_up_(place.arrays, "collectives_given_up", 1),
        records_(place.arrays, "collectives_records", ranks_),
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
    Kokkos::deep_copy(exec_, mailboxes_.view(), Mailbox{nullptr});
    Kokkos::deep_copy(exec_, given_up_.view(), 0);
    const RankMessages<Handle> messages(heap_.handle(), mailboxes_.view().data(), given_up_.view().data(),
                                        static_cast<std::uint64_t>(1e9 * settings_.timeout));
    const RunRanks<Handle> kernel{
        {messages, 0, static_cast<unsigned>(ranks_), static_cast<unsigned>(settings_.doubles)},
        settings_.operation,
        settings_.method,
        settings_.operations(),
        records_.view().data()};
    CollectivesTimes times;
    times.kernel = timer_([&] { launch(kernel); });
    const std::vector<Record> records = allocators::fetch(exec_, records_.view().data(), ranks_);
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
  /// Ranks wait for each other: on a host each is a thread of its own and a team of one, and there are as
  /// many threads.
  void launch(const RunRanks<Handle>& kernel) {
    const int blocks = backend::kernels_on_host ? settings_.ranks() : settings_.blocks;
    const int threads = backend::kernels_on_host ? 1 : settings_.threads;
    Kokkos::parallel_for("haloheap::collectives", TeamPolicy(exec_, blocks, threads).set_chunk_size(1),
                         kernel);
  }

  void require_done() {
    const auto reason = static_cast<GivenUp>(allocators::fetch(exec_, given_up_.view().data(), 1).front());
    if (reason == GivenUp::no_memory)
      throw OutOfMemory(settings_.buffer_bytes(),
                        fmt::format("a rank got no memory from '{}'", settings_.allocator.name),
                        "all ranks of the kernel gave up", "use a larger allocator.pool");
    if (reason == GivenUp::timeout)
      throw CommunicationError(
          fmt::format("a rank of the kernel waited longer than {} s for another", settings_.timeout),
          "all ranks of the kernel gave up", "use a larger collectives.timeout if the allocator is so slow");
  }

  const CollectivesSettings& settings_;
  Exec exec_;
  std::size_t ranks_;
  A heap_;
  memory::Array<Mailbox> mailboxes_;
  memory::Array<int> given_up_;
  memory::Array<Record> records_;
  double seconds_per_tick_;
  KernelTimer timer_{exec_};
};

}  // namespace haloheap::collectives_kernels

#endif
