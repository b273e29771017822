// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of Kokkos that allocate.
#include <Kokkos_Core.hpp>

#include <cstdlib>

struct Heap {
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const;
  KOKKOS_FUNCTION void deallocate(void* pointer) const;
};

void ranges(const Kokkos::View<int**>& counts, const Kokkos::View<int**>& out, Heap heap, int n, int length) {
  Kokkos::parallel_for(
      "in a range", n, KOKKOS_LAMBDA(int i) {
        int* const p =
            static_cast<int*>(std::malloc(length * sizeof(int)));  // who=guarded same=grid freed advice=warp
        p[0] = i;
        out(i, 0) = p[0];
        std::free(p);
      });
  Kokkos::parallel_for(
      "of a handle", Kokkos::RangePolicy(0, n), KOKKOS_LAMBDA(int i) {
        auto* const p = static_cast<int*>(
            heap.allocate(counts(i, 0) * sizeof(int)));  // who=guarded same=thread freed advice=warp
        p[0] = i;
        heap.deallocate(p);
      });
  Kokkos::parallel_for(
      "some", n, KOKKOS_LAMBDA(int i) {
        if (counts(i, 0) > 3) std::free(std::malloc(16));  // who=part same=grid bytes=16 freed advice=local
      });
  int sum = 0;
  Kokkos::parallel_reduce(
      "a sum", n,
      KOKKOS_LAMBDA(int i, int& part) {
        int* const p = new int[8];  // who=guarded same=grid bytes=32 freed advice=local
        p[i % 8] = i;
        part += p[0];
        delete[] p;
      },
      sum);
}

void teams(const Kokkos::View<int*>& counts, int n) {
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::parallel_for(
      "of teams", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(const Policy::member_type& member) {
        int* const all = new int[counts(member.league_rank())];  // who=grid same=block freed advice=block
        all[0] = 1;
        delete[] all;
        if (member.team_rank() == 0) delete new int;  // who=one same=grid bytes=4 freed advice=local
        Kokkos::single(Kokkos::PerTeam(member), [&]() {
          delete new int;  // who=one same=grid bytes=4 freed advice=local
        });
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, counts(0)), [&](int k) {
          delete[] new int[k];  // who=part same=thread freed advice=each
        });
      });
}

struct Functor {
  int** out;
  int length;
  KOKKOS_FUNCTION void operator()(int i) const {
    out[i] = new int[length];  // who=guarded same=grid escapes advice=warp
  }
};

void functors(int** out, int n) {
  Kokkos::parallel_for("functor", n, Functor{out, n});
}
