// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program that uses Kokkos and no MPI.
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard guard(argc, argv);
  return RUN_ALL_TESTS();
}
