// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Equal bits: whatever the rank grid, the depth, the exchange, the overlap and the transport, the result is
// that of the serial reference.
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace haloheap::comm {
namespace {

using namespace testing;

std::vector<grid::Triple> grids_of(int ranks, const std::vector<grid::Triple>& all) {
  std::vector<grid::Triple> fitting;
  for (const grid::Triple& grid : all)
    if (product(grid) == ranks) fitting.push_back(grid);
  return fitting;
}

std::vector<grid::Triple> flat_grids(int ranks) {
  return grids_of(ranks, {{1, 1, 1}, {1, 2, 1}, {2, 1, 1}, {2, 2, 1}, {1, 3, 1}, {3, 2, 1}});
}

std::vector<grid::Triple> deep_grids(int ranks) {
  return grids_of(ranks, {{1, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 3, 1}, {2, 1, 2}, {3, 1, 2}, {1, 2, 3}});
}

using backend::kernels_on_host;
constexpr std::array all_overlaps = {Overlap::none, Overlap::first_step, Overlap::all_steps};

stencil::ResidualScale scale_of(const Problem& problem) {
  return stencil::ResidualScale::make(stencil::residual_bound(problem.stencil, problem.boundary, 1),
                                      product(problem.cells) * problem.quantities);
}

/// The parts of each `interval`-th of the steps [first, last) of a history, one after the other.
std::vector<double> parts(const std::vector<stencil::ResidualSum>& sums, std::size_t first, std::size_t last,
                          int interval = 1) {
  std::vector<double> all;
  const auto every = static_cast<std::size_t>(interval);
  for (std::size_t step = first + every - 1; step < last; step += every)
    all.insert(all.end(), std::begin(sums[step].part), std::end(sums[step].part));
  return all;
}

std::vector<double> over_all_ranks(const Communicator& world, const std::vector<stencil::ResidualSum>& mine) {
  std::vector<double> all = parts(mine, 0, mine.size());
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, world.get());
  return all;
}

template <class T>
std::vector<stencil::ResidualSum> residual_reference(const Problem& problem) {
  return stencil::reference_residuals<T>(problem.initial(), problem.stencil, problem.boundary, problem.cells,
                                         problem.quantities, problem.steps, scale_of(problem));
}

template <class T>
class DeepHaloOf : public ::testing::Test {
 protected:
  /// Every way to run one problem on one rank grid, but not with every path: stores into the neighbours
  /// always, and of the others one after the other. Single steps, and fused ones of every number in turn.
  void check_all(const Problem& problem, const std::vector<grid::Triple>& grids,
                 const std::vector<int>& depths) {
    const auto reference = problem.reference<T>();
    for (const grid::Triple& ranks : grids)
      for (const int depth : depths)
        for (const Exchange exchange : {Exchange::sync, Exchange::async})
          for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
            if (!problem.fits(ranks, depth) || !taken()) continue;
            const auto& all = exchange == Exchange::sync ? sync_paths : async_paths;
            for (const Path& path :
                 {Path{"peer_store"}, all[static_cast<std::size_t>(turn++) % all.size()]}) {
              DeepHaloConfig config{.depth = depth, .exchange = exchange, .overlap = overlap, .halo = {}};
              path.apply(config);
              check(problem, ranks, config, reference);
              config.fused_steps = next_fused(problem.stencil, depth);
              if (config.fused_steps > 1) check(problem, ranks, config, reference);
            }
          }
  }

  /// Another number each time, of those that a halo of so many steps allows.
  int next_fused(const stencil::Stencil& stencil, int depth) {
    const int maximum = std::min(depth, stencil::max_fused_steps(stencil));
    return maximum < 2 ? 1 : 2 + fused_turn++ % (maximum - 1);
  }

  /// Of all combinations one rank runs about one in two, and n ranks one in 3 n: those that share cores or a
  /// device take turns on them, and each exchange costs them one. Which ones is scattered, so that no two
  /// choices always go together.
  bool taken() {
    const auto scattered = static_cast<std::uint32_t>(combination++) * 2654435769U >> 16;  // golden ratio
    return scattered * static_cast<std::uint32_t>(share()) >> 16 == 0;
  }
  int share() const { return world.size() == 1 ? 2 : 3 * world.size(); }
  int expected(int of_all) const { return of_all / share() / 2; }

  /// Every path, with the depths and overlaps in turn.
  void check_paths(const Problem& problem, const grid::Triple& ranks, const std::vector<int>& depths,
                   const std::vector<Exchange>& exchanges) {
    const auto reference = problem.reference<T>();
    for (const Exchange exchange : exchanges)
      for (const Path& path : exchange == Exchange::sync ? sync_paths : async_paths) {
        const auto next = static_cast<std::size_t>(turn++);
        const int depth = depths[next / all_overlaps.size() % depths.size()];
        ASSERT_TRUE(problem.fits(ranks, depth));
        DeepHaloConfig config{.depth = depth,
                              .exchange = exchange,
                              .overlap = all_overlaps[next % all_overlaps.size()],
                              .halo = {}};
        path.apply(config);
        check(problem, ranks, config, reference);
        config.fused_steps = next_fused(problem.stencil, depth);
        if (config.fused_steps > 1) check(problem, ranks, config, reference);
      }
  }

  void check(const Problem& problem, const grid::Triple& ranks, const DeepHaloConfig& config,
             const std::vector<T>& reference, const std::string& fields = "device") {
    DeepHaloRun<T> run(world, problem, ranks, config, fields);
    run.stepper().advance(problem.steps);
    EXPECT_EQ(run.compare(reference), "") << describe(problem, ranks, config) << ", fields " << fields;
    ++runs;
  }

  void check_residual(const Problem& problem, const grid::Triple& ranks, DeepHaloConfig config,
                      const Path& path) {
    ASSERT_TRUE(problem.fits(ranks, config.depth));
    const auto reference = residual_reference<T>(problem);
    for (const stencil::ResidualSum& sum : reference) ASSERT_GT(scale_of(problem).value(sum), 0);
    config.residual = scale_of(problem);
    path.apply(config);
    DeepHaloRun<T> run(world, problem, ranks, config);
    run.stepper().advance(problem.steps);
    run.stepper().finish();
    EXPECT_EQ(difference(over_all_ranks(world, run.stepper().residuals()),
                         parts(reference, 0, reference.size(), config.residual_interval)),
              "")
        << describe(problem, ranks, config);
    ++runs;
  }

  static std::string describe(const Problem& problem, const grid::Triple& ranks,
                              const DeepHaloConfig& config) {
    return fmt::format(
        "{} x {} x {} cells, {} points, {} quantities, boundary {}{}{}{}, ranks {} x {} x {}, depth {}, "
        "fused {}, "
        "{}, overlap {}, {}, {}{}",
        problem.cells.x, problem.cells.y, problem.cells.z, problem.stencil.coefficients.size(),
        problem.quantities, static_cast<int>(problem.boundary.low[0]),
        static_cast<int>(problem.boundary.high[0]), static_cast<int>(problem.boundary.low[1]),
        static_cast<int>(problem.boundary.high[1]), ranks.x, ranks.y, ranks.z, config.depth,
        config.fused_steps, name_of(config.exchange), static_cast<int>(config.overlap), config.halo.transport,
        config.halo.mpi, config.graph ? ", graph" : "");
  }

  const Communicator world{MPI_COMM_WORLD};
  const std::vector<Path> sync_paths = paths(Exchange::sync), async_paths = paths(Exchange::async);
  int runs = 0, turn = 0, combination = 0, fused_turn = 0;
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DeepHaloOf, Precisions);

TYPED_TEST(DeepHaloOf, equals_the_reference_in_two_dimensions) {
  for (const stencil::StencilKind& kind : stencil::stencil_table)
    for (const grid::Boundary& boundary : boundaries())
      for (const int quantities : {1, 3})
        this->check_all({lopsided_stencil(2, kind.shape, kind.radius),
                         boundary,
                         {25 + 12 * kind.radius, 23 + 6 * kind.radius, 1},
                         quantities},
                        flat_grids(this->world.size()), {1, 2, 3, 4, 8});
  EXPECT_GT(this->runs, this->expected(1000));
}

TYPED_TEST(DeepHaloOf, equals_the_reference_in_three_dimensions) {
  for (const stencil::StencilKind& kind : stencil::stencil_table)
    for (const grid::Boundary& boundary : boundaries())
      this->check_all({lopsided_stencil(3, kind.shape, kind.radius),
                       boundary,
                       {9 + 4 * kind.radius, 7 + 4 * kind.radius, 10 + 4 * kind.radius},
                       2 - kind.radius % 2,
                       5},
                      deep_grids(this->world.size()), {1, 2, 3});
  EXPECT_GT(this->runs, this->expected(200));
}

// Passes of every length, with a last one that is shorter, and a last exchange with fewer steps.
TYPED_TEST(DeepHaloOf, fused_steps_of_every_number_and_depth) {
  for (const stencil::StencilKind& kind : stencil::stencil_table) {
    const stencil::Stencil stencil = lopsided_stencil(2, kind.shape, kind.radius);
    for (const grid::Boundary& boundary : {boundaries()[0], boundaries()[3], boundaries()[4]}) {
      const Problem problem{stencil, boundary, {71, 67, 1}, 2, 19};
      const auto reference = problem.template reference<TypeParam>();
      for (const grid::Triple& ranks : flat_grids(this->world.size()))
        for (const int depth : {2, 5, 8, 10})
          for (int fused = 2; fused <= std::min(depth, stencil::max_fused_steps(stencil)); ++fused)
            for (const Overlap overlap : all_overlaps) {
              if (!problem.fits(ranks, depth) || !this->taken()) continue;
              DeepHaloConfig config{.depth = depth,
                                    .fused_steps = fused,
                                    .exchange = Exchange::async,
                                    .overlap = overlap,
                                    .halo = {}};
              this->check(problem, ranks, config, reference);
            }
    }
  }
  EXPECT_GT(this->runs, this->expected(150));
}

/// Those of the paths that a graph can hold, in graphs.
std::vector<Path> in_graphs(std::vector<Path> paths) {
  std::erase_if(paths, [](const Path& path) { return transport_info(path.transport, path.mpi).needs_host; });
  for (Path& path : paths) path.graph = true;
  return paths;
}

// Two exchanges with their passes in a graph, whether a cycle has an odd or an even number of passes.
TYPED_TEST(DeepHaloOf, fused_steps_in_a_graph) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[3], {37, 29, 1}, 2, 29};
  const auto reference = problem.template reference<TypeParam>();
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const Path& path : in_graphs(different_paths()))
      for (const Overlap overlap : all_overlaps)
        for (const int fused : {2, 3, 4}) {
          DeepHaloConfig config{.depth = 4, .fused_steps = fused, .overlap = overlap, .halo = {}};
          path.apply(config);
          this->check(problem, ranks, config, reference);
        }
}

// The halo of every depth up to the whole smallest subdomain, and no further.
TYPED_TEST(DeepHaloOf, may_be_as_deep_as_the_smallest_subdomain) {
  for (const grid::Boundary& boundary : boundaries())
    for (const grid::Triple& ranks : flat_grids(this->world.size())) {
      const Problem problem{lopsided_stencil(2, stencil::StencilShape::box, 1),
                            boundary,
                            {4 * ranks.x + 1, 4 * ranks.y, 1},
                            1,
                            9};
      ASSERT_TRUE(problem.fits(ranks, 4));
      this->check_all(problem, {ranks}, {3, 4});
      if (problem.fits(ranks, 5)) continue;  // one rank with open sides
      EXPECT_THROW(DeepHaloRun<TypeParam>(this->world, problem, ranks, {.depth = 6, .halo = {}}), UsageError);
    }
}

TYPED_TEST(DeepHaloOf, works_on_thin_grids_and_one_cell_a_rank) {
  const grid::Index n = this->world.size();
  const stencil::Stencil box = lopsided_stencil(2, stencil::StencilShape::box, 1);
  for (const grid::Boundary& boundary : boundaries()) {
    this->check_all({box, boundary, {1, 7 * n, 1}, 2, 7}, {{1, n, 1}}, {1, 2, 4});
    this->check_all({box, boundary, {7 * n, 1, 1}, 2, 7}, {{n, 1, 1}}, {1, 2, 4});
    this->check_all({box, boundary, {n, 1, 1}, 1, 7}, {{n, 1, 1}}, {1});
    this->check_all({box, boundary, {n, 3, 1}, 1, 7}, {{n, 1, 1}}, {1, 2});
    for (const grid::Triple& ranks : flat_grids(static_cast<int>(n)))
      this->check_all({box, boundary, ranks, 1, 7}, {ranks}, {1});
  }
}

/// All paths but those that cannot pass a message each way.
std::vector<Path> each_way(std::vector<Path> all) {
  std::erase_if(all, [](const Path& path) {
    return transport_info(path.transport == automatic_transport ? "pinned" : path.transport).carrier ==
               Carrier::mpi &&
           message_modes().at(path.mpi).along_lines;
  });
  return all;
}

/// Small ones, whose messages to one rank must not be mistaken for each other: on 2 x 2 ranks all go to one
/// of three.
std::vector<Problem> small_problems() {
  return {{lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[0], {23, 19, 1}, 2, 5},
          {lopsided_stencil(2, stencil::StencilShape::star, 2), boundaries()[3], {29, 27, 1}, 1, 5},
          {lopsided_stencil(3, stencil::StencilShape::box, 1), boundaries()[0], {9, 8, 10}, 1, 5},
          {lopsided_stencil(3, stencil::StencilShape::box, 1), boundaries()[4], {9, 8, 10}, 2, 5}};
}

TYPED_TEST(DeepHaloOf, may_send_a_message_each_way) {
  for (const Problem& problem : small_problems()) {
    const auto reference = problem.template reference<TypeParam>();
    for (const grid::Triple& ranks :
         problem.stencil.dims == 2 ? flat_grids(this->world.size()) : deep_grids(this->world.size()))
      for (const Exchange exchange : {Exchange::sync, Exchange::async})
        for (const Path& path : each_way(exchange == Exchange::sync ? this->sync_paths : this->async_paths)) {
          const auto next = static_cast<std::size_t>(this->turn++);
          DeepHaloConfig config{.depth = 2,
                                .fused_steps = 1 + this->turn % 2,
                                .exchange = exchange,
                                .messages = MessagesPer::direction,
                                .overlap = all_overlaps[next % all_overlaps.size()],
                                .halo = {}};
          path.apply(config);
          this->check(problem, ranks, config, reference);
        }
  }
}

// Steps that a cycle does not fill, too: the last one is shorter.
TYPED_TEST(DeepHaloOf, may_compute_the_whole_halo_in_each_step) {
  for (Problem problem : small_problems()) {
    problem.cells = {problem.cells.x + 10, problem.cells.y + 10,
                     problem.cells.z > 1 ? problem.cells.z + 10 : 1};
    problem.steps = 8;
    const auto reference = problem.template reference<TypeParam>();
    for (const grid::Triple& ranks :
         problem.stencil.dims == 2 ? flat_grids(this->world.size()) : deep_grids(this->world.size()))
      for (const Overlap overlap : all_overlaps) {
        const int next = this->turn++;
        for (Path path : different_paths()) {
          path.graph = next / 2 % 2 == 1 && !transport_info(path.transport, path.mpi).needs_host;
          DeepHaloConfig config{.depth = 3,
                                .redundant = Redundant::whole,
                                .exchange = Exchange(next % 2),
                                .overlap = overlap,
                                .halo = {}};
          path.apply(config);
          ASSERT_TRUE(problem.fits(ranks, config.depth));
          this->check(problem, ranks, config, reference);
          config.residual = scale_of(problem);
          if (!path.graph) this->check_residual(problem, ranks, config, path);
        }
      }
  }
}

/// With every transport and message mode that can: MPI packs, or the host copies corners, or both.
TYPED_TEST(DeepHaloOf, the_host_may_pack_and_copy_corners) {
  int able = 0;
  const int few = this->world.size() > 2 ? 5 : 1;  // ranks that share cores take turns on them
  for (const Problem& problem : small_problems()) {
    const auto reference = problem.template reference<TypeParam>();
    for (const grid::Triple& ranks :
         problem.stencil.dims == 2 ? flat_grids(this->world.size()) : deep_grids(this->world.size()))
      for (const Exchange exchange : {Exchange::sync, Exchange::async})
        for (const Path& path : exchange == Exchange::sync ? this->sync_paths : this->async_paths)
          for (const Packing packing : {Packing::kernel, Packing::datatype})
            for (const Corners corners : {Corners::device, Corners::host}) {
              if (packing == Packing::kernel && corners == Corners::device) continue;
              const auto next = static_cast<std::size_t>(this->turn++);
              DeepHaloConfig config{.depth = 2,
                                    .exchange = exchange,
                                    .messages = MessagesPer(next / 3 % 2),
                                    .overlap = all_overlaps[next % all_overlaps.size()],
                                    .halo = {}};
              path.apply(config);
              config.halo.packing = packing;
              config.halo.corners = corners;
              config.halo.desynchronisation = next % 5 == 0;
              if (problem_of(problem.on(this->world, ranks), config)) continue;
              if (++able % few != 0) continue;
              this->check(problem, ranks, config, reference);
            }
  }
  EXPECT_GT(able, 50);
}

// A row is padded, so that a column of cells takes much memory: each precision has an exchange of its own.
TYPED_TEST(DeepHaloOf, works_on_one_row_and_one_column_of_many_cells) {
  const int n = this->world.size();
  const stencil::Stencil box = lopsided_stencil(2, stencil::StencilShape::box, 1);
  const auto exchange = std::is_same_v<TypeParam, float> ? Exchange::sync : Exchange::async;
  const grid::Boundary open_in_x = boundaries()[3], open_in_y = boundaries()[4];
  this->check_paths({box, open_in_x, {1, 200000, 1}, 1, 7}, {1, n, 1}, {1, 3}, {exchange});
  this->check_paths({box, open_in_y, {200000, 1, 1}, 1, 7}, {n, 1, 1}, {1, 3}, {exchange});
}

TYPED_TEST(DeepHaloOf, works_on_grids_that_nothing_divides) {
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const grid::Boundary& boundary : {boundaries()[0], boundaries()[3]})
      this->check_paths({lopsided_stencil(2, stencil::StencilShape::box, 1), boundary, {211, 197, 1}, 1, 11},
                        ranks, {1, 2, 5}, {Exchange::sync, Exchange::async});
}

TYPED_TEST(DeepHaloOf, sums_the_residual_of_every_step_exactly) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[3], {23, 19, 1}, 2, 11};
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const int depth : {1, 4})
      for (const Overlap overlap : all_overlaps)
        for (const Path& path : this->sync_paths)
          this->check_residual(problem, ranks, {.depth = depth, .overlap = overlap, .halo = {}}, path);
  EXPECT_GT(this->runs, 50);
}

TYPED_TEST(DeepHaloOf, sums_the_residual_in_three_dimensions) {
  const Problem problem{
      lopsided_stencil(3, stencil::StencilShape::star, 1), boundaries()[4], {13, 11, 14}, 1, 7};
  for (const grid::Triple& ranks : deep_grids(this->world.size()))
    for (const int depth : {1, 3})
      for (const Overlap overlap : all_overlaps)
        for (const Path& path : {Path{"peer_store"}, Path{"pinned"}})
          this->check_residual(problem, ranks, {.depth = depth, .overlap = overlap, .halo = {}}, path);
}

// With and without graphs, which replay two cycles and leave the rest to single ones; after a reset from the
// next step on.
TYPED_TEST(DeepHaloOf, sums_residuals_over_portions_and_from_a_reset_on) {
  Problem problem{lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[3], {23, 19, 1}, 2, 68};
  const auto reference = residual_reference<TypeParam>(problem);
  const auto in_the_end = problem.reference<TypeParam>();
  std::vector<Path> all = different_paths();
  for (const Path& recorded : in_graphs(all)) all.push_back(recorded);
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const Overlap overlap : all_overlaps)
      for (const Path& path : all) {
        for (const auto& [fused, interval] :
             std::vector<std::pair<int, int>>{{1, 1}, {1, 5}, {2, 3}, {3, 6}}) {
          if (interval > 1 && overlap == Overlap::first_step) continue;
          DeepHaloConfig config{.depth = 3,
                                .fused_steps = fused,
                                .exchange = Exchange::async,
                                .overlap = overlap,
                                .halo = {},
                                .residual = scale_of(problem),
                                .residual_interval = interval};
          path.apply(config);
          DeepHaloRun<TypeParam> run(this->world, problem, ranks, config);
          std::size_t first = 0, last = 0;
          for (const bool reset : {false, true}) {
            if (reset) run.stepper().reset_residuals();
            if (reset) first = last;
            for (const grid::Index portion : {0, 1, 7, 6, 0, 13, 4, 3}) {
              run.stepper().advance(portion);
              run.stepper().finish();
              last += static_cast<std::size_t>(portion);
              EXPECT_EQ(difference(over_all_ranks(this->world, run.stepper().residuals()),
                                   parts(reference, first, last, interval)),
                        "")
                  << this->describe(problem, ranks, config) << ", interval " << interval << ", steps "
                  << first << " to " << last;
            }
          }
          ASSERT_EQ(last, reference.size());
          EXPECT_EQ(run.compare(in_the_end), "") << this->describe(problem, ranks, config);
        }
      }
}

TYPED_TEST(DeepHaloOf, sums_residuals_between_fused_steps) {
  for (const int dims : {2, 3}) {
    const Problem problem{lopsided_stencil(dims, stencil::StencilShape::star, 1), boundaries()[3],
                          dims == 2 ? grid::Triple{23, 26, 1} : grid::Triple{13, 12, 14}, 1, 26};
    for (const grid::Triple& ranks :
         dims == 2 ? flat_grids(this->world.size()) : deep_grids(this->world.size()))
      for (const Overlap overlap : all_overlaps)
        for (const Path& path : this->sync_paths)
          this->check_residual(problem, ranks,
                               {.depth = 4,
                                .fused_steps = dims == 2 ? 4 : 2,
                                .overlap = overlap,
                                .halo = {},
                                .residual_interval = 8},
                               path);
  }
}

// Other numbers of steps than a multiple of the depth, in any portions.
TYPED_TEST(DeepHaloOf, may_advance_in_portions) {
  Problem problem{lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[3], {23, 19, 1}, 2, 0};
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
      DeepHaloRun<TypeParam> run(this->world, problem, ranks,
                                 {.depth = 4, .exchange = Exchange::async, .overlap = overlap, .halo = {}});
      problem.steps = 0;
      for (const grid::Index portion : {0, 1, 4, 2, 7, 0, 3}) {
        std::vector<grid::Index> reported;
        run.stepper().advance(portion, [&](grid::Index done) { reported.push_back(done); });
        std::vector<grid::Index> expected;
        for (grid::Index done = 0; done < portion;)
          expected.push_back(done = std::min<grid::Index>(done + 4, portion));
        EXPECT_EQ(reported, expected);
        problem.steps += portion;
        EXPECT_EQ(run.compare(problem.template reference<TypeParam>()), "") << problem.steps;
      }
    }
}

TYPED_TEST(DeepHaloOf, gives_the_same_bits_from_every_memory) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[4], {23, 19, 1}, 2, 7};
  const auto reference = problem.template reference<TypeParam>();
  int combinations = 0, refusals = 0;
  for (const memory::ResourceEntry& fields : memory::memory_resources())
    for (const memory::ResourceEntry& buffers : memory::memory_resources()) {
      if (!fields.available() || !buffers.available()) continue;
      const auto memory = memory::make_memory_resource(buffers.name);
      const backend::Properties of_fields = memory::make_memory_resource(fields.name)->properties();
      if (!memory::kernel_accessible(memory->properties()) || !memory::kernel_accessible(of_fields)) continue;
      ++combinations;
      for (const grid::Triple& ranks : flat_grids(this->world.size()))
        for (const Path& path : plain_paths())
          for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
            const std::string& transport = path.transport;
            DeepHaloConfig config{
                .depth = 3, .exchange = exchange, .overlap = Overlap::first_step, .halo = {}};
            path.apply(config);
            config.halo.buffers = memory;
            const bool mapped = (transport == "peer_store" && !of_fields.ipc_exportable) ||
                                (transport == "peer_copy" && !memory->properties().ipc_exportable);
            if (!mapped || this->world.size() == 1) {
              this->check(problem, ranks, config, reference, fields.name);
            } else {
              EXPECT_THROW(DeepHaloRun<TypeParam>(this->world, problem, ranks, config, fields.name), Error);
              ++refusals;
            }
          }
    }
  EXPECT_GE(combinations, 9) << "device, pinned and managed";
  EXPECT_EQ(refusals > 0, this->world.size() > 1) << "only device memory can be mapped by other processes";
}

TYPED_TEST(DeepHaloOf, does_not_depend_on_what_is_measured) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {23, 19, 1}, 1, 7};
  const auto reference = problem.template reference<TypeParam>();
  for (const grid::Triple& ranks : flat_grids(this->world.size()))
    for (const bool phases : {true, false})
      for (const bool desynchronisation : {true, false}) {
        DeepHaloConfig config{.depth = 2, .overlap = Overlap::first_step, .halo = {}, .phases = phases};
        config.halo.desynchronisation = desynchronisation;
        this->check(problem, ranks, config, reference);
      }
}

TEST(DeepHalo, refuses_passes_that_cannot_be) {
  const Communicator world(MPI_COMM_WORLD);
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {40 * world.size(), 40, 1}};
  const auto message = [&](const DeepHaloConfig& config) -> std::string {
    try {
      DeepHaloRun<float>(world, problem, {world.size(), 1, 1}, config);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.depth = 3, .fused_steps = 4, .halo = {}}),
            "4 fused steps need a halo for as many, but the depth is 3\n"
            "  remedy: use a depth of 4 or more, or fewer fused steps");
  EXPECT_EQ(message({.depth = 9, .fused_steps = 9, .halo = {}}),
            "9 fused steps are not between 1 and the 8 that this stencil has kernels for\n"
            "  remedy: use fewer fused steps");
  EXPECT_NE(message({.depth = 3, .fused_steps = 0, .halo = {}}), "");
  EXPECT_EQ(message({.depth = 3, .fused_steps = 3, .halo = {}, .residual = scale_of(problem)}),
            "a residual each 1 steps is not always that of the last step before an exchange, each 3 steps, "
            "which alone has one where steps are fused\n"
            "  remedy: use an interval of 3 steps or another multiple of the depth, or fused_steps = 1");
  EXPECT_EQ(message({.depth = 3, .fused_steps = 3, .halo = {}}), "");
}

TEST(DeepHalo, refuses_buffers_that_kernels_cannot_reach) {
  const Communicator world(MPI_COMM_WORLD);
  const auto pageable = memory::make_memory_resource("pageable");
  if (memory::kernel_accessible(pageable->properties())) GTEST_SKIP() << "kernels reach pageable memory here";
  const Problem problem{lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {24, 24, 1}};
  DeepHaloConfig config{.halo = {}};
  config.halo.buffers = pageable;
  try {
    DeepHaloRun<float>(world, problem, {world.size(), 1, 1}, config);
    ADD_FAILURE() << "pageable memory is out of the kernels' reach";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "kernels cannot reach memory 'pageable' on this machine\n"
                 "  remedy: use device, pinned or managed memory");
  }
}

TEST(DeepHalo, knows_how_much_it_computes_twice) {
  const Communicator world(MPI_COMM_WORLD);
  const int n = world.size();
  const auto fraction = [&](const grid::Boundary& boundary, int depth) {
    const Problem problem{lopsided_stencil(2, stencil::StencilShape::star, 1), boundary, {10 * n, 10, 1}};
    return DeepHaloRun<float>(world, problem, {n, 1, 1}, {.depth = depth, .halo = {}})
        .stepper()
        .redundant_fraction();
  };
  // Periodic, 10 x 10 a rank, depth 3: boxes of 14, 12 and 10 cells a side.
  EXPECT_DOUBLE_EQ(fraction(boundaries()[0], 3), (96 + 44) / (196 + 144 + 100.0));
  // Open sides do not grow: only x, by 2, 1 and 0 columns on each side with a neighbour.
  const double sides = (world.rank() > 0 ? 1 : 0) + (world.rank() < n - 1 ? 1 : 0);
  EXPECT_NEAR(fraction(boundaries()[1], 3), 30 * sides / (300 + 30 * sides), 1e-15);
  EXPECT_EQ(fraction(boundaries()[0], 1), 0);
  const Problem periodic{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {10 * n, 10, 1}};
  DeepHaloRun<float> whole(world, periodic, {n, 1, 1},
                           {.depth = 3, .redundant = Redundant::whole, .halo = {}});
  EXPECT_DOUBLE_EQ(whole.stepper().redundant_fraction(), 96 / 196.0) << "14 x 14 cells in each step";
}

}  // namespace
}  // namespace haloheap::comm
