// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/adaptor.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/core/stencil/residual_history.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/stencil_kernels.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>

namespace haloheap::stencil {
namespace {

using namespace testing;

/// Memory with some more behind it, to which nobody must write.
class FencedMemory final : public memory::ResourceAdaptor {
 public:
  FencedMemory() : ResourceAdaptor(memory::make_memory_resource("managed")) {}
  std::string name() const override { return wrapped_name("fenced"); }

  bool intact() const {
    return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) {
      const std::byte* const fence = static_cast<std::byte*>(block.first) + block.second;
      return std::all_of(fence, fence + fence_bytes, [](std::byte byte) { return byte == untouched; });
    });
  }

 private:
  static constexpr std::size_t fence_bytes = 1024;
  static constexpr std::byte untouched{0x5a};

  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override {
    void* const data = upstream().allocate(bytes + fence_bytes, alignment, label).data;
    std::fill_n(static_cast<std::byte*>(data) + bytes, fence_bytes, untouched);
    blocks_[data] = bytes;
    return data;
  }
  void do_deallocate(const memory::Allocation& allocation) noexcept override {
    blocks_.erase(allocation.data);
    memory::Allocation all = allocation;
    all.bytes += fence_bytes;
    upstream().deallocate(all);
  }

  std::map<void*, std::size_t> blocks_;
};

/// A run on one subdomain with a boundary that needs no exchange.
template <class T>
struct Run {
  grid::Triple cells;
  int quantities = 2;
  grid::Boundary boundary;
  Stencil stencil;
  grid::FieldLayout layout;
  InitialField initial;
  ResidualScale scale;
  memory::Array<T> now, next;

  explicit Run(int dims)
      : cells{45, 37, dims == 3 ? 11 : 1},
        boundary(sides(dims)),
        stencil(heat_stencil(dims, StencilShape::star, 1, 0.1)),
        layout(grid::make_field_layout(dims, cells, 1, quantities, sizeof(T))),
        initial({.kind = InitialKind::random}, boundary, dims, cells, quantities),
        scale(ResidualScale::make(residual_bound(stencil, boundary, 1), product(cells) * quantities)),
        now(make_device_array(std::vector<T>(static_cast<std::size_t>(layout.size())))),
        next(make_device_array(std::vector<T>(static_cast<std::size_t>(layout.size())))) {
    InitialFill<T>(initial, layout, layout.own_box()).run({}, now.data());
    Kokkos::fence("haloheap::unit::initial");
  }

  static grid::Boundary sides(int dims) {
    grid::Boundary boundary{.value = 0.5};
    for (int dim = 0; dim < dims; ++dim) {
      boundary.low[dim] = dim == 0 ? grid::BoundaryKind::dirichlet : grid::BoundaryKind::neumann;
      boundary.high[dim] = dim == 1 ? grid::BoundaryKind::dirichlet : grid::BoundaryKind::neumann;
    }
    return boundary;
  }

  void step(const Kokkos::DefaultExecutionSpace& exec, const ResidualTarget& target) {
    const StencilKernels<T> kernels(stencil, layout, boundary, cells, layout.own_box());
    kernels.impose(exec, now.data(), grown(layout.own_box(), layout.dims, 1));
    kernels.step(exec, now.data(), next.data(), layout.own_box(), target);
    std::swap(now, next);
  }

  std::vector<ResidualSum> expected(grid::Index steps) const {
    return reference_residuals<T>(initial, stencil, boundary, cells, quantities, steps, scale);
  }
};

template <class T>
class ResidualHistoryOf : public ::testing::Test {};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ResidualHistoryOf, Precisions);

TYPED_TEST(ResidualHistoryOf, is_the_reference_step_by_step_over_several_folds) {
  for (const int dims : {2, 3})
    for (const int ring : {1, 4, 7}) {
      Run<TypeParam> run(dims);
      ResidualHistory history(memory::make_memory_resource("device"), ring, run.scale, run.layout.own_box());
      const Kokkos::DefaultExecutionSpace exec;
      const int steps = 17;  // the last fold is not a full one
      history.reserve(steps);
      for (int step = 0; step < steps; ++step) {
        run.step(exec, history.target(step % ring));
        if ((step + 1) % ring == 0 || step + 1 == steps) history.fold(exec, step % ring + 1);
      }
      exec.fence("haloheap::unit::run");
      const auto sums = history.read(), expected = run.expected(steps);
      ASSERT_EQ(sums.size(), expected.size());
      for (std::size_t step = 0; step < sums.size(); ++step) {
        EXPECT_EQ(sums[step], expected[step]) << dims << "D, ring " << ring << ", step " << step;
        EXPECT_GT(run.scale.value(sums[step]), 0);
        if (step > 0) {
          EXPECT_LT(run.scale.value(sums[step]), run.scale.value(sums[step - 1]));
        }
      }
    }
}

class ResidualHistoryTest : public ::testing::Test {
 protected:
  static constexpr int ring = 3;

  /// Puts `value` into the slots of a set, a share into each.
  void put(int set, double value) {
    std::vector<double> shares(residual_slots * residual_slot_stride, 0);
    for (int slot = 0; slot < residual_slots; ++slot)
      for (int part = 0; part < residual_parts; ++part)
        shares[static_cast<std::size_t>(slot * residual_slot_stride + part)] =
            value * (part + 1) * (slot % 2 ? 2 : 1);
    backend::copy_async(exec, history.target(set).slots, shares.data(), shares.size() * sizeof(double));
    exec.fence("haloheap::unit::put");
  }
  static ResidualSum sum(double value) { return {96 * value, 192 * value, 288 * value}; }
  void fold(int count) {
    history.fold(exec, count);
    exec.fence("haloheap::unit::fold");
  }

  Kokkos::DefaultExecutionSpace exec;
  ResidualHistory history{memory::make_memory_resource("device"), ring, ResidualScale::make(1, 1 << 20),
                          grid::Box{{}, {4, 4, 1}}};
};

using Sums = std::vector<ResidualSum>;

TEST_F(ResidualHistoryTest, appends_folded_sets_and_clears_them) {
  EXPECT_EQ(history.read(), Sums{});
  history.reserve(8);
  put(0, 1);
  put(1, 2);
  put(2, 3);
  fold(2);
  EXPECT_EQ(history.read(), (Sums{sum(1), sum(2)}));
  fold(3);  // only what was left out last time is there
  EXPECT_EQ(history.read(), (Sums{sum(1), sum(2), sum(0), sum(0), sum(3)}));
  fold(0);
  put(0, 5);
  fold(1);
  EXPECT_EQ(history.read(), (Sums{sum(1), sum(2), sum(0), sum(0), sum(3), sum(5)}));
}

TEST_F(ResidualHistoryTest, room_grows_and_keeps_what_is_there) {
  history.reserve(1);
  put(0, 1);
  fold(1);
  history.reserve(2);
  put(0, 2);
  put(1, 3);
  fold(2);
  EXPECT_EQ(history.read(), (Sums{sum(1), sum(2), sum(3)}));
}

TEST_F(ResidualHistoryTest, starts_again_after_a_reset) {
  history.reserve(2);
  put(0, 1);
  put(2, 9);
  fold(1);
  history.reset();
  EXPECT_EQ(history.read(), Sums{});
  put(1, 4);
  fold(2);
  EXPECT_EQ(history.read(), (Sums{sum(0), sum(4)}));
}

TEST_F(ResidualHistoryTest, writes_no_sums_for_which_there_is_no_room) {
  const auto memory = std::make_shared<FencedMemory>();
  ResidualHistory fenced(memory, ring, ResidualScale::make(1, 1 << 20), grid::Box{{}, {4, 4, 1}});
  fenced.reserve(1);
  fenced.fold(exec, ring);
  exec.fence("haloheap::unit::fold");
  EXPECT_TRUE(memory->intact());
}

TEST_F(ResidualHistoryTest, says_what_was_not_reserved) {
  history.reserve(1);
  put(0, 1);
  fold(2);
  try {
    history.read();
    ADD_FAILURE() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "2 steps were added to a residual history with room for 1\n"
                 "  consequence: the last ones are lost\n"
                 "  remedy: reserve room for all steps before they are added");
  }
  history.reset();
  put(0, 1);
  fold(1);
  EXPECT_EQ(history.read(), Sums{sum(1)});
}

TEST_F(ResidualHistoryTest, refuses_sets_that_it_does_not_have) {
  EXPECT_THROW(history.target(-1), UsageError);
  EXPECT_THROW(history.target(ring), UsageError);
  EXPECT_THROW(history.fold(exec, ring + 1), UsageError);
  EXPECT_THROW(history.fold(exec, -1), UsageError);
  EXPECT_THROW(ResidualHistory(memory::make_memory_resource("device"), 0, history.scale(), grid::Box{}),
               UsageError);
  EXPECT_THROW(ResidualHistory(nullptr, 1, history.scale(), grid::Box{}), UsageError);
}

}  // namespace
}  // namespace haloheap::stencil
