// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// How far advice on this machine is from the best that can be found by measuring everything. No test: its
// result is times.
//
//   mpirun -n 2 compare_advice [deck=1,4] [divide=16] [seconds=100] [full=1]
//
// Six decks for one rank, six others for more. For each: advice; then all of a coarse grid of choices, and
// all that differ from the best of these in one key (full=1: all there are); then the advised and the best
// choice again, in turns. divide=N makes all grids N times smaller in each dimension, for a CPU.
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/advise/grid_advice.hpp>
#include <haloheap/miniapp/advise/grid_bench.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/report/spread.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::advise {
namespace {

struct Case {
  const char* problem;
  std::vector<int> size;
  bool single = true;
  std::vector<std::string> overrides = {};
};

const std::vector<std::string> walls = {"boundary.x_low=dirichlet", "boundary.x_high=neumann",
                                        "boundary.y_low=neumann", "boundary.y_high=dirichlet"};

std::vector<Case> cases(int ranks) {
  if (ranks == 1)
    return {{"heat2d", {8192, 8192}},
            {"heat2d", {2048, 2048}},
            {"heat2d", {1024, 1024}, false, walls},
            {"heat2d", {16384, 16384}, false},
            {"heat3d", {512, 512, 512}},
            {"heat3d", {256, 256, 256}, false, {"stencil.shape=box"}}};
  return {{"heat2d", {8192, 8192}},
          {"heat2d", {2048, 2048}},
          {"heat2d", {16384, 8192}, false, walls},
          {"heat2d", {4096, 4096}, true, {"stencil.radius=2"}},
          {"heat3d", {512, 512, 256}},
          {"heat3d", {256, 256, 256}, false, {"stencil.shape=box"}}};
}

/// The arguments, name=value.
using Arguments = std::map<std::string, std::string>;

int number(const Arguments& arguments, const char* name, int fallback) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? fallback : std::atoi(found->second.c_str());
}

deck::Deck deck_of(const Case& chosen, int divide) {
  std::vector<std::string> overrides = chosen.overrides;
  overrides.emplace_back(chosen.single ? "grid.precision=float" : "grid.precision=double");
  std::string size;
  for (const int n : chosen.size) size += fmt::format("{}{}", size.empty() ? "" : ",", n / divide);
  overrides.push_back(fmt::format("grid.size=[{}]", size));
  overrides.push_back(fmt::format("problem={}", chosen.problem));
  overrides.emplace_back("grid.steps=1000");
  return deck::load_text(app_schema(), "", "no deck", overrides).point(0);
}

std::string in_words(const comm::HaloChoice& choice) {
  std::string text;
  for (const auto& [key, value] : keys_of(choice)) text += fmt::format(" {}", deck::to_string(value));
  return text;
}

bool power_of_2(int n) {
  return (n & (n - 1)) == 0;
}

/// Of a grid of choices that is coarse in every key.
bool coarse(const comm::HaloChoice& choice, int ranks) {
  const bool way = choice.transport == "peer_store" || (ranks > 1 && choice.transport == "pinned");
  return way && power_of_2(choice.depth) && power_of_2(choice.fused) &&
         choice.exchange == comm::Exchange::async && choice.overlap != comm::Overlap::first_step;
}

int differing_keys(const comm::HaloChoice& a, const comm::HaloChoice& b) {
  const auto first = keys_of(a), second = keys_of(b);
  return static_cast<int>(std::count_if(
      first.begin(), first.end(), [&](const auto& entry) { return second.at(entry.first) != entry.second; }));
}

class Comparison {
 public:
  Comparison(const comm::Communicator& communicator, const deck::Deck& deck, double seconds)
      : seconds_(seconds),
        ranks_(communicator.size()),
        runner_(communicator, seconds),
        bench_(deck, runner_),
        shape_(shape_of(deck, communicator.size())),
        options_(halo_options(deck, Scope::all_but({}), runner_)) {
    options_.allowed = [this](const comm::HaloChoice& choice) { return bench_.valid(choice); };
  }
  Comparison(const Comparison&) = delete;

  std::string run(bool full) {
    runner_.use(std::min(1.0, longest / seconds_));
    const comm::HaloAdvice advice = comm::advise_halo(shape_, options_, bench_);
    runner_.use(1);
    if (advice.candidates.empty()) return "no advice";
    const comm::HaloCandidate advised = advice.candidates.front();
    const double advised_after = runner_.elapsed();
    const auto choices = comm::all_choices(options_);
    for (const comm::HaloChoice& choice : choices)
      if (full || coarse(choice, ranks_)) measure(choice);
    if (!best_) return "nothing could be measured";
    const comm::HaloChoice centre = *best_;
    for (const comm::HaloChoice& choice : choices)
      if (differing_keys(choice, centre) == 1) measure(choice);
    const double loss = in_turns(advised.choice);
    return fmt::format("{:6.1f} %  advised in {:.1f} s{} {:.2f} us; best of {} in {:.1f} s{} {:.2f} us{}",
                       100 * loss, advised_after, in_words(advised.choice), 1e6 * advised.seconds(),
                       measured_, runner_.elapsed() - advised_after, in_words(*best_), 1e6 * min_,
                       runner_.time_is_up() ? "; THE TIME WAS UP" : "");
  }

 private:
  void measure(const comm::HaloChoice& choice) {
    const auto cycle = bench_.cycle(choice);
    if (!cycle) return;
    ++measured_;
    if (best_ && *cycle / choice.depth >= min_) return;
    min_ = *cycle / choice.depth;
    best_ = choice;
  }

  /// What is lost by the advised choice, as measured with the best one in turns.
  double in_turns(const comm::HaloChoice& advised) {
    std::vector<double> ratios;
    for (int i = 0; i < 5; ++i) {
      const auto a = bench_.cycle(advised), b = bench_.cycle(*best_);
      if (a && b) ratios.push_back(*a / advised.depth / (*b / best_->depth));
    }
    if (ratios.empty()) return 0;
    return report::spread_of(ratios).median - 1;
  }

  double seconds_;
  int ranks_;
  PointRunner runner_;
  GridBench bench_;
  comm::HaloShape shape_;
  comm::HaloOptions options_;
  std::optional<comm::HaloChoice> best_;
  double min_ = 0;
  int measured_ = 0;
};

void compare(const comm::Communicator& communicator, const Arguments& arguments) {
  const std::vector<Case> all = cases(communicator.size());
  const double limit = number(arguments, "seconds", 100);
  const std::string listed = arguments.contains("deck") ? fmt::format(",{},", arguments.at("deck")) : "";
  const base::Stopwatch watch;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!listed.empty() && listed.find(fmt::format(",{},", i + 1)) == std::string::npos) continue;
    const deck::Deck deck = deck_of(all[i], number(arguments, "divide", 1));
    const double left = limit - communicator.max(watch.seconds());
    if (left <= 0) return;
    Comparison comparison(communicator, deck, left);
    const std::string line = comparison.run(number(arguments, "full", 0) != 0);
    if (communicator.rank() > 0) continue;
    fmt::print("deck {} of {} rank{}: {} {} {}: {}\n", i + 1, communicator.size(),
               communicator.size() == 1 ? "" : "s", all[i].problem, deck::to_string(deck.value("grid.size")),
               deck.get<std::string>("grid.precision"), line);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace haloheap::advise

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  haloheap::advise::Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (equals == std::string::npos ||
        (name != "deck" && name != "divide" && name != "seconds" && name != "full")) {
      fmt::print(stderr, "compare_advice: {} is none of deck=, divide=, seconds=, full=\n", argument);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    arguments[name] = argument.substr(equals + 1);
  }
  try {
    haloheap::allocators::add_arenas();
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const haloheap::comm::Communicator communicator(MPI_COMM_WORLD);
    haloheap::advise::compare(communicator, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
