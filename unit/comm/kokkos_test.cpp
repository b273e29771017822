// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges before Kokkos starts and after it has ended: an error instead of a crash.
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <vector>

namespace haloheap::comm {
namespace {

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// One test: a process can start Kokkos once.
TEST(Kokkos, is_needed_by_exchanges) {
  MPI_Init(nullptr, nullptr);
  {
    const Communicator world(MPI_COMM_WORLD);
    const GridProblem problem{stencil::heat_stencil(2, stencil::StencilShape::star, 1, 0.1),
                              {},
                              {16, 16, 1},
                              Topology::make(world.rank(), {1, 1, 1}, {true, true, true})};
    const grid::FieldLayout layout = problem.layout(1, sizeof(double));
    const HaloPlan plan = HaloPlan::make(problem.topology, layout, problem.cells, Exchange::async);
    PhaseTimer timer(false);
    const auto expect = [&](const std::string& halo, const std::string& deep) {
      // Where the host cannot reach the device's memory, this is the wrong one; nobody looks at it.
      std::vector<double> one(static_cast<std::size_t>(layout.size())), other(one);
      EXPECT_EQ(refusal([&] {
                  HaloExchange(world, plan, problem.topology,
                               ExchangedFields::of<double>(layout, {one.data(), other.data()}), {}, timer);
                }),
                halo);
      EXPECT_EQ(refusal([&] { DeepHalo<double>(world, problem, {.halo = {}}, one.data(), other.data()); }),
                deep);
    };
    const std::string remedy = "\n  remedy: keep it between Kokkos::initialize and Kokkos::finalize";
    expect("HaloExchange is used before Kokkos::initialize" + remedy,
           "DeepHalo is used before Kokkos::initialize" + remedy);
    Kokkos::initialize();
    expect("", "");
    Kokkos::finalize();
    expect("HaloExchange is used after Kokkos::finalize" + remedy,
           "DeepHalo is used after Kokkos::finalize" + remedy);
  }
  MPI_Finalize();
}

}  // namespace
}  // namespace haloheap::comm
