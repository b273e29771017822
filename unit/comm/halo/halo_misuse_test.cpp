// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What users of Halo get wrong: Views that do not fit, widths, words and sets, calls in the wrong order,
// ranks that were given different things. Each is an error on all ranks, with the same cause.
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/space.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace haloheap::comm {
namespace {

using namespace testing;
using Exec = backend::Exec;
using Field = Kokkos::View<double**, Kokkos::LayoutRight, memory::DeviceSpace>;

class HaloMisuse : public ::testing::Test {
 protected:
  Field field(grid::Index more_x = 0, const std::string& label = "density") const {
    const grid::Box own = grid.own();
    return Field(label, own.extent(1) + 2, own.extent(0) + 2 + more_x);
  }
  std::string cause(const std::vector<FieldView>& fields, const HaloConfig& config = {}) const {
    return cause_of([&] { Halo(world, grid, fields, config); });
  }
  void expect_everywhere(const std::string& cause, const std::string& expected) {
    EXPECT_EQ(cause, expected);
    EXPECT_EQ(world.broadcast(cause, 0), cause);
  }
  bool last() const { return world.rank() == world.size() - 1; }
  std::string of_last() const {
    return world.size() > 1 ? "rank " + std::to_string(world.size() - 1) + ": " : std::string();
  }

  const Communicator world{MPI_COMM_WORLD};
  // Every rank owns 10 x 8 cells.
  const Grid grid{
      2, {10 * world.size(), 8, 1}, Topology::make(world.rank(), {world.size(), 1, 1}, {true, true, true})};
  const Exec exec;
};

TEST_F(HaloMisuse, views_of_other_extents) {
  EXPECT_EQ(cause({field()}), "");
  EXPECT_EQ(error_of([&] { Halo(world, grid, {field(1)}); }),
            "the field 'density' has the extents 10 x 13, but its halo asks for 10 x 12 in the order 'yx'\n"
            "  consequence: ghost cells would be read and written elsewhere\n"
            "  remedy: make it for low ghost cells + own cells + high ghost cells: 1 + 10 + 1 in x, 1 + 8 + "
            "1 in y; or say which index is which, as in FieldView(view, \"yxq\") for view(y, x, quantity)");
  // One rank's mistake is every rank's error.
  expect_everywhere(cause({field(last() ? 1 : 0)}),
                    of_last() +
                        "the field 'density' has the extents 10 x 13, but its halo asks for 10 x 12 in the "
                        "order 'yx'");
  EXPECT_EQ(cause({field()}, {.width = {{1, 2}, {0, 1}}}),
            "the field 'density' has the extents 10 x 12, but its halo asks for 9 x 13 in the order 'yx'");
  const Kokkos::View<float***, Kokkos::LayoutLeft, memory::DeviceSpace> momentum("", 2, 10, 12);
  EXPECT_EQ(cause({field(), momentum}), "");
  EXPECT_EQ(
      cause({field(), FieldView(momentum, "qxy")}),
      "the field number 1 has the extents 2 x 10 x 12, but its halo asks for 2 x 12 x 10 in the order 'qxy'");
}

TEST_F(HaloMisuse, views_that_are_null_or_out_of_reach_or_share_places) {
  EXPECT_EQ(
      error_of([&] { Halo(world, grid, {Field()}); }),
      "the field number 0 is null\n  consequence: nothing was made\n  remedy: give a View that has memory");
  expect_everywhere(cause({last() ? Field() : field()}), of_last() + "the field number 0 is null");
  const Field density = field();
  const Kokkos::View<double**, Kokkos::LayoutStride, memory::DeviceSpace> twice(
      density.data(), Kokkos::LayoutStride(10, 0, 12, 1));
  EXPECT_EQ(cause({twice}), "values of the field number 0 share their place in memory");
  if (!backend::kernels_on_host) {
    const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> host("on_host", 10, 12);
    EXPECT_EQ(cause({host}), "kernels cannot reach the memory of the field 'on_host'");
  }
}

TEST_F(HaloMisuse, views_that_share_memory) {
  const Field density = field();
  EXPECT_EQ(
      error_of([&] {
        Halo(world, grid, {density, density});
      }),
      "the fields 'density' and 'density', of which one is number 0 and the other number 1, share their "
      "places in memory\n"
      "  consequence: ghost cells of one would overwrite values of the other\n"
      "  remedy: give each View once, and Views whose values lie apart");
  const std::string numbers =
      ", of which one is number 0 and the other number 2, share their places in memory";
  // One rank's mistake is every rank's error; the first of two sets may be right.
  expect_everywhere(cause({density, field(), last() ? density : field()}),
                    of_last() + "the fields 'density' and 'density'" + numbers);
  EXPECT_EQ(cause_of([&] {
              Halo(world, grid, FieldSets{{field(), field(), field()}, {density, field(), density}});
            }),
            "the fields 'density' and 'density'" + numbers);
  // Two windows on one memory, a row and a column apart, in a layout of its own each.
  const Kokkos::View<double**, Kokkos::LayoutRight, memory::DeviceSpace> both("both", 11, 13);
  const auto window = [&](int y, int x) {
    return Kokkos::subview(both, std::pair(y, y + 10), std::pair(x, x + 12));
  };
  EXPECT_EQ(cause({window(0, 0), window(1, 1)}).substr(0, 26), "the fields 'both' and 'bot");
  const Kokkos::View<double**, Kokkos::LayoutLeft, memory::DeviceSpace> left(both.data(), 10, 12);
  EXPECT_EQ(cause({window(1, 1), left}).substr(0, 27), "the fields 'both' and numbe");
  // Members of structs, and halves of one memory, lie apart.
  const Kokkos::View<double***, Kokkos::LayoutRight, memory::DeviceSpace> structs("structs", 10, 12, 2);
  const auto member = [&](int number) { return Kokkos::subview(structs, Kokkos::ALL, Kokkos::ALL, number); };
  EXPECT_EQ(cause({member(0), member(1)}), "");
  EXPECT_NE(cause({member(1), FieldView(structs, "yxq")}), "");
  const Kokkos::View<double***, Kokkos::LayoutRight, memory::DeviceSpace> halves("halves", 2, 10, 12);
  EXPECT_EQ(cause({Kokkos::subview(halves, 0, Kokkos::ALL, Kokkos::ALL),
                   Kokkos::subview(halves, 1, Kokkos::ALL, Kokkos::ALL)}),
            "");
  // Sets may have each other's fields.
  EXPECT_EQ(cause_of([&, other = field()] {
              Halo(world, grid, FieldSets{{density, other}, {other, density}});
            }),
            "");
}

TEST_F(HaloMisuse, words_and_ranks_that_do_not_fit) {
  const std::string grid_of_two = ", which are not those of a grid of 2 dimensions";
  for (const char* word : {"xz", "xx", "yxq", "x", "qx"})
    EXPECT_EQ(cause({FieldView(field(), word)}),
              "the field 'density' has 2 indices and the word '" + std::string(word) + "'" + grid_of_two);
  EXPECT_EQ(
      error_of([&] { Halo(world, grid, {FieldView(field(), "xz")}); }),
      "the field 'density' has 2 indices and the word 'xz'" + grid_of_two +
          "\n  consequence: it is not known which of them is x\n"
          "  remedy: say with a letter of 'qyx' which index is which, q for each that counts quantities: "
          "FieldView(view, \"yxq\") for view(y, x, quantity)");
  const Kokkos::View<float****, memory::DeviceSpace> four("four", 1, 1, 10, 12);
  EXPECT_EQ(cause({four}), "the field 'four' has 4 indices" + grid_of_two);
  EXPECT_EQ(cause({FieldView(four, "qqyx")}), "");
  for (const char* word : {"qyx", "qyyx", "qqqq", "zqyx"})
    EXPECT_EQ(cause({FieldView(four, word)}),
              "the field 'four' has 4 indices and the word '" + std::string(word) + "'" + grid_of_two);
  const Kokkos::View<float***, memory::DeviceSpace> three("three", 10, 12, 10);
  EXPECT_EQ(cause({FieldView(three, "yxy")}),
            "the field 'three' has 3 indices and the word 'yxy'" + grid_of_two);
}

TEST_F(HaloMisuse, widths_that_are_none) {
  EXPECT_EQ(cause({field()}, {.width = {1, 1, 1}}), "3 widths of a halo do not fit a grid of 2 dimensions");
  EXPECT_EQ(cause({field()}, {.width = {1, {0, -1}}}), "a halo cannot be 0 and -1 cells wide in y");
  EXPECT_EQ(error_of([&] {
              Halo(world, grid, {field()}, {.width = {1, {0, 9}}});
            }),
            "a halo of 9 cells is wider than the smallest subdomain, 8 cells in y\n"
            "  consequence: a rank would need cells of its neighbour's neighbour\n"
            "  remedy: use a narrower halo, fewer ranks in that dimension, or a larger grid");
  const Grid flat{2, {10, 8, 2}, grid.topology};
  EXPECT_EQ(cause_of([&] {
              Halo(world, flat, {field()});
            }).find("a grid of 2 dimensions and 10 x 8 x 2 cells cannot be divided among "),
            0U);
  EXPECT_EQ(cause_of([&] { Grid::make(world, {3}); }), "1 numbers of cells and 0 of periodicity are no grid");
}

TEST_F(HaloMisuse, sets_that_differ_or_are_none) {
  const Field one = field(), other = field(), third = field();
  Halo halo(world, grid, FieldSets{{one}, {other}});
  halo.exchange(exec, 0);
  halo.exchange(exec, 1);
  EXPECT_EQ(cause_of([&] { halo.exchange(exec, 2); }),
            "the halo was made for two sets of fields and has none with number 2");
  exec.fence("haloheap::unit::exchanged");
  Halo single(world, grid, {one});
  EXPECT_EQ(cause_of([&] { single.begin(exec, 1); }),
            "the halo was made for one set of fields and has none with number 1");
  EXPECT_EQ(cause_of([&] {
              Halo(world, grid, FieldSets{{one}, {other, third}});
            }),
            "1 and 2 fields are no two sets");
  EXPECT_EQ(cause(std::vector<FieldView>{}), "a halo was given no fields");
  const Kokkos::View<double**, Kokkos::LayoutLeft, memory::DeviceSpace> left("left", 10, 12);
  EXPECT_EQ(cause_of([&] {
              Halo(world, grid, FieldSets{{one}, {left}});
            }),
            "the field 'density' is not laid out in the second set as in the first");
}

// A set's turn says nothing of a field that is in both sets: its neighbours wait until its owner is ready.
TEST_F(HaloMisuse, sets_that_share_a_field_are_not_stored_into_early) {
  const Grid column{
      2, {40, 6 * world.size(), 1}, Topology::make(world.rank(), {1, world.size(), 1}, {true, true, true})};
  const Field one("one", 8, 42), other("other", 8, 42), shared("shared", 8, 42);
  const auto fill = [&](double value) {
    std::vector<double> values(8 * 42, -1);
    for (std::size_t y = 1; y < 7; ++y)
      for (std::size_t x = 1; x < 41; ++x) values[y * 42 + x] = value + world.rank();
    backend::copy_async(exec, shared.data(), values.data(), values.size() * sizeof(double));
    exec.fence("haloheap::unit::filled");
  };
  Halo halo(world, column, FieldSets{{one, shared}, {other, shared}},
            {.halo = {.transport = "peer_store", .timeout = long_timeout, .alternating = true}});
  fill(1);
  halo.exchange(exec, 0);
  exec.fence("haloheap::unit::exchanged");
  fill(201);
  world.barrier();
  if (world.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  fill(201);  // what was stored before this is lost
  halo.exchange(exec, 1);
  std::vector<double> values(8 * 42);
  backend::copy_async(exec, values.data(), shared.data(), values.size() * sizeof(double));
  exec.fence("haloheap::unit::exchanged");
  halo.check();
  EXPECT_EQ(values[5], 201 + column.topology.neighbour({0, -1, 0}));
  EXPECT_EQ(values[7 * 42 + 5], 201 + column.topology.neighbour({0, 1, 0}));
}

TEST_F(HaloMisuse, calls_in_the_wrong_order) {
  const Field density = field();
  Halo halo(world, grid, {density}, {.accumulate = true});
  EXPECT_EQ(error_of([&] { halo.end(exec); }),
            "Halo::end was called for an exchange that has not begun\n"
            "  consequence: nothing was received\n  remedy: call Halo::begin first");
  halo.begin(exec);
  EXPECT_EQ(cause_of([&] { halo.begin(exec); }),
            "Halo::begin was called for an exchange that has begun and not ended");
  EXPECT_EQ(cause_of([&] { halo.exchange(exec); }),
            "Halo::exchange was called for an exchange that has begun and not ended");
  EXPECT_EQ(error_of([&] { halo.accumulate(exec); }),
            "Halo::accumulate was called for an exchange that has begun and not ended\n"
            "  consequence: nothing was added\n  remedy: call Halo::end first");
  halo.end(exec);
  halo.accumulate(exec);
  exec.fence("haloheap::unit::exchanged");
  halo.check();
}

TEST_F(HaloMisuse, sums_of_what_cannot_be_added) {
  const Field density = field();
  Halo halo(world, grid, {density});
  EXPECT_EQ(error_of([&] { halo.accumulate(exec); }),
            "Halo::accumulate was called for a halo that was not prepared for it\n"
            "  consequence: nothing was added\n  remedy: make it with accumulate = true");
  const Kokkos::View<bool**, Kokkos::LayoutRight, memory::DeviceSpace> flags("flags", 10, 12);
  EXPECT_EQ(cause({field(), flags}), "");
  EXPECT_EQ(cause({field(), flags}, {.accumulate = true}), "the values of the field 'flags' cannot be added");
}

TEST_F(HaloMisuse, memory_that_a_neighbour_cannot_map) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  const Kokkos::View<double**, Kokkos::LayoutRight, memory::SharedSpace> shared("shared", 10, 12);
  const std::string error =
      error_of([&] { Halo(world, grid, {shared}, {.halo = {.transport = "peer_store"}}); });
  for (const char* part : {"the memory at ", "cannot be shared", "use memory 'device'"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
  // Packed values are in memory of their own.
  EXPECT_EQ(cause({shared}, {.halo = {.transport = "peer_copy"}}), "");
}

// One rank's memory is enough: ranks that chose for themselves would wait for each other for ever.
TEST_F(HaloMisuse, auto_does_without_memory_that_a_neighbour_cannot_map) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  const Kokkos::View<double**, Kokkos::LayoutRight, memory::SharedSpace> shared("shared", 10, 12);
  const Field own = field();
  const Grid column{
      2, {10, 8 * world.size(), 1}, Topology::make(world.rank(), {1, world.size(), 1}, {true, true, true})};
  const FieldView given = last() ? FieldView(shared) : FieldView(own);
  const auto bytes = 10 * 12 * sizeof(double);
  const std::vector<double> mine(10 * 12, 1.0 + world.rank());
  backend::copy_async(exec, given.data, mine.data(), bytes);
  Halo halo(world, column, {given},
            {.accumulate = true, .halo = {.transport = "auto", .timeout = long_timeout}});
  halo.exchange(exec);
  std::vector<double> values(10 * 12);
  backend::copy_async(exec, values.data(), given.data, bytes);
  exec.fence("haloheap::unit::exchanged");
  EXPECT_EQ(values[5], 1.0 + column.topology.neighbour({0, -1, 0}));
  EXPECT_EQ(values[9 * 12 + 5], 1.0 + column.topology.neighbour({0, 1, 0}));
  const std::string messages = backend::kernels_on_host ? "mapped" : "pinned";
  EXPECT_EQ(halo.mix(), messages + (world.size() == 2 ? " 1" : " 2"));
  EXPECT_EQ(halo.why_not_mapped().find(of_last() + "the memory at "), 0U) << halo.why_not_mapped();
  EXPECT_NE(halo.why_not_mapped().find("cannot be shared"), std::string::npos) << halo.why_not_mapped();
  EXPECT_EQ(halo.why_not_mapped().find('\n'), std::string::npos);
  const Halo mapped(world, column, {own}, {.halo = {.transport = "auto"}});
  EXPECT_EQ(mapped.mix(), world.size() == 2 ? "peer_store 1" : "peer_store 2");
  EXPECT_EQ(mapped.why_not_mapped(), "");
}

TEST_F(HaloMisuse, ranks_with_different_halos) {
  if (world.size() == 1) GTEST_SKIP() << "needs a rank to differ from";
  const std::string its = "' on rank " + std::to_string(world.size() - 1),
                    text = "the ranks do not agree on the Halo: ";
  const Kokkos::View<float**, Kokkos::LayoutRight, memory::DeviceSpace> narrow("narrow", 10, 12);
  const Kokkos::View<double***, Kokkos::LayoutRight, memory::DeviceSpace> two("two", 2, 10, 12);
  const Field usual = field();
  expect_everywhere(cause({usual}, {.accumulate = last()}),
                    text + "accumulate is 'no' on rank 0, 'yes" + its);
  expect_everywhere(cause({last() ? FieldView(narrow) : FieldView(usual)}),
                    text + "types of values is 'double' on rank 0, 'float" + its);
  expect_everywhere(cause({last() ? FieldView(two) : FieldView(usual)}),
                    text + "quantities is '1' on rank 0, '2" + its);
  const Field wider("wider", last() ? 12 : 10, 12);
  expect_everywhere(cause({wider}, {.width = {1, last() ? 2 : 1}}),
                    text + "halo is '1 x 1 x 0' on rank 0, '1 x 2 x 0" + its);
  const Field lopsided("lopsided", 10, 12);
  expect_everywhere(cause({lopsided}, {.width = last() ? HaloWidth{{2, 0}, 1} : HaloWidth{1, 1}}),
                    text + "halo is '1 x 1 x 0' on rank 0, '2/0 x 1 x 0" + its);
  std::vector<FieldView> fields{usual};
  if (last()) fields.emplace_back(narrow);
  EXPECT_EQ(cause(fields).find(text), 0U);
  expect_everywhere(cause({usual}, {.halo = {.transport = last() ? "mapped" : "pinned"}}),
                    text + "transport is 'pinned' on rank 0, 'mapped" + its);
}

}  // namespace
}  // namespace haloheap::comm
