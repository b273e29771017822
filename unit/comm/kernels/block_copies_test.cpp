// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/kernels/block_arrays.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace haloheap::comm {
namespace {

using namespace testing;
using Exec = Kokkos::DefaultExecutionSpace;

/// Where a block of `extent` stands whose rows, planes and quantities are `gap` values apart.
detail::BlockPlace place(int array, grid::Index first, const grid::Triple& extent, grid::Index gap) {
  const grid::Index row = extent.x + gap, plane = row * extent.y + gap;
  return {array, first, row, plane, plane * extent.z + gap};
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
    for (const grid::Triple& extent : extents) {
      detail::BlockCopy block{.extent = extent,
                              .from = place(0, from + layout.lead_from, extent, layout.gap_from),
                              .to = place(1, to + layout.lead_to, extent, layout.gap_to)};
      from = block.from.first + block.from.quantity * quantities;
      to = block.to.first + block.to.quantity * quantities;
      blocks.push_back(block);
    }
    sizes_ = {from, to};
    return blocks;
  }

  static void expect_wide(const std::vector<detail::BlockCopy>& blocks, int quantities, bool expected) {
    for (const detail::BlockCopy& block : blocks)
      EXPECT_EQ(detail::BlockCopies<T>::width(block, quantities), expected ? wide : 1);
  }

  /// Runs `run(arrays)` and compares all values, those between the blocks too, with plain loops.
  template <class Run>
  void check(const std::vector<detail::BlockCopy>& blocks, int quantities, grid::Index shift,
             const Run& run) {
    std::vector<std::vector<T>> values;
    for (unsigned i = 0; i < 2; ++i) values.push_back(random_values<T>(sizes_[i] + shift + 3, i));
    const Arrays<T> arrays(values, static_cast<std::size_t>(shift));
    run(arrays.table());
    exec.fence("haloheap::unit::blocks");
    for (const detail::BlockCopy& block : blocks)
      for (int q = 0; q < quantities; ++q)
        for_each_cell({{0, 0, 0}, block.extent}, [&](const grid::Triple& cell) {
          values[1][at(block.to, cell, q) + static_cast<std::size_t>(shift)] =
              values[0][at(block.from, cell, q) + static_cast<std::size_t>(shift)];
        });
    EXPECT_EQ(difference(arrays.values(0), values[0]), "");
    EXPECT_EQ(difference(arrays.values(1), values[1]), "");
  }

  void check(const std::vector<detail::BlockCopy>& blocks, int quantities, grid::Index shift = 0) {
    const detail::BlockCopies<T> copies("haloheap::unit::copies", blocks, quantities);
    check(blocks, quantities, shift, [&](const detail::BlockArray<T>* arrays) { copies.run(exec, arrays); });
  }

  Exec exec;

 private:
  static std::size_t at(const detail::BlockPlace& place, const grid::Triple& cell, int quantity) {
    return static_cast<std::size_t>(place.first + cell.x + cell.y * place.row + cell.z * place.plane +
                                    quantity * place.quantity);
  }

  std::array<grid::Index, 2> sizes_ = {};
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BlockCopiesOf, Precisions);

TYPED_TEST(BlockCopiesOf, copy_every_extent_from_and_to_every_place) {
  const std::vector<grid::Index> lengths{1, 2, 3, 4, 5, 7, 8, 31, 127, 128, 129};
  std::vector<grid::Triple> extents;
  for (const grid::Index x : lengths)
    for (const grid::Index y : lengths) extents.push_back({x, y, 1});
  for (const grid::Index x : {1, 3, 4, 13})
    for (const grid::Index z : {2, 5}) extents.push_back({x, 7, z});
  for (const grid::Index lead : {0, 1, 2, 3, 4})
    for (const grid::Index gap : {0, 1, 4}) {
      this->check(this->blocks_of(extents, 1, {.gap_to = gap, .lead_from = lead}), 1);
      this->check(this->blocks_of(extents, 3, {.gap_from = gap, .lead_to = lead}), 3);
    }
}

TYPED_TEST(BlockCopiesOf, copy_few_blocks_and_many) {
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 52U}) {
    std::vector<grid::Triple> extents;
    for (std::size_t i = 0; i < count; ++i)
      extents.push_back({1 + static_cast<grid::Index>(i * 37 % 50), 9, 1});
    this->check(this->blocks_of(extents, 2, {.gap_from = 3, .gap_to = 5, .lead_to = 1}), 2);
  }
}

TYPED_TEST(BlockCopiesOf, copy_blocks_longer_than_all_threads_at_once) {
  this->check(this->blocks_of({{1, 1'200'007, 1}, {3, 5, 1}}, 1, {.gap_from = 2}), 1);
  this->check(this->blocks_of({{1'200'008, 1, 1}, {3, 5, 1}}, 1, {}), 1);
}

TYPED_TEST(BlockCopiesOf, are_wide_where_all_rows_start_on_16_bytes) {
  const grid::Index w = this->wide;
  const std::vector<grid::Triple> extents{
      {w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}, {64 * w, 1, 1}, {w, 1, 2}};
  for (const int quantities : {1, 2}) {
    const auto blocks =
        this->blocks_of(extents, quantities, {.gap_from = w, .gap_to = 2 * w, .lead_from = w, .lead_to = 0});
    this->expect_wide(blocks, quantities, true);
    this->check(blocks, quantities);
  }
}

TYPED_TEST(BlockCopiesOf, are_not_wide_where_a_row_does_not) {
  const grid::Index w = this->wide;
  const std::vector<grid::Triple> extents{{w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}};
  const auto check_narrow = [&](const std::vector<detail::BlockCopy>& blocks) {
    this->expect_wide(blocks, 1, false);
    this->check(blocks, 1);
  };
  check_narrow(this->blocks_of({extents[0]}, 1, {.lead_from = 1}));
  check_narrow(this->blocks_of({extents[0]}, 1, {.lead_to = w - 1}));
  check_narrow(this->blocks_of(extents, 1, {.gap_from = 1, .lead_from = 0}));
  check_narrow(this->blocks_of(extents, 1, {.gap_to = w + 1}));
  check_narrow(this->blocks_of({{w + 1, w, 1}, {1, 9, 1}, {w - 1, 3, 4}}, 1, {}));
}

// Arrays that do not start on 16 bytes: only the kernel can know.
TYPED_TEST(BlockCopiesOf, copy_wide_blocks_of_misaligned_arrays) {
  const grid::Index w = this->wide;
  const auto blocks = this->blocks_of({{w, 5, 1}, {9 * w, 300, 1}, {2 * w, 7, 3}}, 2, {.gap_to = w});
  this->expect_wide(blocks, 2, true);
  for (grid::Index shift = 0; shift <= w; ++shift) this->check(blocks, 2, shift);
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
    const detail::BlockCopies<TypeParam> copies("haloheap::unit::copies", before, 1, after);
    const auto exchange = make_device_array(std::vector<Signal>{41});
    const auto done = make_device_array(std::vector<unsigned>{0});
    detail::PeerSignals signals;
    signals.max_blocks = 16;
    signals.exchange = exchange.data();
    signals.workers_done = done.data();
    detail::SignalDuties duties;
    duties.first_kernel = true;
    this->check(blocks, 1, 0, [&](const detail::BlockArray<TypeParam>* arrays) {
      copies.run(this->exec, arrays, signals, duties);
    });
    EXPECT_EQ(to_host(exchange), std::vector<Signal>{42});
    EXPECT_EQ(to_host(done), std::vector<unsigned>{0});
  }
}

// A short row for one worker, a long one for the next: the peer is told when the slower has come.
TEST(BlockCopies, of_several_workers_tell_the_peers_when_all_have_come) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "a thread of the host looks into the kernel's memory";
  if (Exec().concurrency() < 2) GTEST_SKIP() << "needs several workers: see comm_plan_test_threads";
  const grid::Index length = 6'000'000;
  const std::vector<detail::BlockCopy> blocks{{.extent = {1, 1, 1}, .from = {0, 0}, .to = {1, 0}},
                                              {.extent = {length, 1, 1}, .from = {0, 1}, .to = {1, 1}}};
  const detail::BlockCopies<float> copies("haloheap::unit::copies", blocks, 1);
  const memory::Array<float> from = make_device_array(std::vector<float>(length + 1, 1)),
                             to = make_device_array(std::vector<float>(length + 1, 0));
  const auto table = make_device_array(std::vector<detail::BlockArray<float>>{{from.data()}, {to.data()}});
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
  const detail::BlockCopies<float> nothing("haloheap::unit::nothing", {}, 1);
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
  const detail::BlockCopies<float> copies("haloheap::unit::nothing", {}, 1);
  EXPECT_TRUE(copies.empty());
  copies.run({}, nullptr);
  Kokkos::fence("haloheap::unit::nothing");
}

TEST(BlockCopies, refuse_blocks_that_cannot_be_counted) {
  EXPECT_THROW(detail::BlockCopies<float>("haloheap::unit::huge", {{.extent = {1 << 16, 1 << 16, 1}}}, 1),
               UsageError);
}

}  // namespace
}  // namespace haloheap::comm
