// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/problems/grids/field_transfer.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace haloheap {
namespace {

using namespace testing;
using transfer::Schedule;

const grid::Boundary walls{
    .low = {grid::BoundaryKind::dirichlet, grid::BoundaryKind::dirichlet, grid::BoundaryKind::dirichlet},
    .high = {grid::BoundaryKind::dirichlet, grid::BoundaryKind::dirichlet, grid::BoundaryKind::dirichlet},
    .value = 0};

/// A rank's part of a grid with two quantities.
struct Part {
  int dims;
  grid::Triple cells;
  grid::Box own;

  grid::FieldLayout layout(std::size_t value_bytes) const {
    return grid::make_field_layout(dims, {own.extent(0), own.extent(1), own.extent(2)}, 2, 2, value_bytes);
  }
};

const Part parts[] = {{2, {7, 13, 1}, {{0, 0, 0}, {7, 13, 1}}},
                      {2, {1, 40, 1}, {{0, 3, 0}, {1, 40, 1}}},
                      {2, {40, 1, 1}, {{5, 0, 0}, {38, 1, 1}}},
                      {2, {1, 1, 1}, {{0, 0, 0}, {1, 1, 1}}},
                      {3, {9, 4, 6}, {{2, 1, 3}, {9, 4, 5}}}};

std::vector<std::string> modes_here() {
  std::vector<std::string> names;
  for (const auto& info : transfer::modes())
    if (info.unavailable_reason().empty()) names.push_back(info.name);
  return names;
}

/// Calls f with every way that this machine has: more streams than rows, too.
template <class F>
void for_each_choice(const F& f) {
  for (const std::string& mode : modes_here()) {
    f(TransferChoice{mode, Schedule::none, 1});
    for (const int streams : {3, 64})
      for (const Schedule schedule : {Schedule::depth_first, Schedule::breadth_first})
        f(TransferChoice{mode, schedule, streams});
  }
}

template <class T>
CellValues<T> values_of(const stencil::InitialField& initial) {
  return [&initial](int quantity, const grid::Triple& cell) {
    return static_cast<T>(initial.at(cell, quantity));
  };
}

template <class T>
void check_h2d(const Part& part, const TransferChoice& choice) {
  const stencil::InitialField initial({.kind = stencil::InitialKind::random, .seed = 3}, walls, part.dims,
                                      part.cells, 2);
  const grid::FieldLayout layout = part.layout(sizeof(T));
  std::vector<T> expected(static_cast<std::size_t>(layout.size()), T{-5});
  const auto field = make_device_array(expected);
  for (int quantity = 0; quantity < 2; ++quantity)
    for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
      const grid::Triple& lo = part.own.lo;
      expected[static_cast<std::size_t>(layout.at(cell, quantity))] =
          static_cast<T>(initial.at({lo.x + cell.x, lo.y + cell.y, lo.z + cell.z}, quantity));
    });
  const double seconds =
      FieldTransfer<T>(choice, {}, layout).to_device(values_of<T>(initial), part.own, field.data());
  EXPECT_GT(seconds, 0);
  EXPECT_EQ(difference(to_host(field), expected), "") << choice.mode << ", streams " << choice.streams;
}

template <class T>
void check_d2h(const Part& part, const TransferChoice& choice) {
  const grid::FieldLayout layout = part.layout(sizeof(T));
  const auto values = random_values<T>(layout.size(), 7);
  const auto field = make_device_array(values);
  std::vector<T> expected, cells{T{1}, T{2}};
  for (int quantity = 0; quantity < 2; ++quantity)
    for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
      expected.push_back(values[static_cast<std::size_t>(layout.at(cell, quantity))]);
    });
  const FieldTransfer<T> transfer(choice, {}, layout);
  EXPECT_GT(transfer.to_host(field.data(), &cells), 0);
  EXPECT_EQ(difference(cells, expected), "") << choice.mode << ", streams " << choice.streams;
  EXPECT_GT(transfer.to_host(field.data(), nullptr), 0);
  EXPECT_EQ(difference(to_host(field), values), "") << "the field stays as it is";
}

TEST(FieldTransfer, TakesTheStartValuesUpAndTouchesNothingElse) {
  for (const Part& part : parts)
    for_each_choice([&](const TransferChoice& choice) {
      check_h2d<float>(part, choice);
      check_h2d<double>(part, choice);
    });
}

TEST(FieldTransfer, TakesTheOwnCellsDown) {
  for (const Part& part : parts)
    for_each_choice([&](const TransferChoice& choice) {
      check_d2h<float>(part, choice);
      check_d2h<double>(part, choice);
    });
}

/// Memory as modes take it, counted.
class Counted {
 public:
  transfer::ResourceMaker maker() {
    return [this](const std::string& name) {
      auto& resource = made_[name];
      if (!resource)
        resource = std::make_shared<memory::StatisticsResource>(memory::make_memory_resource(name));
      return resource;
    };
  }
  std::size_t peak() const { return sum(&memory::MemoryStatistics::peak_bytes); }
  std::size_t live() const { return sum(&memory::MemoryStatistics::live_bytes); }

 private:
  std::size_t sum(std::size_t memory::MemoryStatistics::*number) const {
    std::size_t bytes = 0;
    for (const auto& [name, resource] : made_) bytes += resource->snapshot().*number;
    return bytes;
  }
  std::map<std::string, std::shared_ptr<memory::StatisticsResource>> made_;
};

TEST(FieldTransfer, TakesWhatItsDemandSaysAndGivesItBack) {
  const Part& part = parts[4];
  const grid::FieldLayout layout = part.layout(sizeof(float));
  const std::size_t bytes = static_cast<std::size_t>(part.own.cells()) * 2 * sizeof(float);
  const stencil::InitialField initial({}, walls, 3, part.cells, 2);
  const auto field = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size())));
  for (const std::string& mode : modes_here()) {
    const TransferChoice choice{mode, Schedule::depth_first, 3};
    std::size_t demanded = 0;
    for (const MemoryDemand& demand : transfer_demands(choice, bytes)) demanded += demand.bytes;
    // The buffers of the one are small and of one size; the driver has the other's.
    if (mode == "staged") demanded += 4 * (std::size_t{2} << 20);
    if (mode == "stream_ordered") demanded -= bytes;
    for (const bool h2d : {true, false}) {
      Counted memory;
      const FieldTransfer<float> transfer(choice, memory.maker(), layout);
      if (h2d)
        transfer.to_device(values_of<float>(initial), part.own, field.data());
      else
        transfer.to_host(field.data(), nullptr);
      EXPECT_EQ(memory.peak(), demanded) << mode;
      EXPECT_EQ(memory.live(), 0U) << mode;
    }
  }
  EXPECT_TRUE(transfer_demands({.mode = "none"}, bytes).empty());
}

TEST(FieldTransfer, RefusesAModeThatIsMissing) {
  const grid::FieldLayout layout = parts[0].layout(sizeof(float));
  for (const auto& info : transfer::modes()) {
    if (info.unavailable_reason().empty()) continue;
    const FieldTransfer<float> transfer({.mode = info.name}, {}, layout);
    EXPECT_THROW(transfer.to_host(nullptr, nullptr), CapabilityError) << info.name;
  }
  EXPECT_THROW(FieldTransfer<float>({.mode = "pined"}, {}, layout).to_host(nullptr, nullptr), UsageError);
}

}  // namespace
}  // namespace haloheap
