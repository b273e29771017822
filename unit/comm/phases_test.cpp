// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What each phase of an exchange counts. Time stands still in this program, but where a delay is planted: so
// a phase has its delays to the last second, and the others have nothing.
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

/// Where time passes. MPI gathers what it is given by a datatype when it is posted, or else while it is
/// waited for, where it also scatters what has come.
enum class Spot { nowhere, pack_kernel, posting, gathering, waiting, barrier, unpack_kernel };

constexpr int delay = 1000;  // seconds

Spot spot = Spot::nowhere;
int planted = 0;
bool by_datatype = false;  // how the last send was given to MPI: no row of bytes
bool under_way = false;    // messages have been posted, and nobody has asked for them yet
std::string order;         // of barriers, B, packing kernels, K, posted messages, P, and unpacking kernels, U
std::atomic<int> clock_seconds{0};

void arrive_at(Spot here) {
  if (here != spot) return;
  ++planted;
  clock_seconds += delay;
}

void arrive_at_post() {
  under_way = true;
  order += 'P';
  arrive_at(by_datatype ? Spot::gathering : Spot::posting);
}

void on_kernel(const char* label, std::uint32_t, std::uint64_t*) {
  const auto arrive_there = [](char letter, Spot here) {
    order += letter;
    arrive_at(here);
  };
  if (label == std::string("haloheap::comm::pack")) arrive_there('K', Spot::pack_kernel);
  if (label == std::string("haloheap::comm::unpack")) arrive_there('U', Spot::unpack_kernel);
}

/// Of `order` what is one of these letters; messages that follow each other are one.
std::string order_of(const std::string& letters) {
  std::string some;
  for (const char letter : order)
    if (letters.find(letter) != std::string::npos && (letter != 'P' || some.empty() || some.back() != 'P'))
      some += letter;
  return some;
}

}  // namespace

// In the place of the standard library's: the clock of timers and of events of host backends.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(std::chrono::seconds(clock_seconds));
}

// In front of the MPI library's own. All sends of a path are given to MPI in the same way.
extern "C" int MPI_Send_init(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                             MPI_Request* request) {
  by_datatype = type != MPI_BYTE;
  return PMPI_Send_init(data, count, type, peer, tag, comm, request);
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  arrive_at_post();
  return PMPI_Startall(count, requests);
}

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  by_datatype = type != MPI_BYTE;
  arrive_at_post();
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

// Who waits leaves the core to others after a while, which here never passes.
extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* result) {
  if (std::exchange(under_way, false)) arrive_at(Spot::waiting);
  const int status = PMPI_Test(request, done, result);
  if (*done == 0) std::this_thread::yield();
  return status;
}

extern "C" int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  order += 'B';
  arrive_at(Spot::barrier);
  return PMPI_Ibarrier(comm, request);
}

namespace haloheap::comm {
namespace {

using namespace testing;
namespace tools = Kokkos::Tools::Experimental;

using Seconds = std::array<double, phase_count>;

/// A place, and the phase that it belongs to.
constexpr std::array<std::pair<Spot, Phase>, 6> places{{{Spot::pack_kernel, Phase::pack},
                                                        {Spot::posting, Phase::message},
                                                        {Spot::gathering, Phase::message},
                                                        {Spot::waiting, Phase::message},
                                                        {Spot::barrier, Phase::desynchronisation},
                                                        {Spot::unpack_kernel, Phase::unpack}}};

/// How halos are sent.
struct Way {
  Path path;
  bool host_packs = false;  // datatypes, corners on the host and a message each way, as in [Valen2023]

  void apply(DeepHaloConfig& config) const {
    path.apply(config);
    if (!host_packs) return;
    config.messages = MessagesPer::direction;
    config.halo.packing = Packing::datatype;
    config.halo.corners = Corners::host;
  }
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.path.describe() << (way.host_packs ? ", packed by the host" : "");
}

class Phases : public ::testing::TestWithParam<Way> {
 protected:
  Phases() { tools::set_begin_parallel_for_callback(on_kernel); }
  ~Phases() override {
    spot = Spot::nowhere;
    tools::set_callbacks(before_);
  }

  /// What the phases say of seven exchanges with a delay at one place.
  Seconds with_delay(Spot where, Exchange exchange, Overlap overlap, bool barriers) {
    DeepHaloConfig config{.depth = 2, .exchange = exchange, .overlap = overlap, .halo = {}};
    GetParam().apply(config);
    config.halo.desynchronisation = barriers;
    return seconds_of(config, where);
  }

  Seconds seconds_of(const DeepHaloConfig& config, Spot where) {
    DeepHaloRun<float> run(world_, problem_, ranks_, config);
    planted = 0;
    under_way = false;
    order.clear();
    spot = where;
    run.stepper().advance(problem_.steps);
    run.stepper().finish();
    spot = Spot::nowhere;
    return run.stepper().timer().seconds();
  }

  /// That each of the seven exchanges came by, unless they should not.
  static void expect_planted(Spot where, bool barriers) {
    if (where == Spot::barrier)
      EXPECT_EQ(planted, barriers ? 7 : 0) << "one an exchange, however many rounds it has";
    else if (where == (GetParam().host_packs ? Spot::posting : Spot::gathering))
      EXPECT_EQ(planted, 0) << "of datatypes or of bytes, never both";
    else
      EXPECT_GE(planted, 7) << "place " << static_cast<int>(where);
  }

  const Communicator world_{MPI_COMM_WORLD};
  // With two rows of ranks, corners come by way of the second round's messages.
  const int rows_ = world_.size() % 4 == 0 ? 2 : 1;
  const grid::Triple ranks_{world_.size() / rows_, rows_, 1};
  const Problem problem_{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {8 * world_.size(), 9, 1}, 1, 14};

 private:
  tools::EventSet before_ = tools::get_callbacks();
};

TEST_P(Phases, count_what_is_theirs_and_nothing_else) {
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps})
      for (const bool barriers : {true, false})
        for (const auto& [where, phase] : places) {
          const Seconds seconds = with_delay(where, exchange, overlap, barriers);
          Seconds expected{};
          expected[static_cast<std::size_t>(phase)] = planted * delay;
          EXPECT_EQ(seconds, expected) << "place " << static_cast<int>(where) << ", " << name_of(exchange)
                                       << ", overlap " << name_of(overlap) << ", barriers " << barriers;
          expect_planted(where, barriers);
        }
}

/// Messages that were under way while ranks meet would count as nothing.
TEST_P(Phases, begin_with_messages_when_all_ranks_have_met) {
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
      with_delay(Spot::nowhere, exchange, overlap, true);
      EXPECT_EQ(order_of("BP"), "BPBPBPBPBPBPBP") << name_of(exchange) << ", overlap " << name_of(overlap);
      with_delay(Spot::nowhere, exchange, overlap, false);
      EXPECT_EQ(order_of("BP"), "P") << name_of(exchange) << ", overlap " << name_of(overlap);
    }
}

/// Listing 12 of [Valen2023]: what is sent goes to the host once, corners are copied there from what has come
/// to what is sent next, and all of it comes back once; else each round goes to the host and back.
TEST_P(Phases, go_to_the_host_once_where_it_copies_corners) {
  if (rows_ == 1) GTEST_SKIP() << "corners go nowhere";
  DeepHaloConfig config{.depth = 2, .exchange = Exchange::sync, .halo = {}};
  GetParam().apply(config);
  config.halo.packing = Packing::kernel;
  const auto seven_times = [](const std::string& letters) {
    std::string all;
    for (int i = 0; i < 7; ++i) all += letters;
    return all;
  };
  config.halo.corners = Corners::host;
  seconds_of(config, Spot::nowhere);
  EXPECT_EQ(order_of("KPU"), seven_times("KPU"));
  config.halo.corners = Corners::device;
  seconds_of(config, Spot::nowhere);
  EXPECT_EQ(order_of("KPU"), seven_times("KPUKPU"));
}

std::vector<Way> through_the_host() {
  std::vector<Way> all;
  for (const std::string& transport : host_buffered_transports())
    for (const std::string& mode : request_modes())
      for (const bool host_packs : {false, true}) all.push_back({{transport, mode}, host_packs});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Phases, ::testing::ValuesIn(through_the_host()), [](const auto& parameter) {
  const Way& way = parameter.param;
  return way.path.transport + "_" + way.path.mpi + (way.host_packs ? "_host_packs" : "");
});

}  // namespace
}  // namespace haloheap::comm
