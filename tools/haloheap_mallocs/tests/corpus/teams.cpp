// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Listing 1 of [Blach2022] with teams of Kokkos and a handle, and kernels that must not be rewritten.
#include <Kokkos_Core.hpp>

#include <cstdlib>

struct Heap {
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return std::malloc(bytes); }
  KOKKOS_FUNCTION void deallocate(void* pointer) const { std::free(pointer); }
};
using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

KOKKOS_FUNCTION void f(const Heap& heap, const Member& member) {
  void* ptr = heap.allocate(sizeof(int));  // who=part same=grid bytes=4 freed
  heap.deallocate(ptr);
}

void all(Heap heap, int n) {
  Kokkos::parallel_for(
      "all", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(const Member& member) {
        void* ptr = heap.allocate(n * sizeof(int));  // who=grid same=grid freed
        f(heap, member);
        heap.deallocate(ptr);
        if (member.team_rank() < 4) {
          void* ptr2 = heap.allocate(sizeof(int));  // who=part same=grid bytes=4 freed
          f(heap, member);
          heap.deallocate(ptr2);
        }
      });
}

void either(Heap a, Heap b, int n) {
  Kokkos::parallel_for(
      "either", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(const Member& member) {
        const Heap heap = member.team_rank() % 2 == 0 ? a : b;
        void* ptr = heap.allocate(16);  // who=grid same=grid bytes=16 freed
        heap.deallocate(ptr);
      });
}

struct Functor {
  Heap heap;
  int n;
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    void* ptr = heap.allocate(n);  // who=grid same=grid freed
    helper(member);
    heap.deallocate(ptr);
  }
  KOKKOS_FUNCTION void helper(const Member& member) const {
    heap.deallocate(heap.allocate(20));  // who=grid same=grid bytes=20 freed
    f(heap, member);
  }
};

void functors(Heap heap, int n) {
  Kokkos::parallel_for("functor", Kokkos::TeamPolicy<>(n, Kokkos::AUTO), Functor{heap, n});
}

void lanes(Heap heap, int n) {
  Kokkos::parallel_for(
      "lanes", Policy(n, Kokkos::AUTO, 4), KOKKOS_LAMBDA(const Member& member) {
        void* ptr = heap.allocate(8);  // who=grid same=grid bytes=8 freed
        Kokkos::single(Kokkos::PerThread(member), [&]() { heap.deallocate(ptr); });
      });
}

void ranges(Heap heap, int n) {
  Kokkos::parallel_for(
      "ranges", n, KOKKOS_LAMBDA(int i) {
        void* ptr = heap.allocate(12);  // who=guarded same=grid bytes=12 freed
        if (i >= 0) heap.deallocate(ptr);
      });
}

template <class T>
KOKKOS_FUNCTION void of_any_type(const Heap& heap, const Member& member, int n) {
  void* ptr = heap.allocate(n * sizeof(T));  // who=part same=grid freed ways=grid,one,part
  heap.deallocate(ptr);
}

namespace solver {
template <class T>
struct Step {
  Heap heap;
  int n;
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    void* ptr = heap.allocate(32);  // who=grid same=grid bytes=32 freed
    of_any_type<double>(heap, member, n);
    if (member.team_rank() == 0) of_any_type<float>(heap, member, n);
    heap.deallocate(ptr);
  }
};
}  // namespace solver

void templates(Heap heap, int n) {
  Kokkos::parallel_for(
      "templates", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(const Member& member) {
        of_any_type<double>(heap, member, n);
        if (member.team_rank() < 4) of_any_type<float>(heap, member, n);
      });
  Kokkos::parallel_for("steps", Policy(n, Kokkos::AUTO), solver::Step<int>{heap, n});
}
