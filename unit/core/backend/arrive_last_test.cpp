// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/arrive.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace haloheap::backend {
namespace {

constexpr int threads = 5000;

/// What the threads of a kernel share.
struct Meeting {
  Kokkos::View<unsigned> arrived{"arrived"};
  Kokkos::View<int*> written{"written", threads};
  Kokkos::View<int> last{"last"};  ///< how many came last
  Kokkos::View<int> seen{"seen"};  ///< writes that those saw
};

/// All threads write, arrive, and the last one makes the count ready for the next kernel.
void meet(const Meeting& all, int round) {
  Kokkos::parallel_for(
      "meet", threads, KOKKOS_LAMBDA(int i) {
        all.written(i) = round;
        if (!arrive_last(all.arrived.data(), threads)) return;
        Kokkos::atomic_inc(all.last.data());
        for (int j = 0; j < threads; ++j) *all.seen.data() += all.written(j) == round ? 1 : 0;
        *all.arrived.data() = 0;
      });
}

int value_of(const Kokkos::View<int>& view) {
  int value = 0;
  Kokkos::deep_copy(value, view);
  return value;
}

TEST(ArriveLast, one_thread_of_each_kernel_comes_last_and_sees_what_all_wrote) {
  const Meeting all;
  for (int round = 1; round <= 20; ++round) {
    meet(all, round);
    ASSERT_EQ(value_of(all.last), round);
    ASSERT_EQ(value_of(all.seen), round * threads);
  }
}

}  // namespace
}  // namespace haloheap::backend
