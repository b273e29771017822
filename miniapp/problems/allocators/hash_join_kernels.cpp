// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/partitioned_table.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using Exec = allocators::HeapConfig::Exec;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

/// Threads that share a list of output pages: a warp of every GPU that there is so far. Nothing but speed
/// rests on it.
constexpr int threads_per_list = 32;

/// List is ThreadList or WarpList.
template <class Handle, class List, int threads_a_list>
struct Probe {
  Handle heap;
  PageShape shape;
  BucketChains::Finder find;
  const Tuple* tuples;
  std::uint32_t count;
  int threads;
  PageList* lists;
  std::uint64_t* failed;

  KOKKOS_FUNCTION void operator()(int thread) const {
    List list(heap, shape, &lists[thread / threads_a_list]);
    std::uint64_t lost = 0;
    // Neighbours have neighbouring tuples, which are of one partition.
    for (std::uint64_t i = static_cast<std::uint64_t>(thread); i < count;
         i += static_cast<std::uint64_t>(threads)) {
      const Tuple tuple = tuples[i];
      find(tuple.key, [&](const Tuple& match) {
        const bool kept = list.append({tuple.key, match.value, tuple.value});
        lost += kept ? 0 : 1;
        return kept;
      });
    }
    list.finish();
    if (lost > 0) Kokkos::atomic_add(failed, lost);
  }
};

template <class Handle>
struct FreePages {
  Handle heap;
  PageList* lists;
  KOKKOS_FUNCTION void operator()(int list) const {
    // As numbers: nvcc 13.0 stops in an internal check where typed pointers reach some allocators.
    for (std::uintptr_t page = lists[list].first; page != 0;) {
      const auto next = reinterpret_cast<std::uintptr_t>(reinterpret_cast<OutputPage*>(page)->next);
      heap.deallocate(reinterpret_cast<void*>(page));
      page = next;
    }
    lists[list].first = 0;
  }
};

template <class A>
class Runs {
  using Handle = typename A::Handle;

 public:
  Runs(const HashJoinSettings& settings, const HeapSetup& setup, const std::vector<Tuple>& build,
       const std::vector<Tuple>& probe, std::size_t max_rows)
      : settings_(settings),
        max_rows_(max_rows),
        exec_(setup.exec),
        memory_(setup.arrays),
        hash_(JoinHash::of(settings.tables.tuples)),
        heap_(exec_, heap_config(settings.allocator, setup.pool)),
        build_(exec_, memory_, hash_, build),
        probe_(exec_, memory_, hash_, probe),
        chains_(memory_, hash_, build_.size()),
        lists_(memory_, "join_lists", static_cast<std::size_t>(lists())),
        failed_(memory_, "join_failed", 1) {}

  HashJoinRuns run(const std::function<void(int)>& progress) {
    HashJoinRuns result;
    const auto run_once = [&](bool last) {
      HashJoinTimes times = join();
      check(result, last);
      times.free = give_back();
      return times;
    };
    repeat_runs(
        settings_, result, run_once, [](const HashJoinTimes& times) { return times.total() + times.free; },
        progress);
    return result;
  }

 private:
  int threads() const {
    return static_cast<int>((probe_.size() + static_cast<std::uint32_t>(settings_.per_thread) - 1) /
                            static_cast<std::uint32_t>(settings_.per_thread));
  }
  int lists() const {
    return settings_.warp_lists ? (threads() + threads_per_list - 1) / threads_per_list : threads();
  }
  JoinOutput output() const {
    return {lists_.view().data(), lists(), OutputPage::capacity_of(settings_.page_bytes())};
  }

  HashJoinTimes join() {
    Kokkos::deep_copy(exec_, lists_.view(), PageList{0});
    Kokkos::deep_copy(exec_, failed_.view(), std::uint64_t{0});
    HashJoinTimes times;
    times.partition = timer_([&] {
      build_.partition(exec_);
      probe_.partition(exec_);
    });
    times.build = timer_([&] { chains_.build(exec_, build_); });
    if (settings_.warp_lists)
      times.probe = probe<WarpList<Handle>, threads_per_list>();
    else
      times.probe = probe<ThreadList<Handle>, 1>();
    return times;
  }

  template <class List, int threads_a_list>
  double probe() {
    const PageShape shape = {settings_.page_bytes(), OutputPage::capacity_of(settings_.page_bytes())};
    const Probe<Handle, List, threads_a_list> kernel{
        heap_.handle(), shape,     chains_.finder(build_), probe_.tuples(),
        probe_.size(),  threads(), lists_.view().data(),   failed_.view().data()};
    return timer_([&] { Kokkos::parallel_for("haloheap::join_probe", Policy(exec_, 0, threads()), kernel); });
  }

  void check(HashJoinRuns& result, bool last) {
    const std::uint64_t failed = allocators::fetch(exec_, failed_.view().data(), 1).front();
    if (failed > 0)
      throw OutOfMemory(
          settings_.page_bytes(),
          fmt::format("{} rows of the join got no output page from '{}'", failed, settings_.allocator.name),
          "", "use a larger allocator.pool");
    const OutputSum sum = sum_of(exec_, output());
    result.sums.push_back(sum.join);
    result.pages = sum.pages;
    if (last && sum.join.rows <= max_rows_)
      result.rows = rows_of(exec_, output(), static_cast<std::size_t>(sum.join.rows));
  }

  double give_back() {
    if (!A::promises(settings_.allocator.config).frees) {
      heap_.reset(exec_);
      return 0;
    }
    return timer_([&] {
      Kokkos::parallel_for("haloheap::join_free", Policy(exec_, 0, lists()),
                           FreePages<Handle>{heap_.handle(), lists_.view().data()});
    });
  }

  const HashJoinSettings& settings_;
  std::size_t max_rows_;
  Exec exec_;
  std::shared_ptr<memory::MemoryResource> memory_;
  JoinHash hash_;
  A heap_;
  PartitionedTable build_, probe_;
  BucketChains chains_;
  memory::Array<PageList> lists_;
  memory::Array<std::uint64_t> failed_;
  KernelTimer timer_{exec_};
};

}  // namespace

std::size_t hash_join_array_bytes(const HashJoinSettings& settings) {
  // Both tables, twice; chains, lists and buckets.
  const std::size_t tuples = settings.tables.tuples;
  return tuples * (4 * sizeof(Tuple) + sizeof(std::uint32_t) + sizeof(PageList)) +
         JoinHash::of(settings.tables.tuples).buckets() * sizeof(std::uint32_t);
}

HashJoinRuns run_hash_join(const HashJoinSettings& settings, const HeapSetup& setup,
                           const std::vector<Tuple>& build, const std::vector<Tuple>& probe,
                           std::size_t max_rows, const std::function<void(int)>& progress) {
  HashJoinRuns result;
  allocators::choose_allocator<allocators::DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    result = Runs<A>(settings, setup, build, probe, max_rows).run(progress);
  });
  return result;
}

}  // namespace haloheap
