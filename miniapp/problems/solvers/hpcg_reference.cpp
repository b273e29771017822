// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/host_ghost_cells.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_reference.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace {

grid::FieldLayout layout_of_level(const comm::Grid& grid) {
  return grid.layout(1, 1, sizeof(double));
}

/// One level: a grid of which each rank has a part, with the operator that HPCG has on all of them.
class ReferenceLevel {
 public:
  using Field = std::vector<double>;

  ReferenceLevel(const comm::Communicator& communicator, const comm::Grid& grid, double timeout)
      : layout_(layout_of_level(grid)),
        ghosts_(communicator, grid.topology, layout_, grid.cells, timeout),
        around_(static_cast<std::size_t>(layout_.own.x) + 2),
        sums_(static_cast<std::size_t>(layout_.own.x)) {}

  const grid::FieldLayout& layout() const { return layout_; }
  Field field() const { return Field(static_cast<std::size_t>(layout_.size())); }

  /// to = A x.
  void apply(Field& x, Field& to) {
    ghosts_.fill(x.data());
    for (grid::Index z = 0; z < layout_.own.z; ++z)
      for (grid::Index y = 0; y < layout_.own.y; ++y) {
        add_neighbours(x, y, z);
        const double* const row = &x[row_at(y, z)];
        double* const out = &to[row_at(y, z)];
        for (grid::Index i = 0; i < layout_.own.x; ++i)
          out[i] = hpcg_diagonal * row[i] - (sums_[static_cast<std::size_t>(i)] + row[i - 1] + row[i + 1]);
      }
  }

  /// x by a sweep forwards and one backwards. Neighbours' values stay those of before.
  void smooth(const Field& b, Field& x) {
    ghosts_.fill(x.data());
    const grid::Index rows = layout_.own.y * layout_.own.z;
    for (grid::Index row = 0; row < rows; ++row) smooth_row(b, x, row, 1);
    for (grid::Index row = rows; row-- > 0;) smooth_row(b, x, row, -1);
  }

  /// This rank's part of x'y.
  double product(const Field& x, const Field& y) const {
    double sum = 0;
    for_each_row([&](std::size_t at) {
      for (std::size_t i = at; i < at + own_x(); ++i) sum += x[i] * y[i];
    });
    return sum;
  }
  /// to = x + factor y.
  void add(const Field& x, double factor, const Field& y, Field& to) const {
    for_each_row([&](std::size_t at) {
      for (std::size_t i = at; i < at + own_x(); ++i) to[i] = x[i] + factor * y[i];
    });
  }
  /// with(place in the array, cell) for each own cell.
  template <class With>
  void for_each_cell(const With& with) const {
    for (grid::Index z = 0; z < layout_.own.z; ++z)
      for (grid::Index y = 0; y < layout_.own.y; ++y)
        for (grid::Index x = 0; x < layout_.own.x; ++x)
          with(row_at(y, z) + static_cast<std::size_t>(x), grid::Triple{x, y, z});
  }

 private:
  std::size_t own_x() const { return static_cast<std::size_t>(layout_.own.x); }
  std::size_t row_at(grid::Index y, grid::Index z) const {
    return static_cast<std::size_t>(layout_.at({0, y, z}));
  }
  template <class With>
  void for_each_row(const With& with) const {
    for (grid::Index z = 0; z < layout_.own.z; ++z)
      for (grid::Index y = 0; y < layout_.own.y; ++y) with(row_at(y, z));
  }

  /// Into sums_: of each cell of a row the neighbours in other rows. These do not change while a row is
  /// smoothed, so that many cells are added up at once.
  void add_neighbours(const Field& x, grid::Index y, grid::Index z) {
    std::fill(around_.begin(), around_.end(), 0.0);
    for (grid::Index dz = -1; dz <= 1; ++dz)
      for (grid::Index dy = -1; dy <= 1; ++dy) {
        if (dy == 0 && dz == 0) continue;
        const double* const row = &x[row_at(y + dy, z + dz) - 1];
        for (std::size_t i = 0; i < around_.size(); ++i) around_[i] += row[i];
      }
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] = around_[i] + around_[i + 1] + around_[i + 2];
  }

  void smooth_row(const Field& b, Field& x, grid::Index number, grid::Index step) {
    const grid::Index y = number % layout_.own.y, z = number / layout_.own.y, last = layout_.own.x - 1;
    add_neighbours(x, y, z);
    const double* const right = &b[row_at(y, z)];
    double* const row = &x[row_at(y, z)];
    // What comes next in the row is still that of before, so that only the last value is waited for.
    for (grid::Index i = 0; i <= last; ++i) sums_[static_cast<std::size_t>(i)] += right[i] + row[i + step];
    constexpr double inverse = 1 / hpcg_diagonal;
    grid::Index i = step > 0 ? 0 : last;
    double value = row[i - step];
    for (grid::Index n = 0; n <= last; ++n, i += step)
      row[i] = value = (sums_[static_cast<std::size_t>(i)] + value) * inverse;
  }

  grid::FieldLayout layout_;
  comm::HostGhostCells ghosts_;
  Field around_, sums_;
};

/// A level with what the multigrid method has on it beside right side and correction of the finest.
struct MultigridLevel {
  ReferenceLevel level;
  ReferenceLevel::Field b, x, applied;
};

/// The reference's preconditioner: x = M b.
class ReferenceMultigrid {
 public:
  using Field = ReferenceLevel::Field;

  ReferenceMultigrid(const comm::Communicator& communicator, comm::Grid grid, double timeout) {
    levels_.reserve(hpcg_levels);
    for (int n = 0; n < hpcg_levels; ++n) {
      ReferenceLevel level(communicator, grid, timeout);
      Field b = n == 0 ? Field() : level.field(), x = n == 0 ? Field() : level.field();
      Field applied = n + 1 < hpcg_levels ? level.field() : Field();
      levels_.push_back({std::move(level), std::move(b), std::move(x), std::move(applied)});
      for (int dim = 0; dim < 3; ++dim) grid.cells[dim] /= 2;
    }
  }

  ReferenceLevel& finest() { return levels_.front().level; }
  void apply(const Field& b, Field& x) { apply(0, b, x); }

 private:
  void apply(std::size_t n, const Field& b, Field& x) {
    MultigridLevel& fine = levels_[n];
    std::fill(x.begin(), x.end(), 0.0);
    fine.level.smooth(b, x);
    if (n + 1 == levels_.size()) return;
    MultigridLevel& coarse = levels_[n + 1];
    fine.level.apply(x, fine.applied);
    const auto finer = [&](const grid::Triple& cell) {
      return static_cast<std::size_t>(fine.level.layout().at({2 * cell.x, 2 * cell.y, 2 * cell.z}));
    };
    coarse.level.for_each_cell([&](std::size_t at, const grid::Triple& cell) {
      coarse.b[at] = b[finer(cell)] - fine.applied[finer(cell)];
    });
    apply(n + 1, coarse.b, coarse.x);
    coarse.level.for_each_cell(
        [&](std::size_t at, const grid::Triple& cell) { x[finer(cell)] += coarse.x[at]; });
    fine.level.smooth(b, x);
  }

  std::vector<MultigridLevel> levels_;
};

/// Conjugate gradients as HPCG writes them.
class ReferenceSolver {
 public:
  ReferenceSolver(const comm::Communicator& communicator, const comm::Grid& grid, double timeout)
      : communicator_(communicator),
        grid_(grid),
        multigrid_(communicator, grid, timeout),
        level_(multigrid_.finest()),
        x_(level_.field()),
        r_(level_.field()),
        z_(level_.field()),
        p_(level_.field()),
        applied_(level_.field()) {}

  HpcgReference run(int iterations) {
    const grid::Triple first = grid_.own().lo;
    level_.for_each_cell([&](std::size_t at, const grid::Triple& cell) {
      r_[at] = hpcg_right_side(grid_.cells, {first.x + cell.x, first.y + cell.y, first.z + cell.z});
    });
    HpcgReference found;
    const base::Stopwatch watch;
    const double norm = std::sqrt(product(r_, r_));
    for (int n = 0; n < iterations && found.reached() > 0; ++n)
      found.residuals.push_back(std::sqrt(iterate()) / norm);
    found.seconds = communicator_.max(watch.seconds());
    level_.for_each_cell([&](std::size_t at, const grid::Triple& /*cell*/) {
      found.error = std::max(found.error, std::abs(x_[at] - 1));
    });
    found.error = communicator_.max(found.error);
    return found;
  }

 private:
  double product(const ReferenceLevel::Field& x, const ReferenceLevel::Field& y) const {
    return communicator_.sum(level_.product(x, y));
  }

  static void require_positive(double product, const char* what) {
    if (!(product > 0))
      throw InternalError(fmt::format("{} of HPCG's reference is {}, and must be positive", what, product));
  }

  /// @returns r'r
  double iterate() {
    multigrid_.apply(r_, z_);
    const double rz = product(r_, z_);
    if (rz == 0) return 0;  // too small to be told from it
    require_positive(rz, "r'z");
    level_.add(z_, last_rz_ > 0 ? rz / last_rz_ : 0, p_, p_);
    last_rz_ = rz;
    level_.apply(p_, applied_);
    const double pq = product(p_, applied_);
    if (pq == 0) return 0;
    require_positive(pq, "p'Ap");
    const double alpha = rz / pq;
    level_.add(x_, alpha, p_, x_);
    level_.add(r_, -alpha, applied_, r_);
    return product(r_, r_);
  }

  const comm::Communicator& communicator_;
  comm::Grid grid_;
  ReferenceMultigrid multigrid_;
  ReferenceLevel& level_;
  ReferenceLevel::Field x_, r_, z_, p_, applied_;
  double last_rz_ = 0;
};

}  // namespace

HpcgReference run_hpcg_reference(const comm::Communicator& communicator, const comm::Grid& grid,
                                 int iterations, double timeout) {
  return ReferenceSolver(communicator, grid, timeout).run(iterations);
}

const HpcgReference& HpcgReferences::find(const comm::Communicator& communicator, const comm::Grid& grid,
                                          int iterations, double timeout) {
  const grid::Triple &cells = grid.cells, &ranks = grid.topology.ranks;
  const std::vector<grid::Index> which{cells.x, cells.y, cells.z, ranks.x, ranks.y, ranks.z, iterations};
  if (which == last_) return found_;
  last_.clear();  // in case that there is an error
  found_ = run_hpcg_reference(communicator, grid, iterations, timeout);
  last_ = which;
  return found_;
}

std::size_t hpcg_reference_bytes(const comm::Grid& grid) {
  constexpr int solver = 5, finest = 1, others = 3;
  comm::Grid level = grid;
  std::size_t values = 0;
  for (int n = 0; n < hpcg_levels; ++n) {
    values += static_cast<std::size_t>((n == 0 ? solver + finest : others) * layout_of_level(level).size());
    for (int dim = 0; dim < 3; ++dim) level.cells[dim] /= 2;
  }
  return values * sizeof(double);
}

double hpcg_right_side(const grid::Triple& cells, const grid::Triple& cell) {
  double neighbours = 1;  // and the cell itself
  for (int dim = 0; dim < 3; ++dim)
    neighbours *= 1 + (cell[dim] > 0 ? 1 : 0) + (cell[dim] + 1 < cells[dim] ? 1 : 0);
  return hpcg_diagonal + 1 - neighbours;
}

}  // namespace haloheap
