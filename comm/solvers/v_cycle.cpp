// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/transfer_kernels.hpp>
#include <haloheap/comm/solvers/v_cycle.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/boundary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace haloheap::comm::detail {

/// next = factor * scale * b: a step of a Jacobi iteration from 0.
template <class T>
struct FirstStep {
  static constexpr int dots = 0;
  const T *b, *scale;
  T* next;
  T factor;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    next[at] = factor * scale[at] * b[at];
  }
};

template <class T>
struct AddMagnitude {
  static constexpr int dots = 0;
  const T* values;
  T* sums;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    sums[at] += Kokkos::abs(values[at]);
  }
};

/// Where a cell itself or a neighbour behind it has the colour, its coefficient is what was made of it.
template <class T>
struct KeepCoefficients {
  static constexpr int dots = 0;
  Colours colours;
  grid::Triple colour, first;
  const T* values;  ///< with the other sign
  T* coefficients;
  grid::Index size;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    int n = 0;
    for (int dim = colours.dims() - 1; dim >= 0; --dim) {
      int found = -1;
      for (int away = -1; away <= 1; ++away) {
        const grid::Index there = first[dim] + cell[dim] + away;
        if (colours.inside(dim, there) && colours.has(dim, there, colour)) found = away + 1;
      }
      if (found < 0) return;
      n = 3 * n + found;
    }
    const int behind = n - cells_around(colours.dims()) / 2;
    if (behind >= 0) coefficients[behind * size + at] = -values[at];
  }
};

namespace {

/// Unknowns of the coarsest level: fewer cost less than a level, more too much.
constexpr grid::Index few_cells = 128, most_cells = 4096;

/// The least maximum over the upper part of the spectrum of as many factors 1 - factor * eigenvalue, up to
/// `largest`. Modes that a coarse grid of so many dimensions has not begin at 1 / (2 dims) of it.
std::vector<double> smoothing_factors(int steps, double largest, int dims) {
  const double smallest = largest / (2 * dims), middle = (largest + smallest) / 2,
               half = (largest - smallest) / 2;
  std::vector<double> factors;
  for (int k = 0; k < steps; ++k)
    factors.push_back(1 / (middle + half * std::cos(std::numbers::pi * (2 * k + 1) / (2 * steps))));
  return factors;
}

void require_operator(int radius, int depth, int steps) {
  if (radius != 1)
    throw UsageError(fmt::format("the operator of a multigrid method has a rule of radius {}", radius),
                     "coarse operators of such rules are not made", "use another preconditioner");
  if (depth < multigrid_depth(steps))
    throw UsageError(
        fmt::format("an operator of depth {} is to be smoothed by {} steps", depth, steps),
        "these and the restriction behind them need the ghost cells of one exchange",
        fmt::format("give the LinearOperator the depth {}: multigrid_depth", multigrid_depth(steps)));
}

}  // namespace

template <class T>
struct VCycle<T>::Level {
  const Communicator* communicator;
  Topology topology;
  Coarsening coarsening;  // to the next one; nothing is halved on the last
  grid::Box own;          // in the whole grid
  grid::FieldLayout layout;
  std::vector<memory::Array<T>> fields;  // b, x and scale, but for the finest, and one more
  T *b = nullptr, *x = nullptr, *other = nullptr;
  const T* scale = nullptr;
  std::optional<memory::Array<T>> coefficients;
  std::unique_ptr<LevelOperator<T>> matrix;
  const CoefficientOperator<T>* by_coefficients = nullptr;  // the same; not of the finest
  std::unique_ptr<HaloExchange> exchange;
  std::vector<T> factors;
  // Where all ranks get this level whole: the part of this rank, and how.
  grid::FieldLayout part_layout;
  grid::Box part;
  std::optional<memory::Array<T>> part_values;
  std::optional<CellGather<T>> gather;

  enum Set { right_side, correction };

  grid::Box inside() const {
    return grid::whole_grid(layout.dims, coarsening.periodic, coarsening.fine, own);
  }
  /// Own cells and so many around, within the grid.
  grid::Box around(grid::Index width) const {
    return grid::intersect(grid::grown(layout.own_box(), layout.dims, width), inside());
  }
  PlacedField<T> placed(T* field) const { return {field, layout, own.lo}; }
  PlacedField<const T> read(const T* field) const { return {field, layout, own.lo}; }
  /// Where the correction is after so many steps of smoothing. The last of a cycle, which has an even number,
  /// ends in x.
  T* after(int steps) const { return steps % 2 == 0 ? x : other; }
  /// Where what is restricted from the finer level goes.
  PlacedField<T> restricted(T* field) const {
    return gather ? PlacedField<T>{part_values->data(), part_layout, part.lo} : placed(field);
  }
  Colours colours() const { return Colours(layout.dims, coarsening.fine, coarsening.periodic); }
};

template <class T>
VCycle<T>::VCycle(const LinearSystem<T>& system, const memory::Array<T>& r, const memory::Array<T>& z)
    : system_(system),
      alone_(MPI_COMM_SELF),
      steps_(system.config().smoothing_steps),
      depth_(multigrid_depth(steps_)),
      scaling_(system) {
  require_operator(system.matrix().radius(), system.matrix().depth(), steps_);
  add_finest(r, z);
  do add_below(*levels_.back());
  while (product(levels_.back()->coarsening.fine) > few_cells && levels_.back()->coarsening.any());
  const grid::Index left = product(levels_.back()->coarsening.fine);
  if (left > most_cells)
    throw UsageError(fmt::format("the coarsest grid of a multigrid method has {} cells", left),
                     "these are too many to be solved at once", "use another preconditioner");
}

template <class T>
VCycle<T>::~VCycle() = default;

template <class T>
void VCycle<T>::add_finest(const memory::Array<T>& r, const memory::Array<T>& z) {
  const Grid& grid = system_.matrix().grid();
  auto level = std::make_unique<Level>();
  level->communicator = &system_.matrix().communicator();
  level->topology = grid.topology;
  level->coarsening =
      Coarsening::of(grid.dims, grid.cells, grid.topology.periodic, system_.matrix().sides(), depth_);
  level->own = grid.own();
  level->layout = system_.layout();
  level->fields.push_back(system_.field("haloheap::comm::cycle"));
  level->b = r.data();
  level->x = z.data();
  level->other = level->fields[0].data();
  level->scale = scaling_.data();
  level->matrix = std::make_unique<FinestOperator<T>>(system_.kernels());
  level->exchange = std::make_unique<typename LinearSystem<T>::FieldExchange>(system_, FieldPair<T>(r, z));
  levels_.push_back(std::move(level));
}

template <class T>
void VCycle<T>::add_below(Level& finer) {
  const int dims = finer.layout.dims;
  auto level = std::make_unique<Level>();
  level->coarsening = finer.coarsening.next(dims, depth_);
  const grid::Triple& cells = level->coarsening.fine;
  level->part = finer.coarsening.coarse_of(finer.own);
  const bool last = product(cells) <= few_cells || !level->coarsening.any();
  double least = last ? 0 : depth_;  // own cells of a rank in a dimension that is divided
  for (int dim = 0; dim < dims; ++dim)
    if (finer.topology.ranks[dim] > 1) least = std::min(least, static_cast<double>(level->part.extent(dim)));
  const bool divided = finer.communicator->size() > 1;
  const bool together = divided && -finer.communicator->max(-least) < depth_;
  level->communicator = together ? &alone_ : finer.communicator;
  level->topology = together ? Topology::make(0, {1, 1, 1}, finer.topology.periodic) : finer.topology;
  level->own = together ? grid::Box{{0, 0, 0}, cells} : level->part;
  const auto layout_of = [&](const grid::Box& box, grid::Index halo, int quantities) {
    return grid::make_field_layout(dims, {box.extent(0), box.extent(1), box.extent(2)}, halo, quantities,
                                   sizeof(T));
  };
  level->layout = layout_of(level->own, depth_, 1);
  const auto add_field = [&](const char* label) {
    level->fields.emplace_back(system_.memory(), label, static_cast<std::size_t>(level->layout.size()));
  };
  add_field("haloheap::comm::coarse_right_side");
  add_field("haloheap::comm::coarse_correction");
  add_field("haloheap::comm::coarse_cycle");
  add_field("haloheap::comm::coarse_scaling");
  level->b = level->fields[0].data();
  level->x = level->fields[1].data();
  level->other = level->fields[2].data();
  level->scale = level->fields[3].data();
  level->coefficients.emplace(system_.memory(), "haloheap::comm::coefficients",
                              static_cast<std::size_t>(cells_behind(dims) * level->layout.size()));
  auto matrix = std::make_unique<CoefficientOperator<T>>(level->layout, level->coefficients->data());
  level->by_coefficients = matrix.get();
  level->matrix = std::move(matrix);
  const HaloPlan plan =
      HaloPlan::make(level->topology, level->layout, cells, Exchange::sync, MessagesPer::neighbour);
  level->exchange = std::make_unique<HaloExchange>(
      *level->communicator, plan, level->topology,
      ExchangedFields::of(level->layout, FieldPair<T>(level->fields[0], level->fields[1])),
      system_.config().halo, timer_);
  if (together) {
    level->part_layout = layout_of(level->part, 0, 1);
    level->part_values.emplace(system_.memory(), "haloheap::comm::part",
                               static_cast<std::size_t>(level->part_layout.size()));
    level->gather.emplace(*finer.communicator, level->part_layout, level->part, level->layout);
  }
  levels_.push_back(std::move(level));
}

template <class T>
std::optional<StopReason> VCycle<T>::prepare(const Exec& exec) {
  if (coarsest_) return std::nullopt;
  if (const auto wrong = scaling_.prepare(exec, system_, true)) return wrong;
  for (const auto& level : levels_) {
    set_all(exec, level->b, level->layout, T{0});
    set_all(exec, level->x, level->layout, T{0});
    set_all(exec, level->other, level->layout, T{0});
  }
  for (std::size_t n = 0; n < levels_.size(); ++n) {
    if (n > 0) make_coarse_operator(exec, *levels_[n - 1], *levels_[n]);
    if (const auto wrong = find_factors(exec, *levels_[n])) return wrong;
  }
  if (!invert(exec, *levels_.back())) return StopReason::indefinite;
  add_cycle();
  return std::nullopt;
}

/// From the largest sum of a row's magnitudes over its diagonal, which no eigenvalue exceeds.
template <class T>
std::optional<StopReason> VCycle<T>::find_factors(const Exec& exec, Level& level) {
  const Colours colours = level.colours();
  const memory::Array<T> sums(system_.memory(), "haloheap::comm::row_sums",
                              static_cast<std::size_t>(level.layout.size()));
  set_all(exec, sums.data(), level.layout, T{0});
  set_all(exec, level.b, level.layout, T{0});
  if (level.by_coefficients != nullptr) {
    level.by_coefficients->add_magnitudes(exec, sums.data());
  } else {
    for (int n = 0; n < colours.count(); ++n) {
      for_box(exec, "haloheap::comm::set_colour", level.layout, level.around(1),
              SetColour<T>{colours, colours.colour(n), level.own.lo, level.x});
      level.matrix->impose(exec, level.x);
      level.matrix->residual(exec, level.b, level.x, level.other, level.around(0));
      for_own_cells(exec, "haloheap::comm::add_magnitude", level.layout,
                    AddMagnitude<T>{level.other, sums.data()});
    }
  }
  for_own_cells(exec, "haloheap::comm::largest_row", level.layout,
                LargestProduct<Product<T>>{{sums.data(), level.scale}, system_.dots().largest_target()});
  const double largest = system_.dots().largest(exec);  // waits
  if (!std::isfinite(largest)) return StopReason::not_a_number;
  level.factors.clear();
  for (const double factor : smoothing_factors(steps_, largest, level.layout.dims))
    level.factors.push_back(static_cast<T>(factor));
  return std::nullopt;
}

/// P' A P, one colour of coarse cells after the other.
template <class T>
void VCycle<T>::make_coarse_operator(const Exec& exec, Level& finer, Level& coarse) {
  const Colours colours = coarse.colours();
  const grid::Index size = coarse.layout.size();
  set_all(exec, finer.b, finer.layout, T{0});
  set_all(exec, coarse.b, coarse.layout, T{0});
  grid::FieldLayout all = coarse.layout;
  all.quantities = cells_behind(coarse.layout.dims);
  set_all(exec, coarse.coefficients->data(), all, T{0});
  for (int n = 0; n < colours.count(); ++n) {
    const grid::Triple colour = colours.colour(n);
    for_box(exec, "haloheap::comm::interpolate_colour", finer.layout, finer.around(3),
            InterpolateColour<T>{finer.coarsening, colours, colour, finer.own.lo, finer.x});
    finer.matrix->impose(exec, finer.x);
    finer.matrix->residual(exec, finer.b, finer.x, finer.other, finer.around(2));
    restrict_to(exec, finer.coarsening, finer.read(finer.other), coarse.restricted(coarse.b));
    if (coarse.gather) coarse.gather->gather(exec, coarse.part_values->data(), coarse.b);
    for_own_cells(
        exec, "haloheap::comm::keep_coefficients", coarse.layout,
        KeepCoefficients<T>{colours, colour, coarse.own.lo, coarse.b, coarse.coefficients->data(), size});
  }
  HaloExchange exchange(
      *coarse.communicator,
      HaloPlan::make(coarse.topology, all, coarse.coarsening.fine, Exchange::sync, MessagesPer::neighbour),
      coarse.topology, ExchangedFields::of(all, FieldPair<T>(*coarse.coefficients, *coarse.coefficients)),
      system_.config().halo, timer_);
  exchange.exchange(exec, 0);
  T* const scale = coarse.fields[3].data();
  set_all(exec, scale, coarse.layout, T{0});
  coarse.by_coefficients->invert_diagonal(exec, scale, coarse.around(depth_));
  backend::wait_for(exec);
  exchange.check();
}

/// Whether there is an inverse: the coarsest operator has no negative eigenvalues.
template <class T>
bool VCycle<T>::invert(const Exec& exec, const Level& coarsest) {
  std::vector<T> coefficients(coarsest.coefficients->size());
  backend::copy(exec, coefficients.data(), coarsest.coefficients->data(), coefficients.size() * sizeof(T));
  const grid::Triple& cells = coarsest.coarsening.fine;
  const auto number = [&](const grid::Triple& cell) {
    return static_cast<std::size_t>(cell.x + cells.x * (cell.y + cells.y * cell.z));
  };
  const auto count = static_cast<std::size_t>(product(cells));
  std::vector<double> rows(count * count);
  const int dims = coarsest.layout.dims;
  for (std::size_t row = 0; row < count; ++row) {
    const auto at = static_cast<grid::Index>(row);
    const grid::Triple cell{at % cells.x, at / cells.x % cells.y, at / cells.x / cells.y};
    for (int n = 0; n < cells_behind(dims); ++n) {
      grid::Triple there = direction_of(cells_around(dims) / 2 + n, dims);
      bool inside = true;
      for (int dim = 0; dim < 3; ++dim) {
        there[dim] += cell[dim];
        if (coarsest.coarsening.periodic[dim]) there[dim] = (there[dim] + cells[dim]) % cells[dim];
        inside = inside && there[dim] >= 0 && there[dim] < cells[dim];
      }
      if (!inside) continue;
      const auto coefficient = static_cast<double>(
          coefficients[static_cast<std::size_t>(n * coarsest.layout.size() + coarsest.layout.at(cell))]);
      rows[row * count + number(there)] += coefficient;
      if (n > 0) rows[number(there) * count + row] += coefficient;
    }
  }
  const DenseFactors factors(std::move(rows), count);
  if (factors.good()) coarsest_.emplace(exec, system_.memory(), factors, coarsest.layout);
  return factors.good();
}

template <class T>
void VCycle<T>::add_cycle() {
  using Host = ReplayedSteps::Host;
  for (std::size_t n = 0; n + 1 < levels_.size(); ++n) {
    Level &level = *levels_[n], &coarse = *levels_[n + 1];
    add_exchange(level, Level::right_side);
    cycle_.add(Host::stays_out, [&](const Exec& exec) { smooth_down(exec, level, coarse); });
    if (coarse.gather)
      cycle_.add(Host::takes_part, [&](const Exec& exec) {
        coarse.gather->gather(exec, coarse.part_values->data(), coarse.b);
      });
  }
  cycle_.add(Host::stays_out, [this](const Exec& exec) {
    const Level& level = *levels_.back();
    coarsest_->apply(exec, level.b, level.x);
  });
  for (std::size_t n = levels_.size() - 1; n-- > 0;) {
    Level &level = *levels_[n], &coarse = *levels_[n + 1];
    add_exchange(coarse, Level::correction);
    cycle_.add(Host::stays_out, [&](const Exec& exec) { smooth_up(exec, level, coarse); });
  }
}

template <class T>
void VCycle<T>::add_exchange(Level& level, int set) {
  using Host = ReplayedSteps::Host;
  cycle_.add(level.exchange->without_host() ? Host::stays_out : Host::takes_part,
             [&level, set](const Exec& exec) { level.exchange->exchange(exec, set); });
}

template <class T>
void VCycle<T>::apply(const Exec& exec) {
  cycle_.run(exec);
}

/// Smooths from 0, and restricts what is left.
template <class T>
void VCycle<T>::smooth_down(const Exec& exec, const Level& level, const Level& coarse) const {
  if (steps_ == 1) {
    for_box(exec, "haloheap::comm::first_step", level.layout, level.around(depth_),
            FirstStep<T>{level.b, level.scale, level.after(1), level.factors[0]});
  } else {
    level.matrix->impose(exec, level.b);
    level.matrix->smooth_from_zero(exec, level.b, level.scale, level.factors[0], level.factors[1],
                                   level.after(2), level.around(depth_ - 1));
  }
  for (int step = 2; step < steps_; ++step) {
    level.matrix->impose(exec, level.after(step));
    level.matrix->smooth(exec, level.b, level.after(step), level.scale,
                         level.factors[static_cast<std::size_t>(step)], level.after(step + 1),
                         level.around(depth_ - step));
  }
  T* const residual = level.after(steps_ + 1);
  level.matrix->impose(exec, level.after(steps_));
  level.matrix->residual(exec, level.b, level.after(steps_), residual, level.around(2));
  restrict_to(exec, level.coarsening, level.read(residual), coarse.restricted(coarse.b));
}

template <class T>
void VCycle<T>::smooth_up(const Exec& exec, const Level& level, const Level& coarse) const {
  const grid::Index width = depth_ - steps_ + 1;
  add_interpolated(exec, level.coarsening, coarse.read(coarse.x), level.placed(level.after(steps_)),
                   level.around(width));
  for (int step = steps_; step < 2 * steps_; ++step) {
    level.matrix->impose(exec, level.after(step));
    level.matrix->smooth(exec, level.b, level.after(step), level.scale,
                         level.factors[static_cast<std::size_t>(2 * steps_ - 1 - step)],
                         level.after(step + 1), level.around(width - (step - steps_ + 1)));
  }
}

template <class T>
void VCycle<T>::check() {
  for (const auto& level : levels_) level->exchange->check();
}

template class VCycle<float>;
template class VCycle<double>;

}  // namespace haloheap::comm::detail
