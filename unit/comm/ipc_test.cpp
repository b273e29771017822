// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of one rank that another rank maps: block by block, and by a whole run.
#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {
namespace {

using backend::export_memory;
using backend::ipc_counts;
using backend::IpcHandle;
using backend::IpcMapping;

constexpr int size = 1'500'007;  // more than the 2 MiB that a driver may cut small blocks from, and keep

struct Write {
  int* to;
  int first;
  KOKKOS_FUNCTION void operator()(int i) const { to[i] = first + i; }
};

std::vector<int> content(const memory::Array<int>& array) {
  std::vector<int> result(array.size());
  Kokkos::fence("haloheap::unit::content");
  const auto host = memory::make_array<int>(memory::make_memory_resource("pinned"), "host", array.size());
  memory::deep_copy(Kokkos::DefaultExecutionSpace(), host, array);
  Kokkos::fence("haloheap::unit::content");
  std::copy_n(host.data(), result.size(), result.begin());
  return result;
}

/// An array of each rank, which the rank before it maps.
class Ipc : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD};
  const int next = (world.rank() + 1) % world.size();
  const int previous = (world.rank() + world.size() - 1) % world.size();
  std::optional<memory::Array<int>> array{std::in_place, memory::make_memory_resource("device"), "shared",
                                          size};

  /// The handle of the next rank.
  IpcHandle exchange(const IpcHandle& mine) const {
    IpcHandle result;
    check_mpi(MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, previous, 0, &result, sizeof result, MPI_BYTE, next,
                           0, world.get(), MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    return result;
  }
};

TEST_F(Ipc, a_kernel_writes_into_the_memory_of_another_rank) {
  const IpcMapping mapping(exchange(export_memory(array->data())));
  Kokkos::parallel_for("haloheap::unit::write", Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(0, size),
                       Write{static_cast<int*>(mapping.data()), 1000 * world.rank()});
  Kokkos::fence("haloheap::unit::written");
  world.barrier();
  const std::vector<int> found = content(*array);
  for (int i = 0; i < size; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i)], 1000 * previous + i) << i;
  world.barrier();
}

TEST_F(Ipc, a_block_is_opened_once_and_closed_once) {
  const IpcHandle front = exchange(export_memory(array->data()));
  const IpcHandle back = exchange(export_memory(array->data() + 4321));
  const std::size_t opened = ipc_counts().opened;
  EXPECT_EQ(ipc_counts().open, 0U);
  {
    const IpcMapping first(front);
    const IpcMapping second(back);
    EXPECT_EQ(static_cast<int*>(second.data()), static_cast<int*>(first.data()) + 4321);
    EXPECT_EQ(ipc_counts().open, 1U);
    EXPECT_EQ(ipc_counts().opened, opened + 1);
  }
  EXPECT_EQ(ipc_counts().open, 0U);
  EXPECT_EQ(ipc_counts().opened, opened + 1);
  world.barrier();
}

TEST_F(Ipc, a_rank_needs_no_mapping_of_its_own_memory) {
  const IpcMapping mapping(export_memory(array->data() + 9));
  EXPECT_EQ(mapping.data(), array->data() + 9);
  EXPECT_EQ(ipc_counts().open, 0U);
}

TEST_F(Ipc, a_stale_handle_is_an_error) {
  const IpcHandle mine = export_memory(array->data());
  const IpcHandle handle = exchange(mine);
  world.barrier();
  array.reset();
  world.barrier();
  EXPECT_THROW(IpcMapping mapping(handle), CapabilityError);
  EXPECT_THROW(IpcMapping mapping(mine), CapabilityError);
  EXPECT_EQ(ipc_counts().open, 0U);
  world.barrier();
}

/// Memory of the host that ranks share: a kernel writes there, a device copies from there, and so does the
/// host.
TEST_F(Ipc, shared_host_memory_is_reached_by_hosts_kernels_and_copies) {
  const auto shared = std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::shared);
  EXPECT_TRUE(shared->properties().host_accessible && shared->properties().device_accessible);
  EXPECT_TRUE(shared->properties().ipc_exportable);
  EXPECT_EQ(shared->name(), "shared pinned");
  const memory::Array<int> mine(shared, "shared", size);
  {
    const IpcMapping mapping(exchange(export_memory(mine.data())));
    auto* const there = static_cast<int*>(mapping.data());
    EXPECT_EQ(ipc_counts().open, 1U);
    Kokkos::parallel_for("haloheap::unit::write",
                         Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(0, size - 1),
                         Write{there, 1000 * world.rank()});
    Kokkos::fence("haloheap::unit::written");
    there[size - 1] = world.rank();
    world.barrier();
    const std::vector<int> found = content(mine);
    for (int i = 0; i < size - 1; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], 1000 * previous + i) << i;
    EXPECT_EQ(mine.data()[size - 1], previous);
    world.barrier();
  }
  EXPECT_EQ(ipc_counts().open, 0U);
}

TEST_F(Ipc, shared_host_memory_that_is_gone_is_an_error) {
  std::optional<memory::Array<int>> mine(
      std::in_place, std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::shared), "shared",
      size);
  const IpcHandle handle = exchange(export_memory(mine->data()));
  world.barrier();
  mine.reset();
  world.barrier();
  EXPECT_THROW(IpcMapping mapping(handle), CapabilityError);
  EXPECT_EQ(ipc_counts().open, 0U);
  world.barrier();
}

// A handle that is opened anew for each exchange costs more than the exchange.
TEST_F(Ipc, a_run_opens_what_it_needs_once_and_closes_all_of_it) {
  const testing::Problem problem{testing::lopsided_stencil(2, stencil::StencilShape::box, 1),
                                 testing::boundaries()[0],
                                 {31, 17 * world.size(), 1}};
  int mapping_paths = 0;
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const testing::Path& path : testing::paths(exchange)) {
      const std::size_t before = ipc_counts().opened;
      {
        DeepHaloConfig config{.depth = 2, .exchange = exchange, .overlap = Overlap::all_steps, .halo = {}};
        path.apply(config);
        testing::DeepHaloRun<float> run(world, problem, {1, world.size(), 1}, config);
        run.stepper().advance(2);
        run.stepper().finish();
        const std::size_t opened = ipc_counts().opened - before;
        const bool near = run.stepper().exchange_path().without_host();
        if (near) {
          EXPECT_GT(opened, 0U) << path.describe();
          ++mapping_paths;
        } else if (path.transport != "auto") {
          EXPECT_EQ(opened, 0U) << path.describe() << " maps nobody's memory";
        }
        EXPECT_EQ(ipc_counts().open, opened) << path.describe();
        run.stepper().advance(100);
        run.stepper().finish();
        EXPECT_EQ(ipc_counts().opened - before, opened) << path.describe();
        EXPECT_EQ(ipc_counts().open, opened) << path.describe();
      }
      EXPECT_EQ(ipc_counts().open, 0U) << path.describe();
    }
  EXPECT_GE(mapping_paths, 2 * 7) << "three paths, each with and without a graph, and auto";
}

TEST_F(Ipc, only_device_memory_can_be_exported) {
  using backend::MemoryKind;
  EXPECT_TRUE(backend::properties(MemoryKind::device, 0).ipc_exportable);
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::pageable}) {
    EXPECT_FALSE(backend::properties(kind, 0).ipc_exportable);
    const std::string name(to_string(kind));
    const auto other = memory::make_array<int>(memory::make_memory_resource(name), name, 100);
    try {
      export_memory(other.data());
      FAIL() << name;
    } catch (const CapabilityError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(name), std::string::npos) << text;
      EXPECT_NE(text.find("remedy: use memory 'device'"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace haloheap::comm
