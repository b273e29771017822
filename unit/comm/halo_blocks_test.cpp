// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/pack.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/unit/core/grid/fields.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using namespace testing;

template <class T>
class PackerOf : public ::testing::Test {
 protected:
  void check(int dims, const Triple& ranks, int rank, Index halo, int quantities, Exchange exchange) {
    const bool periodic[3] = {true, true, true};
    const Triple cells{17, 14, dims == 3 ? 9 : 1};
    const Topology topology = Topology::make(rank, ranks, periodic);
    const Box own = subdomain(cells, ranks, topology.coordinates);
    const auto layout =
        make_field_layout(dims, {own.extent(0), own.extent(1), own.extent(2)}, halo, quantities, sizeof(T));
    const HaloPlan plan = HaloPlan::make(topology, layout, cells, exchange);
    for (const HaloRound& round : plan.rounds) {
      check_pack(round, layout);
      check_unpack(round, layout);
    }
  }

 private:
  template <class Visit>
  static void for_each_value(const FieldLayout& layout, const Box& box, Visit&& visit) {
    for (int quantity = 0; quantity < layout.quantities; ++quantity)
      for_each_cell(box, [&](const Triple& cell) { visit(cell, quantity); });
  }

  void check_pack(const HaloRound& round, const FieldLayout& layout) {
    const auto field = random_values<T>(layout.size(), 1);
    std::vector<T> expected;
    for (const HaloMessage& message : round.messages)
      for (const Box& box : message.send)
        for_each_value(layout, box, [&](const Triple& cell, int quantity) {
          expected.push_back(field[static_cast<std::size_t>(layout.at(cell, quantity))]);
        });
    const auto device = make_device_array(field),
               buffer = make_device_array(std::vector<T>(expected.size() + 5, T{-9}));
    Packer<T>(round, layout).pack(exec_, device.data(), buffer.data());
    exec_.fence("haloheap::unit::pack");
    expected.resize(expected.size() + 5, T{-9});
    EXPECT_EQ(difference(to_host(buffer), expected), "");
    EXPECT_EQ(difference(to_host(device), field), "");
  }

  void check_unpack(const HaloRound& round, const FieldLayout& layout) {
    const auto before = random_values<T>(layout.size(), 2);
    Index values = 0;
    for (const HaloMessage& message : round.messages) values += message.receive_cells() * layout.quantities;
    const auto received = random_values<T>(values, 3);
    auto expected = before;
    std::size_t next = 0;
    const auto at = [&](const Triple& cell, int quantity) {
      return static_cast<std::size_t>(layout.at(cell, quantity));
    };
    for (const HaloMessage& message : round.messages)
      for (const Box& box : message.receive)
        for_each_value(layout, box,
                       [&](const Triple& cell, int q) { expected[at(cell, q)] = received[next++]; });
    for (const HaloCopy& copy : round.copies)
      for_each_value(layout, copy.to, [&](const Triple& cell, int q) {
        const Box &from = copy.from, &to = copy.to;
        expected[at(cell, q)] = before[at(
            {cell.x + from.lo.x - to.lo.x, cell.y + from.lo.y - to.lo.y, cell.z + from.lo.z - to.lo.z}, q)];
      });
    const auto device = make_device_array(before), buffer = make_device_array(received);
    Packer<T>(round, layout).unpack(exec_, buffer.data(), device.data());
    exec_.fence("haloheap::unit::unpack");
    EXPECT_EQ(difference(to_host(device), expected), "");
  }

  Kokkos::DefaultExecutionSpace exec_;
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PackerOf, Precisions);

TYPED_TEST(PackerOf, moves_every_value_in_the_order_of_the_plan) {
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const int quantities : {1, 3})
      for (const Index halo : {1, 3, 4}) {
        this->check(2, {1, 1, 1}, 0, halo, quantities, exchange);
        this->check(2, {2, 2, 1}, 3, halo, quantities, exchange);
        this->check(2, {3, 1, 1}, 1, halo, quantities, exchange);
        this->check(3, {1, 1, 1}, 0, halo, quantities, exchange);
        this->check(3, {2, 1, 2}, 1, halo, quantities, exchange);
        this->check(3, {3, 3, 1}, 4, halo, quantities, exchange);
      }
}

TYPED_TEST(PackerOf, a_round_without_regions_launches_nothing) {
  const Packer<TypeParam> packer({}, make_field_layout(2, {4, 4, 1}, 1, 1, sizeof(TypeParam)));
  packer.pack({}, nullptr, nullptr);
  packer.unpack({}, nullptr, nullptr);
  Kokkos::fence("haloheap::unit::nothing");
}

}  // namespace
}  // namespace haloheap
