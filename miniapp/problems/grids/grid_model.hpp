// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_MODEL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_MODEL_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/miniapp/problem.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::comm {
template <class T>
class DeepHalo;
}

/// What a physics says so that a deck can run it on a grid. All else is the same for all of them: settings of
/// grid, ranks and halo, memory, measurements, verification, files and advice. A physics whose step is an
/// update rule derives from RuleModel (rule_model.hpp).
namespace haloheap {

/// The types that fields may have.
#define HALOHEAP_GRID_VALUES(TYPE) TYPE(float) TYPE(double) TYPE(std::uint8_t)

struct GridSettings;
class GridReference;

/// The whole grid of a deck.
struct GridSize {
  int dims = 2;
  grid::Triple cells{1, 1, 1};
};

/// What of a physics decides about memory and messages.
struct GridFacts {
  std::vector<std::string> fields = {};  ///< names, for files
  int radius = 1;                        ///< how far away neighbours are at most
  bool periodic[3] = {true, true, true};
  int stages = 1;                  ///< of a step: halo.depth and stencil.fused_steps count them
  std::size_t constant_bytes = 0;  ///< of a cell, in fields that no step changes
  int updates = 1;  ///< that a step counts as in a cell: the number of fields that know nothing of each other
};

/// The physics of a deck, whatever the type of its fields. It is made each time that a deck is checked, so
/// what takes long waits until it is asked for.
class GridModel {
 public:
  GridModel(const GridSize& size, GridFacts facts, std::size_t value_bytes, std::string scalar)
      : size_(size), facts_(std::move(facts)), value_bytes_(value_bytes), scalar_(std::move(scalar)) {}
  virtual ~GridModel() = default;
  GridModel(const GridModel&) = delete;
  GridModel& operator=(const GridModel&) = delete;

  const GridSize& size() const { return size_; }
  const GridFacts& facts() const { return facts_; }
  int fields() const { return static_cast<int>(facts_.fields.size()); }
  std::size_t value_bytes() const { return value_bytes_; }
  /// The type of the values: "float".
  const std::string& scalar() const { return scalar_; }

  /// What forbids to step it so. @param grid of any rank
  virtual std::optional<comm::HaloProblem> problem(const comm::Grid& grid,
                                                   const comm::DeepHaloConfig& config) const = 0;
  /// A bound for the mean of the squared changes of a step, see stencil::ResidualScale; nothing if none is
  /// known. @throws UsageError if it is known that there is none
  virtual std::optional<double> residual_bound() const { return std::nullopt; }
  /// Host memory that the start values take of a rank whose own cells of all fields take so much, and that
  /// reference() takes of one rank.
  virtual std::size_t start_bytes(std::size_t own_bytes) const {
    return backend::kernels_on_host ? 0 : own_bytes;
  }
  virtual std::size_t reference_bytes() const = 0;

  /// Runs a point with values of the model's own type. Collective.
  virtual report::Point run(const RunContext& context, const GridSettings& settings,
                            GridReference& reference) const = 0;

 private:
  GridSize size_;
  GridFacts facts_;
  std::size_t value_bytes_;
  std::string scalar_;
};

/// Makes the physics that a deck describes. @throws UsageError with the place in the deck
using ModelMaker = std::unique_ptr<GridModel> (*)(const deck::Deck& deck, const GridSize& size);

/// A value for each field and cell of the whole grid. Called by many threads.
template <class T>
using CellValues = std::function<T(int field, const grid::Triple& cell)>;

/// Those of a box of the whole grid, by field, z, y, x.
template <class T>
std::vector<T> values_in(const CellValues<T>& values, int fields, const grid::Box& box) {
  std::vector<T> all;
  all.reserve(static_cast<std::size_t>(fields * box.cells()));
  for (int field = 0; field < fields; ++field)
    for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
      for (grid::Index y = box.lo.y; y < box.hi.y; ++y)
        for (grid::Index x = box.lo.x; x < box.hi.x; ++x) all.push_back(values(field, {x, y, z}));
  return all;
}

/// Sets the own cells of a device's fields to the values in `own`, a box of the whole grid, which are made on
/// the host: functions of a device's library have other bits. Returns when that is done.
template <class T>
void fill_own(const backend::Exec& exec, const CellValues<T>& values, const grid::FieldLayout& layout,
              const grid::Box& own, T* fields);

/// A mathematical solution.
struct KnownAnswer {
  CellValues<double> at;  ///< after all steps
  double scale = 1;       ///< errors are the largest difference over this
  double tolerance = 0;   ///< the largest error that rounding, and what the mathematics leaves out, explain
  /// Errors are not the largest difference but the mean over the cells, of the sum over the fields: where
  /// the solution has jumps, at which the largest difference never gets small.
  bool mean = false;
};

/// Values of all fields in the own cells of this rank.
template <class T>
struct OwnCells {
  const comm::Communicator& communicator;
  const comm::Grid& rank_grid;  ///< of this rank
  grid::Box own;                ///< its part of the grid
  const std::vector<T>& cells;  ///< by field, z, y, x

  std::size_t count() const { return static_cast<std::size_t>(own.cells()); }
  T operator()(int field, std::size_t cell) const {
    return cells[static_cast<std::size_t>(field) * count() + cell];
  }
  /// Where in the whole grid a cell lies, by its number.
  grid::Triple place(std::size_t cell) const {
    const auto number = static_cast<grid::Index>(cell);
    const grid::Index row = number / own.extent(0);
    return {own.lo.x + number % own.extent(0), own.lo.y + row % own.extent(1),
            own.lo.z + row / own.extent(1)};
  }
  /// The number of an own cell.
  std::size_t number(const grid::Triple& cell) const {
    const grid::Index row = (cell.z - own.lo.z) * own.extent(1) + cell.y - own.lo.y;
    return static_cast<std::size_t>(row * own.extent(0) + cell.x - own.lo.x);
  }
  /// The mean over the whole grid of what `of` gives for each own cell, by its number; on other rank grids
  /// sums are rounded in other orders. Collective.
  template <class F>
  double mean(const F& of) const {
    double sum = 0;
    for (std::size_t cell = 0; cell < count(); ++cell) sum += static_cast<double>(of(cell));
    return communicator.sum(sum) / communicator.sum(static_cast<double>(count()));
  }
};

/// The physics of a deck with fields of T.
template <class T>
class GridModelOf : public GridModel {
 public:
  GridModelOf(const GridSize& size, GridFacts facts);

  /// The start values, which must have the same bits on every rank.
  virtual CellValues<T> start() const = 0;
  /// Sets the own cells of a device field to them: as fill_own, if it is not overridden.
  virtual std::function<void(const backend::Exec&, T* field)> fill(const grid::FieldLayout& layout,
                                                                   const grid::Box& own) const;
  /// Collective. @param resource for fields that no step changes. @throws as DeepHalo
  virtual std::shared_ptr<comm::DeepHalo<T>> halo(
      const comm::Communicator& communicator, const comm::Grid& grid, const comm::DeepHaloConfig& config,
      T* now, T* next, const std::shared_ptr<memory::MemoryResource>& resource) const = 0;
  /// Makes steps. A physics whose steps depend on the fields, as the length of one may do, overrides this and
  /// `reference`. Several calls must make the same bits as one of all their steps, as frames are: what is
  /// done every so many steps is counted from the start of the run, not of the call. Collective.
  virtual void advance(comm::DeepHalo<T>& halo, grid::Index steps,
                       const std::function<void(grid::Index)>& on_exchange) const;
  /// The whole grid after so many steps, by field, z, y, x, computed by one thread with nothing that is to be
  /// verified.
  virtual std::vector<T> reference(grid::Index steps) const = 0;
  /// The residual sum of each step over the whole grid, likewise.
  virtual std::vector<stencil::ResidualSum> reference_residuals(
      grid::Index steps, const stencil::ResidualScale& scale) const = 0;
  virtual std::optional<KnownAnswer> known_answer(grid::Index /*steps*/) const { return std::nullopt; }
  /// Adds quantities of its own to a point whose last fields are on the host: where they are verified or
  /// written. Collective.
  virtual void measure(const OwnCells<T>& /*last*/, report::Point& /*point*/) const {}

  /// Writes files of its own, when all steps of a point were made. Collective.
  virtual void write_files(const RunContext& /*context*/) const {}

  report::Point run(const RunContext& context, const GridSettings& settings,
                    GridReference& reference) const final;
};

}  // namespace haloheap

#endif
