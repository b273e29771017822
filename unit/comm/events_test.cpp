// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the Kokkos Tools interface sees of a run: labels, and that the loop neither allocates nor fences.
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/core/memory/space.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <regex>
#include <string>

namespace haloheap::comm {
namespace {

using namespace testing;
namespace tools = Kokkos::Tools::Experimental;
using Exec = Kokkos::DefaultExecutionSpace;
using backend::kernels_on_host;

struct Launch {
  std::string label;
  std::uint32_t device_id;
};

struct Events {
  std::vector<std::string> allocations, fences, copies;
  std::vector<Launch> kernels;
};

Events seen;

void on_kernel(const char* label, std::uint32_t device_id, std::uint64_t*) {
  seen.kernels.push_back({label, device_id});
}

/// Everything that happens while this lives.
class Listener {
 public:
  Listener() : before_(tools::get_callbacks()) {
    seen = {};
    tools::set_begin_parallel_for_callback(on_kernel);
    tools::set_begin_parallel_reduce_callback(on_kernel);
    tools::set_begin_parallel_scan_callback(on_kernel);
    tools::set_allocate_data_callback([](Kokkos::Profiling::SpaceHandle, const char* label, const void*,
                                         std::uint64_t) { seen.allocations.emplace_back(label); });
    tools::set_begin_fence_callback([](const char* label, std::uint32_t, std::uint64_t*) {
      // Kokkos fences for the sake of its tools, before it calls them.
      if (std::string(label).find("Kokkos::Tools::invoke_kokkosp_callback") != 0)
        seen.fences.emplace_back(label);
    });
    tools::set_begin_deep_copy_callback([](Kokkos::Profiling::SpaceHandle, const char* label, const void*,
                                           Kokkos::Profiling::SpaceHandle, const char*, const void*,
                                           std::uint64_t) { seen.copies.emplace_back(label); });
  }
  ~Listener() { tools::set_callbacks(before_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  tools::EventSet before_;
};

std::string joined(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + "\n";
  return text;
}

bool well_labelled(const std::string& label) {
  static const std::regex pattern("^haloheap::[a-z_]+::[a-z_]+$");
  return std::regex_match(label, pattern);
}

class EventsOf : public ::testing::TestWithParam<Path> {
 protected:
  DeepHaloConfig config(Overlap overlap, Exchange exchange, bool phases) const {
    DeepHaloConfig result{.depth = 3, .exchange = exchange, .overlap = overlap, .halo = {}, .phases = phases};
    GetParam().apply(result);
    return result;
  }
  /// Periodic in x, with open sides in y: messages, copies and boundary kernels.
  Problem problem() const {
    return {lopsided_stencil(2, stencil::StencilShape::box, 1),
            boundaries()[4],
            {8 * world.size() + 1, 19, 1},
            2};
  }
  grid::Triple ranks() const { return {world.size(), 1, 1}; }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(EventsOf, the_listener_sees_what_the_tests_look_for) {
  const Listener listener;
  const Kokkos::View<int*, Exec> view("haloheap::unit::seen", 3);
  Kokkos::deep_copy(view, 1);
  Kokkos::fence("haloheap::unit::fence");
  EXPECT_EQ(std::count(seen.allocations.begin(), seen.allocations.end(), "haloheap::unit::seen"), 1);
  // A global fence is one event for each execution space.
  EXPECT_GE(std::count(seen.fences.begin(), seen.fences.end(), "haloheap::unit::fence"), 1);
  EXPECT_FALSE(seen.copies.empty());
  EXPECT_FALSE(well_labelled("Kokkos::fence"));
  EXPECT_FALSE(well_labelled("haloheap::pack"));
}

TEST_P(EventsOf, the_loop_neither_allocates_nor_fences_nor_uses_the_default_instance) {
  const std::uint32_t default_instance = tools::device_id(Exec());
  for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps})
    for (const Exchange exchange : {Exchange::sync, Exchange::async})
      for (const bool phases : {true, false}) {
        DeepHaloRun<float> run(world, problem(), ranks(), config(overlap, exchange, phases));
        run.stepper().advance(4);
        run.stepper().finish();
        const Listener listener;
        run.stepper().advance(10);
        EXPECT_EQ(joined(seen.allocations), "");
        EXPECT_EQ(joined(seen.fences), "");
        EXPECT_EQ(joined(seen.copies), "") << "Kokkos' deep copies fence";
        EXPECT_GT(seen.kernels.size(), 10U);
        for (const Launch& kernel : seen.kernels) {
          EXPECT_TRUE(well_labelled(kernel.label)) << kernel.label;
          EXPECT_TRUE(kernels_on_host || kernel.device_id != default_instance) << kernel.label;
        }
        run.stepper().finish();
        EXPECT_EQ(joined(seen.fences), "") << "to wait for the end is no fence either";
      }
}

TEST_P(EventsOf, the_passes_of_a_cycle_are_as_even_as_can_be) {
  DeepHaloConfig uneven = config(Overlap::none, Exchange::async, false);
  uneven.depth = 4;
  uneven.fused_steps = 3;
  DeepHaloRun<float> run(world, problem(), ranks(), uneven);
  const Listener listener;
  run.stepper().advance(8);
  run.stepper().finish();
  int fused = 0;
  for (const Launch& kernel : seen.kernels) {
    EXPECT_NE(kernel.label.find("haloheap::stencil::sweep"), 0U) << "a single step costs as much as two";
    fused += kernel.label.find("haloheap::stencil::fused") == 0;
  }
  EXPECT_GT(fused, 0);
}

TEST_P(EventsOf, a_graph_is_replayed_without_events_of_its_own) {
  if (transport_info(GetParam().transport, GetParam().mpi).reach != Reach::node)
    GTEST_SKIP() << "needs the host";
  DeepHaloConfig recorded = config(Overlap::all_steps, Exchange::async, false);
  recorded.graph = true;
  DeepHaloRun<float> run(world, problem(), ranks(), recorded);
  run.stepper().advance(12);
  run.stepper().finish();
  const Listener listener;
  run.stepper().advance(12);
  run.stepper().finish();
  EXPECT_EQ(joined(seen.allocations), "");
  EXPECT_EQ(joined(seen.fences), "");
  EXPECT_EQ(joined(seen.copies), "");
  // Host backends have nothing to replay and call the kernels again.
  EXPECT_EQ(seen.kernels.empty(), !kernels_on_host);
}

TEST_P(EventsOf, every_kernel_and_allocation_of_the_set_up_is_labelled) {
  const Listener listener;
  DeepHaloRun<double> run(world, problem(), ranks(), config(Overlap::all_steps, Exchange::sync, true));
  run.stepper().advance(3);
  run.stepper().finish();
  EXPECT_FALSE(seen.allocations.empty());
  for (const std::string& label : seen.allocations) {
    const bool from_kokkos = label.find("Kokkos::") == 0;  // scratch memory of a new instance
    EXPECT_TRUE(well_labelled(label) || (from_kokkos && !kernels_on_host)) << label;
  }
  for (const Launch& kernel : seen.kernels) EXPECT_TRUE(well_labelled(kernel.label)) << kernel.label;
}

TEST_P(EventsOf, beginning_an_exchange_does_not_fence) {
  const GridProblem grid = problem().on(world, ranks());
  const grid::FieldLayout layout = grid.layout(3, sizeof(double));
  const auto field = make_device_array(random_values<double>(layout.size(), 1));
  const HaloPlan plan = HaloPlan::make(grid.topology, layout, grid.cells, Exchange::async);
  PhaseTimer timer(true);
  timer.reserve(100);
  HaloExchangeConfig settings;
  settings.transport = GetParam().transport;
  settings.mpi = GetParam().mpi;
  settings.force_gpu_aware = true;
  settings.buffers = memory::make_memory_resource("device");
  settings.timeout = testing::long_timeout;
  HaloExchange exchange(world, plan, grid.topology, ExchangedFields::of<double>(layout, {field, field}),
                        settings, timer);
  const bool stages = GetParam().mpi == shared_memory;
  const backend::Instance queue(backend::Priority::high);
  for (int i = 0; i < 3; ++i) {
    {
      const Listener listener;
      exchange.begin(queue.exec(), field.data());
      EXPECT_EQ(joined(seen.fences), "");
      EXPECT_EQ(joined(seen.allocations), "");
      // Copy engines neither raise nor await signals: kernels of their own do it for them.
      const bool signals = world.size() > 1 && (stages || GetParam().transport == "peer_copy");
      ASSERT_EQ(seen.kernels.size(), signals ? 2U : 1U) << "one kernel packs everything";
      EXPECT_EQ(seen.kernels[0].label, "haloheap::comm::pack");
    }
    const Listener listener;
    exchange.end(queue.exec(), field.data());
    EXPECT_EQ(joined(seen.fences), "");
    EXPECT_EQ(joined(seen.allocations), "");
    // A rank alone has wrapped around in the beginning already.
    ASSERT_EQ(seen.kernels.size(), world.size() == 1 ? 0U
                                   : stages          ? 2U
                                                     : 1U)
        << "one kernel unpacks everything";
    if (world.size() > 1) {
      EXPECT_EQ(seen.kernels.back().label, "haloheap::comm::unpack");
    }
  }
  queue.exec().fence("haloheap::unit::exchanged");
}

TEST_P(EventsOf, exchanges_and_sums_of_views_neither_allocate_nor_fence) {
  using Cells = Kokkos::View<double**, Kokkos::LayoutRight, memory::DeviceSpace>;
  using Numbers = Kokkos::View<int** [3], Kokkos::LayoutRight, memory::DeviceSpace>;
  const Grid grid{2, {40 * world.size(), 30, 1}, Topology::make(world.rank(), ranks(), {true, true, true})};
  const Cells cells("haloheap::unit::cells", 34, 44);
  const Numbers numbers("haloheap::unit::numbers", 34, 44);
  DeepHaloConfig settings{.halo = {}};
  GetParam().apply(settings);
  for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
    HaloConfig wanted{.width = 2, .exchange = exchange, .accumulate = true, .halo = settings.halo};
    wanted.halo.timeout = long_timeout;
    Halo halo(world, grid, {cells, FieldView(numbers, "yxq")}, wanted);
    const backend::Instance queue(backend::Priority::high);
    const auto once = [&] {
      halo.exchange(queue.exec());
      halo.begin(queue.exec());
      halo.end(queue.exec());
      halo.accumulate(queue.exec());
    };
    for (int warm = 0; warm < 2; ++warm) once();
    queue.exec().fence("haloheap::unit::exchanged");
    {
      const Listener listener;
      once();
      EXPECT_EQ(joined(seen.allocations), "");
      EXPECT_EQ(joined(seen.fences), "");
      EXPECT_EQ(joined(seen.copies), "");
      EXPECT_FALSE(seen.kernels.empty());
      for (const Launch& kernel : seen.kernels) {
        EXPECT_TRUE(well_labelled(kernel.label)) << kernel.label;
        EXPECT_TRUE(kernels_on_host || kernel.device_id == tools::device_id(queue.exec())) << kernel.label;
      }
    }
    queue.exec().fence("haloheap::unit::exchanged");
    halo.check();
  }
}

INSTANTIATE_TEST_SUITE_P(All, EventsOf, ::testing::ValuesIn(plain_paths()), [](const auto& parameter) {
  return parameter.param.transport + (parameter.param.mpi == shared_memory ? "_shared" : "");
});

/// The kernels of one exchange, as letters: p(ack), s(ignal), u(npack), e(xchange in one).
std::string letters() {
  const std::string module = "haloheap::comm::";
  std::string text;
  for (const Launch& kernel : seen.kernels) text += kernel.label.at(module.size());
  return text;
}

class KernelsOf : public ::testing::TestWithParam<Path> {
 protected:
  /// Those of begin, of end, and of exchange, which need not leave room between the two.
  std::string kernels(Exchange exchange) const {
    const Problem problem{
        lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[0], {90, 60, 1}, 2};
    const GridProblem grid =
        problem.on(world, world.size() == 4 ? grid::Triple{2, 2, 1} : grid::Triple{1, world.size(), 1});
    const grid::FieldLayout layout = grid.layout(2, sizeof(float));
    const auto field = make_device_array(random_values<float>(layout.size(), 1));
    DeepHaloConfig config{.halo = {}};
    GetParam().apply(config);
    config.halo.timeout = long_timeout;
    PhaseTimer timer(false);
    HaloExchange halos(world, HaloPlan::make(grid.topology, layout, grid.cells, exchange), grid.topology,
                       ExchangedFields::of<float>(layout, {field, field}), config.halo, timer);
    const backend::Instance queue(backend::Priority::high);
    std::string text;
    const auto listen = [&](const auto& work) {
      const Listener listener;
      work();
      text += (text.empty() ? "" : " ") + letters();
    };
    listen([&] { halos.begin(queue.exec(), field.data()); });
    listen([&] { halos.end(queue.exec(), field.data()); });
    listen([&] { halos.exchange(queue.exec(), field.data()); });
    queue.exec().fence("haloheap::unit::exchanged");
    return text;
  }

  /// Copy engines neither raise nor await signals: kernels of their own do it for them.
  bool copies() const { return GetParam().transport == "peer_copy" || shared(); }
  bool shared() const { return GetParam().mpi == shared_memory; }
  bool stores() const {
    const int on_a_node = GetParam().ranks_per_node;
    const bool one_node = on_a_node == 0 || on_a_node >= world.size();
    return GetParam().transport == "peer_store" || (GetParam().transport == "auto" && one_node);
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(KernelsOf, an_exchange_at_once_are_as_few_as_can_be) {
  std::string expected = copies() ? (shared() ? "ps su psu" : "ps u psu") : "p u pu";
  if (world.size() == 1) expected = "p  p";  // it has wrapped around
  if (world.size() > 1 && stores() && !kernels_on_host) expected = "p u e";
  EXPECT_EQ(kernels(Exchange::async), expected);
}

TEST_P(KernelsOf, an_exchange_in_rounds_are_as_few_as_can_be) {
  if (world.size() == 4) {
    EXPECT_EQ(kernels(Exchange::sync),
              copies() ? (shared() ? "ps supsu psupsu" : "ps upsu psupsu") : "p upu pupu");
  } else if (world.size() == 1) {
    EXPECT_EQ(kernels(Exchange::sync), "p u pu") << "the second round forwards what the first has brought";
  } else {
    EXPECT_EQ(kernels(Exchange::sync), copies() ? "p psu ppsu" : "p pu ppu")
        << "the first round has no messages, and what the second forwards is packed when that is done";
  }
}

std::vector<Path> paths_with_kernels() {
  std::vector<Path> result = plain_paths();
  for (const int ranks_per_node : {0, 1, 2}) result.push_back({"auto", "persistent", false, ranks_per_node});
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, KernelsOf, ::testing::ValuesIn(paths_with_kernels()),
                         [](const auto& parameter) {
                           const Path& path = parameter.param;
                           return path.transport + (path.mpi == shared_memory ? "_shared" : "") +
                                  (path.transport == "auto" ? "_" + std::to_string(path.ranks_per_node) : "");
                         });

}  // namespace
}  // namespace haloheap::comm
