// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What exchanges between ranks that reach each other's memory have to keep: every transport that stays within
// a node, those without messages, and what `auto` makes of them. transport_conformance_test.cpp has the
// others, with the same cases.
#include <haloheap/unit/comm/conformance.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/comm/random_stalls.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <regex>

namespace haloheap::comm {
namespace {

using namespace testing;

/// Flat grids, periodic, in which every rank is every other's neighbour.
grid::Triple ranks_of(const Communicator& world) {
  return world.size() % 2 == 0 ? grid::Triple{world.size() / 2, 2, 1} : grid::Triple{world.size(), 1, 1};
}

/// The exchange of one field, whose values depend on salt, time, cell and quantity.
class FieldExchanger {
 public:
  static constexpr int halo = 2;

  /// @param cells a rank's, but for one more in x on the last ranks
  FieldExchanger(const Path& path, const Communicator& world, const grid::Triple& cells, Exchange exchange,
                 int salt, double timeout)
      : salt_(salt),
        cells_{cells.x * ranks_of(world).x + 1, cells.y * ranks_of(world).y, 1},
        grid_(Problem{lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[0], cells_, 2}.on(
            world, ranks_of(world))),
        layout_(grid_.layout(halo, sizeof(float))),
        plan_(HaloPlan::make(grid_.topology, layout_, cells_, exchange)),
        field_(memory::make_memory_resource("device"), "haloheap::unit::field",
               static_cast<std::size_t>(layout_.size())) {
    DeepHaloConfig config{.halo = {}};
    path.apply(config);
    config.halo.timeout = timeout;
    config.halo.buffers = memory::make_memory_resource("device");
    exchange_.emplace(world, plan_, grid_.topology, ExchangedFields::of<float>(layout_, {field_, field_}),
                      config.halo, timer_);
  }

  int rounds() const { return 1; }  // HaloExchange goes through its own
  // A kernel that begins may wait until the peers have begun too, which on host backends keeps this thread.
  bool begins_in_any_order() const { return false; }
  // Rounds after the first are sent in `end`, and so are messages that were not packed before.
  bool ends_in_any_order() const { return plan_.rounds.size() == 1 && exchange_->without_host(); }
  bool without_host() const { return exchange_->without_host(); }
  std::string mix() const { return exchange_->mix(); }

  /// Ghost cells become NaN: a value that comes before it may is lost.
  void begin(int /*round*/, int time) {
    std::vector<float> values(field_.size(), std::numeric_limits<float>::quiet_NaN());
    for (int quantity = 0; quantity < layout_.quantities; ++quantity)
      for_each_cell(layout_.own_box(), [&](const grid::Triple& cell) {
        values[static_cast<std::size_t>(layout_.at(cell, quantity))] = content(time, cell, quantity);
      });
    backend::copy_async(queue_.exec(), field_.data(), values.data(), values.size() * sizeof(float));
    queue_.exec().fence("haloheap::unit::filled");  // `values` ends here
    exchange_->begin(queue_.exec(), field_.data());
  }
  void push(int /*round*/) {}
  void await(int /*round*/) { exchange_->end(queue_.exec(), field_.data()); }

  std::size_t finish(int /*round*/, int time) {
    std::vector<float> values(field_.size());
    backend::copy_async(queue_.exec(), values.data(), field_.data(), values.size() * sizeof(float));
    queue_.exec().fence("haloheap::unit::exchanged");
    exchange_->check();
    std::size_t wrong = 0;
    for (int quantity = 0; quantity < layout_.quantities; ++quantity)
      for_each_cell(grown(layout_.own_box(), 2, halo), [&](const grid::Triple& cell) {
        wrong += same_bits(values[static_cast<std::size_t>(layout_.at(cell, quantity))],
                           content(time, cell, quantity))
                     ? 0
                     : 1;
      });
    return wrong;
  }

  std::size_t exchange(int time) {
    begin(0, time);
    await(0);
    return finish(0, time);
  }

  std::vector<int> peers() const {
    std::vector<int> result;
    for (const HaloRound& round : plan_.rounds)
      for (const HaloMessage& message : round.messages) result.push_back(message.peer);
    return result;
  }

 private:
  float content(int time, const grid::Triple& cell, int quantity) const {
    const grid::Triple lo = grid_.own().lo;
    std::uint64_t n = 0;
    for (const grid::Index part :
         {grid::Index{salt_}, grid::Index{time}, grid::Index{quantity}, (cell.x + lo.x + cells_.x) % cells_.x,
          (cell.y + lo.y + cells_.y) % cells_.y})
      n = (n ^ static_cast<std::uint64_t>(part + 1)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<float>(n >> 40);
  }

  int salt_;
  grid::Triple cells_;
  GridProblem grid_;
  grid::FieldLayout layout_;
  HaloPlan plan_;
  PhaseTimer timer_{false};
  backend::Instance queue_{backend::Priority::high};
  memory::Array<float> field_;
  std::optional<HaloExchange> exchange_;
};

class PeerConformance : public ::testing::TestWithParam<Path> {
 protected:
  using Maker = std::function<std::unique_ptr<FieldExchanger>(int salt, double timeout)>;

  /// Rows of the halo are long enough to be stored as they are, columns are not: see HaloBlocks::narrow.
  Maker maker(Exchange exchange, const grid::Triple& cells = {37, 9, 1}) const {
    return [this, exchange, cells](int salt, double timeout) {
      return std::make_unique<FieldExchanger>(GetParam(), world, cells, exchange, salt, timeout);
    };
  }

  /// What a device does on memory that it has mapped, when its owner has given it back, nobody defines.
  /// Memory files, which are all the memory of an emulated one, stay.
  bool owners_may_leave() const { return backend::kernels_on_host || GetParam().mpi == shared_memory; }

  static constexpr std::array both = {Exchange::sync, Exchange::async};
  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(PeerConformance, carries_every_value_again_and_again) {
  for (const Exchange exchange : both)
    for (const grid::Triple& cells :
         {grid::Triple{2, 2, 1}, grid::Triple{37, 9, 1}, grid::Triple{31, 4, 1}, grid::Triple{9000, 2, 1}}) {
      const auto exchanger = maker(exchange, cells)(1, long_timeout);
      for (int time = 0; time < 4; ++time) EXPECT_EQ(exchanger->exchange(time), 0U) << time;
    }
}

TEST_P(PeerConformance, one_rank_may_run_ahead) {
  for (const Exchange exchange : both)
    conformance::one_rank_may_run_ahead(world, *maker(exchange)(1, long_timeout), 3 * world.size());
}

TEST_P(PeerConformance, random_delays_change_nothing) {
  for (const Exchange exchange : both)
    conformance::random_delays_change_nothing(world, *maker(exchange)(1, long_timeout), 20);
}

// With several threads a rank (comm_peer_test_threads), workers stop between what they store and their
// arrival.
TEST_P(PeerConformance, workers_that_stall_at_random_change_nothing) {
  for (const Exchange exchange : both) {
    const auto exchanger = maker(exchange, {67, 40, 1})(1, 60);
    const RandomStalls stalls(static_cast<unsigned>(31 + world.rank()));
    for (int time = 0; time < 40; ++time) EXPECT_EQ(exchanger->exchange(time), 0U) << time;
  }
}

TEST_P(PeerConformance, exchanges_alive_at_once_do_not_mix) {
  for (const Exchange exchange : both) {
    std::vector<std::unique_ptr<FieldExchanger>> exchangers;
    for (int salt = 0; salt < 4; ++salt) exchangers.push_back(maker(exchange)(salt, long_timeout));
    conformance::those_alive_at_once_do_not_mix(world, exchangers);
  }
}

TEST_P(PeerConformance, many_can_be_made_and_dropped_without_being_used) {
  conformance::many_can_be_made_and_dropped_without_being_used(maker(Exchange::sync));
}

TEST_P(PeerConformance, a_silent_peer_is_named_within_the_time_out) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  const auto check = [&](const std::vector<int>& peers, int silent, const std::string& message,
                         double timeout) -> std::string {
    if (world.rank() == silent) return message;
    if (!conformance::contains(peers, silent)) return "the silent rank is no neighbour";
    // With `auto` a rank may wait for messages of others, too, that have waited for the silent one before
    // they sent.
    const std::regex expected(
        fmt::format("rank {} waited {:g} s for rank (\\d, )*{}", world.rank(), timeout, silent) +
        ", which sent or took nothing\n"
        "  consequence: the run cannot go on without it\n"
        "  remedy: see whether that rank died or hangs; the timeout says how long to wait");
    return std::regex_match(message, expected) ? "" : "said: '" + message + "'";
  };
  conformance::a_silent_peer_is_named_within_the_time_out(world, maker(Exchange::async), check);
}

TEST_P(PeerConformance, a_value_that_comes_late_does_no_harm) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  if (!owners_may_leave())
    GTEST_SKIP() << "memory of a device may not be given back while a peer has it mapped";
  const std::vector<float> block(20000, 7);
  const auto occupy = [&] {
    auto where_the_field_was = std::make_shared<std::vector<memory::Array<float>>>();
    for (int i = 0; i < 16; ++i) where_the_field_was->push_back(make_device_array(block));
    return [&block, where_the_field_was] {
      return std::all_of(where_the_field_was->begin(), where_the_field_was->end(),
                         [&](const memory::Array<float>& there) { return to_host(there) == block; });
    };
  };
  conformance::a_message_that_comes_late_does_no_harm(world, maker(Exchange::async), occupy);
}

TEST_P(PeerConformance, needs_the_host_for_neighbours_on_other_nodes_alone) {
  const int node = GetParam().ranks_per_node;
  bool far = false;
  for (const Exchange exchange : both) {
    const auto exchanger = maker(exchange)(1, long_timeout);
    for (const int peer : exchanger->peers()) far = far || (node > 0 && peer / node != world.rank() / node);
    EXPECT_EQ(exchanger->without_host(), !far) << exchanger->mix();
  }
}

std::vector<Path> peer_paths() {
  std::vector<Path> result;
  for (const Path& path : plain_paths())
    if (transport_info(path.transport, path.mpi).reach == Reach::node) result.push_back(path);
  for (const int ranks_per_node : {0, 2}) result.push_back({"auto", "persistent", false, ranks_per_node});
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, PeerConformance, ::testing::ValuesIn(peer_paths()), [](const auto& parameter) {
  const Path& path = parameter.param;
  return path.transport + (path.mpi == shared_memory ? "_shared" : "") +
         (path.ranks_per_node > 0 ? "_" + std::to_string(path.ranks_per_node) : "");
});

}  // namespace
}  // namespace haloheap::comm
