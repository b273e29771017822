// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>
#include <haloheap/miniapp/problems/allocators/work_generation_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/work_pieces.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using Exec = allocators::HeapConfig::Exec;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

constexpr std::size_t bytes_of(std::uint32_t elements) {
  return std::size_t{elements} * WorkSettings::element_bytes;
}

/// What goes wrong in kernels.
struct WorkCounts {
  std::uint64_t missing, wrong;
};

/// Each thread's piece, as a number: nvcc 13.0 stops in an internal check where typed pointers reach some
/// allocators.
using Piece = std::uintptr_t;

template <class Handle>
struct GeneratePieces {
  Handle heap;
  RequestSizes elements;
  Piece* pieces;
  WorkCounts* counts;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto thread = static_cast<std::uint32_t>(i);
    const std::uint32_t count = elements.of(thread);
    void* const piece = heap.allocate(std::size_t{count} * WorkSettings::element_bytes);
    pieces[i] = reinterpret_cast<Piece>(piece);
    if (piece != nullptr)
      work_pieces::write(static_cast<std::uint32_t*>(piece), thread, count);
    else
      Kokkos::atomic_inc(&counts->missing);
  }
};

template <class Handle>
struct ConsumePieces {
  Handle heap;
  RequestSizes elements;
  const Piece* pieces;
  WorkCounts* counts;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (pieces[i] == 0) return;
    const auto thread = static_cast<std::uint32_t>(i);
    if (!work_pieces::is_right(reinterpret_cast<const std::uint32_t*>(pieces[i]), thread,
                               elements.of(thread)))
      Kokkos::atomic_inc(&counts->wrong);
    heap.deallocate(reinterpret_cast<void*>(pieces[i]));
  }
};

// Without a heap.
struct CountElements {
  RequestSizes elements;
  std::uint64_t* places;
  KOKKOS_FUNCTION void operator()(int i) const { places[i] = elements.of(static_cast<std::uint32_t>(i)); }
};

struct SumElements {
  std::uint64_t* places;
  KOKKOS_FUNCTION void operator()(int i, std::uint64_t& sum, bool last) const {
    const std::uint64_t count = places[i];
    if (last) places[i] = sum;
    sum += count;
  }
};

struct FillPieces {
  RequestSizes elements;
  const std::uint64_t* places;
  std::uint32_t* packed;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto thread = static_cast<std::uint32_t>(i);
    work_pieces::write(packed + places[i], thread, elements.of(thread));
  }
};

struct ReadPieces {
  RequestSizes elements;
  const std::uint64_t* places;
  const std::uint32_t* packed;
  WorkCounts* counts;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto thread = static_cast<std::uint32_t>(i);
    if (!work_pieces::is_right(packed + places[i], thread, elements.of(thread)))
      Kokkos::atomic_inc(&counts->wrong);
  }
};

template <class A>
class WorkMeasurement {
  using Handle = typename A::Handle;

 public:
  WorkMeasurement(const WorkSettings& settings, const HeapSetup& setup)
      : settings_(settings),
        exec_(setup.exec),
        memory_(setup.arrays),
        heap_(exec_, heap_config(settings.allocator, setup.pool)),
        pieces_(memory_, "haloheap::work::pieces", threads()),
        places_(memory_, "haloheap::work::places", threads()),
        counts_(memory_, "haloheap::work::counts", 1) {}

  WorkRuns run(const std::function<void(int)>& progress) {
    WorkRuns result;
    const auto run_once = [&](bool last) {
      Kokkos::deep_copy(exec_, counts_.view(), WorkCounts{0, 0});
      WorkTimes times;
      with_heap(times, last ? &result : nullptr);
      without(times, result);
      result.wrong += counts().wrong;
      result.pieces += 2 * threads();
      return times;
    };
    repeat_runs(
        settings_, result, run_once,
        [](const WorkTimes& times) { return times.with_heap() + times.without(); }, progress);
    return result;
  }

 private:
  std::size_t threads() const { return static_cast<std::size_t>(settings_.threads); }
  Policy policy() const { return Policy(exec_, 0, settings_.threads); }
  WorkCounts counts() const { return allocators::fetch(exec_, counts_.view().data(), 1).front(); }

  /// @param result gets what the heap held; null: it is not looked at
  void with_heap(WorkTimes& times, WorkRuns* result) {
    const Handle heap = heap_.handle();
    Piece* const pieces = pieces_.view().data();
    times.generate = timer_([&] {
      Kokkos::parallel_for("haloheap::work::generate", policy(),
                           GeneratePieces<Handle>{heap, settings_.elements, pieces, counts_.view().data()});
    });
    if (result != nullptr && settings_.allocator.promises.resets)
      result->in_use = heap_.statistics(exec_).in_use;
    times.consume = timer_([&] {
      Kokkos::parallel_for("haloheap::work::consume", policy(),
                           ConsumePieces<Handle>{heap, settings_.elements, pieces, counts_.view().data()});
    });
    if (!settings_.allocator.promises.frees) heap_.reset(exec_);
    require_pieces(counts().missing);
  }

  void require_pieces(std::uint64_t missing) const {
    if (missing == 0) return;
    throw OutOfMemory(bytes_of(settings_.elements.largest),
                      fmt::format("{} of {} threads got no piece from '{}'", missing, settings_.threads,
                                  settings_.allocator.name),
                      "", "use a larger allocator.pool");
  }

  void without(WorkTimes& times, WorkRuns& result) {
    std::uint64_t* const places = places_.view().data();
    const RequestSizes& elements = settings_.elements;
    std::uint64_t all = 0;
    times.sum = timer_([&] {
      Kokkos::parallel_for("haloheap::work::count", policy(), CountElements{elements, places});
      Kokkos::parallel_scan("haloheap::work::sum", policy(), SumElements{places}, all);
    });
    result.bytes = all * WorkSettings::element_bytes;
    std::optional<memory::Array<std::uint32_t>> packed;
    times.allocate =
        timer_([&] { packed.emplace(memory_, "haloheap::work::packed", static_cast<std::size_t>(all)); });
    std::uint32_t* const first = packed->view().data();
    times.fill = timer_([&] {
      Kokkos::parallel_for("haloheap::work::fill", policy(), FillPieces{elements, places, first});
    });
    times.read = timer_([&] {
      Kokkos::parallel_for("haloheap::work::read", policy(),
                           ReadPieces{elements, places, first, counts_.view().data()});
      packed.reset();
    });
  }

  const WorkSettings& settings_;
  Exec exec_;
  std::shared_ptr<memory::MemoryResource> memory_;
  A heap_;
  memory::Array<Piece> pieces_;
  memory::Array<std::uint64_t> places_;
  memory::Array<WorkCounts> counts_;
  KernelTimer timer_{exec_};
};

}  // namespace

std::size_t work_array_bytes(const WorkSettings& settings) {
  return static_cast<std::size_t>(settings.threads) * (sizeof(Piece) + sizeof(std::uint64_t)) +
         sizeof(WorkCounts) + settings.largest_bytes();
}

WorkRuns run_work_generation(const WorkSettings& settings, const HeapSetup& setup,
                             const std::function<void(int)>& progress) {
  WorkRuns result;
  allocators::choose_allocator<allocators::DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    result = WorkMeasurement<A>(settings, setup).run(progress);
  });
  return result;
}

}  // namespace haloheap
