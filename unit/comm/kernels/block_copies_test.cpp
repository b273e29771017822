// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/kernels/block_arrays.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <thread>

namespace haloheap::comm {
namespace {

using namespace testing;
using Exec = Kokkos::DefaultExecutionSpace;

/// Bytes of a place that is given in values.
template <class T>
detail::BlockPlace place_of(int array, grid::Index first, const detail::BlockTriple& stride) {
  constexpr auto size = static_cast<grid::Index>(sizeof(T));
  return {array, first * size, {stride[0] * size, stride[1] * size, stride[2] * size}};
}

/// Where a block of `extent` stands whose rows, planes and quantities are `gap` values apart.
template <class T>
detail::BlockPlace place(int array, grid::Index first, const grid::Triple& extent, grid::Index gap) {
  const grid::Index row = extent.x + gap, plane = row * extent.y + gap;
  return place_of<T>(array, first, {row, plane, plane * extent.z + gap});
}

template <class T>
detail::BlockCopy block_of(const grid::Triple& extent, int quantities, const detail::BlockPlace& from,
                           const detail::BlockPlace& to) {
  return {.run = extent.x * static_cast<grid::Index>(sizeof(T)),
          .count = {extent.y, extent.z, quantities},
          .from = from,
          .to = to};
}

/// Values of any bits, also of types that have no random distribution.
template <class T>
std::vector<T> random_bits(grid::Index count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(generator() % 251);
  return values;
}

template <class T>
class BlockCopiesOf : public ::testing::Test {
 protected:
  static constexpr grid::Index wide = 16 / sizeof(T);

  /// One block after the other in both arrays, each starting `lead` values after the last.
  struct Layout {
    grid::Index gap_from = 0, gap_to = 0, lead_from = 0, lead_to = 0;
  };

  std::vector<detail::BlockCopy> blocks_of(const std::vector<grid::Triple>& extents, int quantities,
                                           const Layout& layout) {
    std::vector<detail::BlockCopy> blocks;
    grid::Index from = 0, to = 0;
    const auto end_of = [quantities](const detail::BlockPlace& place) {
      return (place.first + place.stride[2] * quantities) / static_cast<grid::Index>(sizeof(T));
    };
    for (const grid::Triple& extent : extents) {
      blocks.push_back(block_of<T>(extent, quantities,
                                   place<T>(0, from + layout.lead_from, extent, layout.gap_from),
                                   place<T>(1, to + layout.lead_to, extent, layout.gap_to)));
      from = end_of(blocks.back().from);
      to = end_of(blocks.back().to);
    }
    sizes_ = {from, to};
    return blocks;
  }

  static void expect_wide(const std::vector<detail::BlockCopy>& blocks, bool expected) {
    for (const detail::BlockCopy& block : blocks) {
      const int unit = detail::BlockCopies::unit(block);
      EXPECT_EQ(unit == 16, expected) << unit;
      EXPECT_GE(unit, static_cast<int>(sizeof(T))) << "values are never split";
    }
  }

  /// Runs `run(arrays)` and compares all values, those between the blocks too, with plain loops.
  template <class Run>
  void check(const std::vector<detail::BlockCopy>& blocks, grid::Index shift, const Run& run) {
    std::vector<std::vector<T>> values;
    for (unsigned i = 0; i < 2; ++i) values.push_back(random_bits<T>(sizes_[i] + shift + 3, i));
    const Arrays<T> arrays(values, static_cast<std::size_t>(shift));
    run(arrays.table());
    exec.fence("haloheap::unit::blocks");
    for (const detail::BlockCopy& block : blocks) {
      const grid::Index row = block.run / static_cast<grid::Index>(sizeof(T));
      for (grid::Index q = 0; q < block.count[2]; ++q)
        for_each_cell({{0, 0, 0}, {row, block.count[0], block.count[1]}}, [&](const grid::Triple& cell) {
          values[1][at(block.to, cell, q) + static_cast<std::size_t>(shift)] =
              values[0][at(block.from, cell, q) + static_cast<std::size_t>(shift)];
        });
    }
    EXPECT_EQ(difference(arrays.values(0), values[0]), "");
    EXPECT_EQ(difference(arrays.values(1), values[1]), "");
  }

  void check(const std::vector<detail::BlockCopy>& blocks, grid::Index shift = 0) {
    const detail::BlockCopies copies("haloheap::unit::copies", blocks);
    check(blocks, shift, [&](const detail::BlockArray* arrays) { copies.run(exec, arrays); });
  }

  Exec exec;

 private:
  static std::size_t at(const detail::BlockPlace& place, const grid::Triple& cell, grid::Index quantity) {
    const grid::Index bytes =
        place.first + cell.y * place.stride[0] + cell.z * place.stride[1] + quantity * place.stride[2];
    return static_cast<std::size_t>(bytes) / sizeof(T) + static_cast<std::size_t>(cell.x);
  }

  std::array<grid::Index, 2> sizes_ = {};
};

using Sizes = ::testing::Types<std::uint8_t, std::uint16_t, float, double>;
TYPED_TEST_SUITE(BlockCopiesOf, Sizes);

TYPED_TEST(BlockCopiesOf, copy_every_extent_from_and_to_every_place) {
  const std::vector<grid::Index> lengths{1, 2, 3, 4, 5, 7, 8, 31, 127, 128, 129};
  std::vector<grid::Triple> extents;
  for (const grid::Index x : lengths)
    for (const grid::Index y : lengths) extents.push_back({x, y, 1});
  for (const grid::Index x : {1, 3, 4, 13})
    for (const grid::Index z : {2, 5}) extents.push_back({x, 7, z});
  for (const grid::Index lead : {0, 1, 2, 3, 4})
    for (const grid::Index gap : {0, 1, 4}) {
      this->check(this->blocks_of(extents, 1, {.gap_to = gap, .lead_from = lead}));
      this->check(this->blocks_of(extents, 3, {.gap_from = gap, .lead_to = lead}));
    }
}

TYPED_TEST(BlockCopiesOf, copy_few_blocks_and_many) {
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 52U}) {
    std::vector<grid::Triple> extents;
    for (std::size_t i = 0; i < count; ++i)
      extents.push_back({1 + static_cast<grid::Index>(i * 37 % 50), 9, 1});
    this->check(this->blocks_of(extents, 2, {.gap_from = 3, .gap_to = 5, .lead_to = 1}));
  }
}

TYPED_TEST(BlockCopiesOf, copy_blocks_longer_than_all_threads_at_once) {
  this->check(this->blocks_of({{1, 1'200'007, 1}, {3, 5, 1}}, 1, {.gap_from = 2}));
  this->check(this->blocks_of({{1'200'008, 1, 1}, {3, 5, 1}}, 1, {}));
}

TYPED_TEST(BlockCopiesOf, are_wide_where_all_rows_start_on_16_bytes) {
  const grid::Index w = this->wide;
  const std::vector<grid::Triple> extents{
      {w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}, {64 * w, 1, 1}, {w, 1, 2}};
  for (const int quantities : {1, 2}) {
    const auto blocks =
        this->blocks_of(extents, quantities, {.gap_from = w, .gap_to = 2 * w, .lead_from = w, .lead_to = 0});
    this->expect_wide(blocks, true);
    this->check(blocks);
  }
}

TYPED_TEST(BlockCopiesOf, are_not_wide_where_a_row_does_not) {
  const grid::Index w = this->wide;
  const std::vector<grid::Triple> extents{{w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}};
  const auto check_narrow = [&](const std::vector<detail::BlockCopy>& blocks) {
    this->expect_wide(blocks, false);
    this->check(blocks);
  };
  check_narrow(this->blocks_of({extents[0]}, 1, {.lead_from = 1}));
  check_narrow(this->blocks_of({extents[0]}, 1, {.lead_to = w - 1}));
  check_narrow(this->blocks_of(extents, 1, {.gap_from = 1, .lead_from = 0}));
  check_narrow(this->blocks_of(extents, 1, {.gap_to = w + 1}));
  check_narrow(this->blocks_of({{w + 1, w, 1}, {1, 9, 1}, {w - 1, 3, 4}}, 1, {}));
}

TYPED_TEST(BlockCopiesOf, copy_blocks_of_arrays_that_do_not_start_on_16_bytes) {
  const grid::Index w = this->wide, size = sizeof(TypeParam);
  auto blocks = this->blocks_of({{w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}}, 2, {.gap_to = w});
  this->expect_wide(blocks, true);
  for (grid::Index shift = 0; shift <= w; ++shift) {
    const grid::Index start = 16 | (shift * size), alignment = start & -start;
    for (detail::BlockCopy& block : blocks) block.from.alignment = block.to.alignment = alignment;
    for (const detail::BlockCopy& block : blocks) EXPECT_EQ(detail::BlockCopies::unit(block), alignment);
    this->check(blocks, shift);
  }
}

// The unit is what all starts and lengths have in common, and no more.
TEST(BlockCopies, move_the_largest_unit_that_a_block_allows) {
  for (const grid::Index unit : {1, 2, 4, 8, 16}) {
    const detail::BlockCopy good{.run = 3 * unit,
                                 .count = {5, 2, 3},
                                 .from = {0, unit, {7 * unit, 41 * unit, 99 * unit}},
                                 .to = {1, 48, {32, 64, 128}}};
    EXPECT_EQ(detail::BlockCopies::unit(good), unit);
    for (int part = 0; part < 6; ++part) {
      detail::BlockCopy wide = good;
      wide.run = 48, wide.from = {0, 32, {112, 656, 1584}};
      EXPECT_EQ(detail::BlockCopies::unit(wide), 16);
      if (part == 0) wide.run += unit;
      if (part == 1) wide.to.first += unit;
      if (part >= 2 && part < 5) wide.from.stride[static_cast<std::size_t>(part - 2)] += unit;
      if (part == 5) wide.to.alignment = unit;
      EXPECT_EQ(detail::BlockCopies::unit(wide), unit) << part;
      // Nobody goes along a dimension of one value.
      if (part >= 2 && part < 5) {
        wide.count = {1, 1, 1};
        EXPECT_EQ(detail::BlockCopies::unit(wide), 16);
      }
    }
  }
}

TYPED_TEST(BlockCopiesOf, copy_the_same_with_signals) {
  using backend::Signal;
  const grid::Index w = this->wide;
  for (const std::size_t count : {3U, 21U}) {
    std::vector<grid::Triple> extents{{1, 1'200'007, 1}, {17 * w, 33, 1}};
    while (extents.size() < count) extents.push_back({5, 3, 2});
    const auto blocks = this->blocks_of(extents, 1, {.gap_from = w});
    const std::vector<detail::BlockCopy> before(blocks.begin(), blocks.begin() + 2),
        after(blocks.begin() + 2, blocks.end());
    const detail::BlockCopies copies("haloheap::unit::copies", before, after);
    const auto exchange = make_device_array(std::vector<Signal>{41});
    const auto done = make_device_array(std::vector<unsigned>{0});
    detail::PeerSignals signals;
    signals.max_blocks = 16;
    signals.exchange = exchange.data();
    signals.workers_done = done.data();
    detail::SignalDuties duties;
    duties.first_kernel = true;
    this->check(blocks, 0,
                [&](const detail::BlockArray* arrays) { copies.run(this->exec, arrays, signals, duties); });
    EXPECT_EQ(to_host(exchange), std::vector<Signal>{42});
    EXPECT_EQ(to_host(done), std::vector<unsigned>{0});
  }
}

// Long rows for the last worker, a value at a time for the others: the peer is told when the slowest has
// come.
TEST(BlockCopies, of_several_workers_tell_the_peers_when_all_have_come) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "a thread of the host looks into the kernel's memory";
  const grid::Index workers = Exec().concurrency();
  if (workers < 2) GTEST_SKIP() << "needs several workers: see comm_plan_test_threads";
  // A tile each, and tiles go to the workers in turn.
  const grid::Index row = 4096, length = 1500 * row;
  std::vector<detail::BlockCopy> blocks;
  for (grid::Index first = 0; first < length; first += row)
    for (grid::Index worker = 0; worker < workers; ++worker)
      blocks.push_back(block_of<float>({worker + 1 == workers ? row : 1, 1, 1}, 1, {0, 4 * (1 + first), {}},
                                       {1, worker + 1 == workers ? 4 * (1 + first) : 0, {}}));
  const detail::BlockCopies copies("haloheap::unit::copies", blocks);
  const memory::Array<float> from = make_device_array(std::vector<float>(length + 1, 1)),
                             to = make_device_array(std::vector<float>(length + 1, 0));
  const auto table = make_device_array(std::vector<detail::BlockArray>{
      {reinterpret_cast<std::byte*>(from.data())}, {reinterpret_cast<std::byte*>(to.data())}});
  const auto flags = make_device_array(std::vector<backend::Signal>(64, 0));
  const auto exchange = make_device_array(std::vector<backend::Signal>{0});
  const auto done = make_device_array(std::vector<unsigned>{0});
  backend::Signal* const told = flags.data() + 32;
  const auto channels = make_device_array(
      std::vector<detail::PeerChannel>{{flags.data(), flags.data() + 8, flags.data() + 16, told}});
  detail::PeerSignals signals{
      .channels = channels.data(), .exchange = exchange.data(), .workers_done = done.data()};
  const detail::SignalDuties duties{.announce = {}, .await = {}, .raise = {0, 1}, .first_kernel = true};
  for (backend::Signal turn = 1; turn <= 8; ++turn) {
    to_device(std::vector<float>(length + 1, 0), to);
    float last = -1;
    std::thread peer([&] {
      if (backend::await_signal(told, turn, 60, nullptr)) last = to.data()[length];
    });
    copies.run(Exec(), table.data(), signals, duties);
    Kokkos::fence("haloheap::unit::told");
    peer.join();
    EXPECT_EQ(last, 1) << "turn " << turn;
  }
}

TEST(BlockCopies, name_the_first_peer_that_was_lost) {
  const auto flags = make_device_array(std::vector<backend::Signal>(32, 0));
  const auto exchange = make_device_array(std::vector<backend::Signal>{0});
  const auto done = make_device_array(std::vector<unsigned>{0});
  const auto lost = make_device_array(std::vector<int>{0}),
             lost_on_host = make_device_array(std::vector<int>{0});
  const auto channels = make_device_array(std::vector<detail::PeerChannel>{
      {flags.data(), flags.data() + 8, flags.data() + 16, flags.data() + 24},
      {flags.data() + 1, flags.data() + 9, flags.data() + 17, flags.data() + 25}});
  const detail::PeerSignals signals{.channels = channels.data(),
                                    .exchange = exchange.data(),
                                    .workers_done = done.data(),
                                    .lost = lost.data(),
                                    .lost_on_host = lost_on_host.data(),
                                    .timeout = 0.02};
  const detail::BlockCopies nothing("haloheap::unit::nothing", {});
  nothing.run(Exec(), nullptr, signals, {.announce = {}, .await = {0, 2}, .raise = {}, .first_kernel = true});
  Kokkos::fence("haloheap::unit::lost");
  const int first = to_host(lost)[0];
  EXPECT_EQ(to_host(lost_on_host)[0], first);
  // Lanes of a device wait for both at once.
  if (backend::kernels_on_host) {
    EXPECT_EQ(first, 1);
  } else {
    EXPECT_GT(first, 0);
  }
}

TEST(BlockCopies, without_blocks_launch_nothing) {
  const detail::BlockCopies copies("haloheap::unit::nothing", {});
  EXPECT_TRUE(copies.empty());
  copies.run({}, nullptr);
  Kokkos::fence("haloheap::unit::nothing");
}

TEST(BlockCopies, refuse_blocks_that_cannot_be_counted) {
  EXPECT_THROW(detail::BlockCopies("haloheap::unit::huge", {{.run = 1 << 16, .count = {1 << 16, 1, 8}}}),
               UsageError);
}

}  // namespace
}  // namespace haloheap::comm
