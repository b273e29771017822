// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A program without MPI. Kernels take memory of a heap, as README.md shows; vectors are used on all devices;
// and an array goes through the device, as docs/guide/transfers.md does.
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/transfer/device_streams.hpp>
#include <haloheap/core/transfer/pipeline.hpp>

#include <Kokkos_Core.hpp>

// As README.md and docs/guide/coherence.md show it.
bool vectors_on_all_devices(haloheap::coherence::ElementIndex n) {
  using namespace haloheap::coherence;
  Context context;
  Vector<double> x(context, "x", n), y(context, "y", n);
  x.fill(1);
  y.fill(2);
  map(
      all_devices, "axpy", y, KOKKOS_LAMBDA(double a, double b) { return 3 * a + b; }, x, y);
  y[7] += 1;
  const double dot = map_reduce<double>(
      all_devices, "dot", Sum<double>{}, KOKKOS_LAMBDA(double a, double b) { return a * b; }, x, y);
  return dot == 5.0 * static_cast<double>(n) + 1;
}

bool lists_in_a_heap(int n) {
  const Kokkos::DefaultExecutionSpace exec;
  const Kokkos::View<haloheap::allocators::HeapView<double>*> lists("lists", n);
  int wrong = 0;
  const haloheap::allocators::SlabWalk heap(exec, {.bytes = std::size_t{64} << 20, .label = "lists"});
  const auto memory = heap.handle();
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        const auto list = memory.view<double>(i % 100);
        for (std::size_t k = 0; k < list.extent(0); ++k) list(k) = i;
        lists(i) = list;
      });
  Kokkos::parallel_reduce(
      "free", n,
      KOKKOS_LAMBDA(int i, int& sum) {
        const auto list = lists(i);
        if (list.extent(0) != static_cast<std::size_t>(i % 100)) ++sum;
        for (std::size_t k = 0; k < list.extent(0); ++k) sum += list(k) == i ? 0 : 1;
        memory.deallocate(list.data());
      },
      wrong);
  return wrong == 0 && heap.statistics(exec).in_use == 0;
}

bool array_through_the_device(std::size_t n) {
  using namespace haloheap::transfer;
  Pipeline pipeline(make_device_streams(8), make_mode("pinned"), Schedule::breadth_first, n);
  const auto a = pipeline.operand<float>("a", Intent::in_out);
  for (std::size_t i = 0; i < n; ++i) *a.host(i) = static_cast<float>(i % 10);
  pipeline.set_kernel([=](const haloheap::backend::Exec& exec, const Chunk& chunk) {
    const auto rows = a.device();
    Kokkos::parallel_for(
        "add", Kokkos::RangePolicy(exec, chunk.begin, chunk.end),
        KOKKOS_LAMBDA(std::size_t i) { *rows(i) += 1; });
  });
  const double seconds = pipeline.run();
  for (std::size_t i = 0; i < n; ++i)
    if (*a.host(i) != static_cast<float>(i % 10 + 1)) return false;
  return seconds > 0;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return lists_in_a_heap(1000) && vectors_on_all_devices(1000) && array_through_the_device(1001) ? 0 : 1;
}
