// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Threads of one kernel as ranks, which add up what each has found and tell all of it.
#include <haloheap/allocators/ranks/kernel_ranks.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

using namespace haloheap;

/// @returns how far away from pi each rank's idea of it is at most
double error_of_pi(int intervals) {
  const Kokkos::DefaultExecutionSpace exec;
  const allocators::SlabWalk heap(exec, {.bytes = std::size_t{16} << 20, .label = "messages"});
  const auto concurrency = static_cast<unsigned>(exec.concurrency());
  const unsigned count = concurrency < 64 ? concurrency : 64;  // all run at once
  const allocators::KernelRanks ranks(exec, memory::make_memory_resource("device"), heap, count);
  const auto world = ranks.in_kernel();  // small, copied by value
  const Kokkos::View<double*> results("results", count);
  using Policy = decltype(ranks)::Policy;
  Kokkos::parallel_for(
      "pi", ranks.policy(exec, count % 32 == 0 ? 32 : 1), KOKKOS_LAMBDA(const Policy::member_type& member) {
        const auto me = world.of(allocators::rank_of(member));
        double part = 0, sum = 0;
        for (int i = static_cast<int>(me.rank()); i < intervals; i += static_cast<int>(me.size())) {
          const double x = (i + 0.5) / intervals;
          part += 4 / (1 + x * x) / intervals;
        }
        me.run(allocators::Collective::reduce, member, &part, &sum, 1);     // to rank 0
        me.run(allocators::Collective::broadcast, member, &sum, &part, 1);  // and back to all
        results(me.rank()) = part;
      });
  ranks.require_done(exec);
  std::printf("%u ranks\n", count);
  double error = 0;
  Kokkos::parallel_reduce(
      "error", count,
      KOKKOS_LAMBDA(int i, double& max) {
        max = Kokkos::max(max, Kokkos::abs(results(i) - 3.14159265358979324));
      },
      Kokkos::Max<double>(error));
  return error;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const double error = error_of_pi(100000);
  std::printf("pi to within %.1e\n", error);
  return error < 1e-9 ? 0 : 1;
}
