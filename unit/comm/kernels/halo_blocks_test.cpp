// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/unit/comm/kernels/block_arrays.hpp>

#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

using namespace testing;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
class HaloBlocksOf : public ::testing::Test {
 protected:
  void check(int dims, const grid::Triple& ranks, int rank, grid::Index halo, int quantities,
             Exchange exchange) {
    const bool periodic[3] = {true, true, true};
    const grid::Triple cells{17, 14, dims == 3 ? 9 : 1};
    const Topology topology = Topology::make(rank, ranks, periodic);
    const grid::Box own = subdomain(cells, ranks, topology.coordinates);
    layout = grid::make_field_layout(dims, {own.extent(0), own.extent(1), own.extent(2)}, halo, quantities,
                                     sizeof(T));
    const HaloPlan plan = HaloPlan::make(topology, layout, cells, exchange);
    check_pack(plan);
    check_unpack(plan);
    check_copies(plan);
  }

 private:
  std::size_t at(const grid::Triple& cell, int quantity) const {
    return static_cast<std::size_t>(layout.at(cell, quantity));
  }

  template <class Visit>
  void for_each_value(const grid::Box& box, Visit&& visit) const {
    for (int quantity = 0; quantity < layout.quantities; ++quantity)
      for_each_cell(box, [&](const grid::Triple& cell) { visit(cell, quantity); });
  }

  detail::HaloBlocks blocks_without_messages(const HaloPlan& plan) const {
    const auto shape = detail::FieldShape::of(layout, sizeof(T));
    return {layout.own_box(), static_cast<int>(plan.rounds.size()), {shape}, {detail::ForEachSet{}}};
  }

  /// Array 0 is the field. Each round has a buffer, for both ways, whose address is its name.
  detail::HaloBlocks blocks_of(const HaloPlan& plan) {
    detail::HaloBlocks blocks = blocks_without_messages(plan);
    detail::PathPlaces places;
    for (std::size_t round = 0; round < plan.rounds.size(); ++round) {
      places.send.push_back(&buffers[round]);
      places.receive.push_back({&buffers[round], &buffers[round]});
    }
    blocks.add(plan, places);
    return blocks;
  }

  /// What the arrays hold, in the order in which blocks count them.
  std::vector<std::vector<T>> in_order(const detail::HaloBlocks& blocks, const std::vector<T>& field,
                                       const std::vector<std::vector<T>>& of_rounds) const {
    std::vector<std::vector<T>> result{field};
    for (std::size_t i = 1; i < blocks.arrays.size(); ++i)
      result.push_back(
          of_rounds[static_cast<std::size_t>(static_cast<const char*>(blocks.arrays[i][0]) - buffers)]);
    return result;
  }

  void run(const std::vector<detail::BlockCopy>& blocks, const Arrays<T>& arrays) const {
    detail::BlockCopies("haloheap::unit::blocks", blocks).run(exec, arrays.table());
    exec.fence("haloheap::unit::blocks");
  }

  /// Each box starts on 16 bytes.
  static std::size_t padded(std::size_t values) {
    const std::size_t wide = 16 / sizeof(T);
    return (values + wide - 1) / wide * wide;
  }
  static void pad(std::vector<T>& values) { values.resize(padded(values.size()), T{-9}); }

  void check_pack(const HaloPlan& plan) {
    const auto field = random_values<T>(layout.size(), 1);
    std::vector<std::vector<T>> packed, empty;
    for (const HaloRound& round : plan.rounds) {
      auto& values = packed.emplace_back();
      for (const HaloMessage& message : round.messages)
        for (const grid::Box& box : message.send) {
          pad(values);
          for_each_value(box, [&](const grid::Triple& cell, int q) { values.push_back(field[at(cell, q)]); });
        }
      values.resize(values.size() + 5, T{-9});
      empty.emplace_back(values.size(), T{-9});
    }
    const detail::HaloBlocks blocks = blocks_of(plan);
    const Arrays<T> arrays(in_order(blocks, field, empty));
    const auto expected = in_order(blocks, field, packed);
    run(blocks.early, arrays);
    for (const auto& forwarded : blocks.forwarded) run(forwarded, arrays);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(difference(arrays.values(i), expected[i]), "") << i;
    for (const detail::BlockCopy& block : blocks.early) expect_own(block);
  }

  /// What is read in the beginning may be overwritten later: it must be own cells.
  void expect_own(const detail::BlockCopy& block) const {
    const grid::Index size = sizeof(T), from = block.from.first / size - layout.origin;
    const grid::Index z = layout.dims == 3 ? from / layout.plane : 0;
    const grid::Index first_y = (from - z * layout.plane) / layout.pitch;
    EXPECT_GE(from, 0);
    EXPECT_LE((from - z * layout.plane) % layout.pitch + block.run / size, layout.own.x);
    // Of one row there is nothing but planes, or quantities.
    grid::Triple extent{0, 1, 1};
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (block.from.stride[dim] == layout.pitch * size) extent.y = block.count[dim];
      if (block.from.stride[dim] == layout.plane * size) extent.z = block.count[dim];
    }
    EXPECT_LE(first_y + extent.y, layout.own.y);
    EXPECT_LE(z + extent.z, layout.own.z);
  }

  void check_unpack(const HaloPlan& plan) {
    const auto before = random_values<T>(layout.size(), 2);
    auto expected = before;
    std::vector<std::vector<T>> all_received;
    for (const HaloRound& round : plan.rounds) {
      grid::Index values = 0;
      for (const HaloMessage& message : round.messages)
        for (const grid::Box& box : message.receive)
          values += box.cells() * layout.quantities + grid::Index{16 / sizeof(T)};
      const auto& received = all_received.emplace_back(random_values<T>(values, 3));
      std::size_t next = 0;
      for (const HaloMessage& message : round.messages)
        for (const grid::Box& box : message.receive) {
          next = padded(next);
          for_each_value(box,
                         [&](const grid::Triple& cell, int q) { expected[at(cell, q)] = received[next++]; });
        }
    }
    const detail::HaloBlocks blocks = blocks_of(plan);
    const Arrays<T> arrays(in_order(blocks, before, all_received));
    for (const auto& unpack : blocks.unpack) run(unpack, arrays);
    EXPECT_EQ(difference(arrays.values(0), expected), "");
  }

  void check_copies(const HaloPlan& plan) {
    auto expected = random_values<T>(layout.size(), 4);
    const Arrays<T> arrays({expected});
    for (const HaloRound& round : plan.rounds) {
      const auto before = expected;
      for (const HaloCopy& copy : round.copies)
        for_each_value(copy.to, [&](const grid::Triple& cell, int q) {
          const grid::Box &from = copy.from, &to = copy.to;
          expected[at(cell, q)] = before[at(
              {cell.x + from.lo.x - to.lo.x, cell.y + from.lo.y - to.lo.y, cell.z + from.lo.z - to.lo.z}, q)];
        });
    }
    detail::HaloBlocks blocks = blocks_without_messages(plan);
    blocks.add_copies(plan);
    run(blocks.early, arrays);
    for (const auto& late : blocks.unpack) run(late, arrays);
    EXPECT_EQ(difference(arrays.values(0), expected), "");
  }

  grid::FieldLayout layout;
  char buffers[3]{};
  Exec exec;
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(HaloBlocksOf, Precisions);

TYPED_TEST(HaloBlocksOf, move_every_value_in_the_order_of_the_plan) {
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const int quantities : {1, 3})
      for (const grid::Index halo : {1, 3, 4}) {
        this->check(2, {1, 1, 1}, 0, halo, quantities, exchange);
        this->check(2, {2, 2, 1}, 3, halo, quantities, exchange);
        this->check(2, {3, 1, 1}, 1, halo, quantities, exchange);
        this->check(3, {1, 1, 1}, 0, halo, quantities, exchange);
        this->check(3, {2, 1, 2}, 1, halo, quantities, exchange);
        this->check(3, {3, 3, 1}, 4, halo, quantities, exchange);
      }
}

}  // namespace
}  // namespace haloheap::comm
