// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/v_cycle.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/splitmix64.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_symmetry.hpp>
#include <haloheap/miniapp/problems/solvers/own_values.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace haloheap {
namespace {

/// Of [1, 2), as HPCG draws them, by a cell's place in the whole grid, whatever the ranks.
double drawn(const grid::Triple& cells, const grid::Triple& cell, std::uint64_t seed) {
  const auto place = static_cast<std::uint64_t>(cell.x + cells.x * (cell.y + cells.y * cell.z));
  return 1 + static_cast<double>(base::splitmix64(place ^ base::splitmix64(seed)) >> 11) * 0x1p-53;
}

class SymmetryTest {
 public:
  SymmetryTest(const comm::LinearOperator<double>& matrix, const SolverSettings& settings)
      : matrix_(matrix),
        settings_(settings),
        x_(field("haloheap::hpcg::drawn")),
        y_(field("haloheap::hpcg::drawn")),
        system_(settings.method, matrix, settings.config, x_, y_),
        out_(system_.field("haloheap::hpcg::applied")) {
    const OwnValues<double> values(matrix.layout(), matrix.grid().own());
    const grid::Triple& cells = matrix.grid().cells;
    values.set(exec(), x_, [&](const grid::Triple& cell) { return drawn(cells, cell, 0); });
    values.set(exec(), y_, [&](const grid::Triple& cell) { return drawn(cells, cell, 1); });
  }

  HpcgSymmetry run() {
    HpcgSymmetry found;
    found.matrix = departure([&](const memory::Array<double>& of) {
      load(of);
      system_.exchange_residual(exec());
      system_.kernels().impose_on_direction(exec(), system_.r());
      system_.kernels().apply(exec(), system_.r(), nullptr, out_.data());
    });
    if (settings_.multigrid()) found.preconditioner = of_cycle();
    system_.check();
    return found;
  }

 private:
  const backend::Exec& exec() const { return instance_.exec(); }
  memory::Array<double> field(const char* label) const {
    return memory::Array<double>(settings_.config.fields, label,
                                 static_cast<std::size_t>(matrix_.layout().size()));
  }
  double product(const memory::Array<double>& a, const memory::Array<double>& b) const {
    return system_.exact(exec(), comm::detail::Product<double>{a.data(), b.data()})[0];
  }
  /// Both operators read the field of the system's residual.
  void load(const memory::Array<double>& of) const {
    backend::copy_async(exec(), system_.r(), of.data(), of.size() * sizeof(double));
  }

  /// @param apply puts into out_ what the operator makes of a field
  template <class Apply>
  double departure(const Apply& apply) const {
    constexpr double norm = 2 * hpcg_diagonal;
    apply(y_);
    const double xy = product(x_, out_);
    apply(x_);
    const double yx = product(y_, out_);
    const double norms = std::sqrt(product(x_, x_)) * std::sqrt(product(y_, y_));
    return std::abs(xy - yx) / (2 * norm * norms * std::numeric_limits<double>::epsilon());
  }

  double of_cycle() {
    comm::detail::VCycle<double> cycle(system_, system_.residual_field(), out_);
    if (const auto wrong = cycle.prepare(exec())) return std::nan("");
    const double found = departure([&](const memory::Array<double>& of) {
      load(of);
      cycle.apply(exec());
    });
    cycle.check();
    return found;
  }

  const comm::LinearOperator<double>& matrix_;
  const SolverSettings& settings_;
  backend::Instance instance_{backend::Priority::low};
  memory::Array<double> x_, y_;
  comm::detail::LinearSystem<double> system_;
  memory::Array<double> out_;
};

}  // namespace

HpcgSymmetry test_symmetry(const comm::LinearOperator<double>& matrix, const SolverSettings& settings) {
  return SymmetryTest(matrix, settings).run();
}

}  // namespace haloheap
