// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator costs as a rule and as an assembled matrix, and what Kokkos-Kernels makes of the latter
// beside haloheap's own kernels and preconditioners, on one rank. No test: its result is times.
//
//   compare_kokkos_kernels [cells in each of two dimensions, 1024] [cells in each of three, 96]
//                          [milliseconds of a run, 200]
//
// Each line has the best of five runs. GB/s counts the values that have to be moved, once each; "of copy" is
// beside that of a copy of a field. Incomplete factors are left out where Kokkos-Kernels would need more
// memory than most hosts have.
#include <haloheap/comm/solvers/conjugate_gradient.hpp>
#include <haloheap/comm/solvers/kokkos_sparse.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <KokkosBlas.hpp>
#include <KokkosSparse_spmv.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {
namespace {

/// A step of backward Euler, as the mini-app has it.
template <int Dims>
struct BackwardEuler {
  using Fields = stencil::Fields<double>;
  using Constants = stencil::Fields<double>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    double out = flux(cell, -1, 0, 0) + flux(cell, 1, 0, 0) + flux(cell, 0, -1, 0) + flux(cell, 0, 1, 0);
    if constexpr (Dims == 3) out += flux(cell, 0, 0, -1) + flux(cell, 0, 0, 1);
    return cell(0) + out;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static double flux(const Cell& cell, int x, int y, int z) {
    return (cell.constant(0) + cell.constant(0, x, y, z)) * (cell(0) - cell(0, x, y, z));
  }
};

using Field = memory::Array<double>;
using Vector = Kokkos::View<double*>;

Field field_of(const grid::FieldLayout& layout, const std::vector<double>& values) {
  Field field(memory::make_memory_resource("device"), "haloheap::compare::field",
              static_cast<std::size_t>(layout.size()));
  const backend::Instance instance(backend::Priority::low);
  backend::copy(instance.exec(), field.data(), values.data(), values.size() * sizeof(double));
  return field;
}

std::vector<double> scattered(const grid::FieldLayout& layout, std::uint32_t seed, double low, double high) {
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  for (double& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = low + (high - low) * static_cast<double>(seed >> 8) / (1 << 24);
  }
  return values;
}

/// Incomplete factors are made with as many numbers as there are cells in a wave times all cells; on a GPU
/// Kokkos-Kernels divides waves where there is no room.
bool room_for_factors(int dims, double edge) {
  constexpr double most = 4e9;
  const double wave = dims == 2 ? edge : 0.75 * edge * edge,
               cells = dims == 2 ? edge * edge : edge * edge * edge;
  return !backend::kernels_on_host || wave * cells * sizeof(int) <= most;
}

template <int Dims>
class Comparison {
 public:
  Comparison(const Communicator& world, grid::Index edge, double seconds)
      : grid_(Grid::make(world, std::vector<grid::Index>(Dims, edge), std::vector<bool>(Dims, false))),
        edge_(static_cast<double>(edge)),
        run_seconds_(seconds),
        config_{.tolerance = 1e-8, .max_iterations = 3000},
        depth_(multigrid_depth(config_.smoothing_steps)),
        layout_(layout_of<BackwardEuler<Dims>>(grid_, depth_)),
        constants_(constants_of()),
        matrix_(world, grid_, BackwardEuler<Dims>{},
                stencil::SideRules::everywhere(stencil::Outside::mirror(), Dims),
                FieldData<double>(constants_), {.depth = depth_}),
        b_(field_of(layout_, scattered(layout_, 2, -1, 1))),
        x_(field_of(layout_, std::vector<double>(static_cast<std::size_t>(layout_.size())))),
        p_(field_of(layout_, scattered(layout_, 3, -1, 1))),
        q_(field_of(layout_, scattered(layout_, 4, -1, 1))),
        w_(field_of(layout_, scattered(layout_, 5, -1, 1))) {}

  void run() {
    const double cells = static_cast<double>(product(grid_.cells));
    std::printf("\n%d-D, %.0f cells in each dimension, double\n%-46s %12s %8s %8s\n", Dims, edge_, "what",
                "us", "GB/s", "of copy");
    copy_rate_ = 0;
    const Vector from("from", static_cast<std::size_t>(cells)), to("to", static_cast<std::size_t>(cells));
    Kokkos::fence();
    line("copy (Kokkos::deep_copy)", 16 * cells, [&] { Kokkos::deep_copy(exec(), to, from); });
    operators(cells);
    sums(cells);
    fused(cells);
    preconditioners();
    solutions();
  }

 private:
  const backend::Exec& exec() const { return instance_.exec(); }
  Field constants_of() const {
    const auto around = constants_layout_of<BackwardEuler<Dims>>(grid_, depth_);
    return field_of(around, scattered(around, 1, 1, 10));
  }

  template <class Work>
  double best_of_runs(const Work& work) const {
    const auto run = [&](int times) {
      const base::Stopwatch watch;
      for (int i = 0; i < times; ++i) work();
      backend::wait_for(exec());
      return watch.seconds();
    };
    run(1);
    const double one = run(1);
    const int times = std::clamp(static_cast<int>(run_seconds_ / 5 / one), 1, 10000);
    double best = 1e30;
    for (int i = 0; i < 5; ++i) best = std::min(best, run(times) / times);
    return best;
  }
  /// @param bytes 0: nobody counts them
  template <class Work>
  void line(const std::string& what, double bytes, const Work& work) {
    print(what, best_of_runs(work), bytes);
  }
  /// Of what is done once.
  template <class Work>
  void once(const std::string& what, const Work& work) {
    const base::Stopwatch watch;
    work();
    print(what, watch.seconds(), 0);
  }
  void print(const std::string& what, double seconds, double bytes) {
    const double rate = bytes / seconds * 1e-9;
    if (copy_rate_ == 0) copy_rate_ = rate;
    std::printf("%-46s %12.1f", what.c_str(), seconds * 1e6);
    if (bytes > 0) std::printf(" %8.1f %8.2f", rate, rate / copy_rate_);
    std::printf("\n");
    std::fflush(stdout);
  }

  void operators(double cells) {
    line("rule: y = A x", 24 * cells,
         [&] { matrix_.kernels().apply(exec(), p_.data(), nullptr, w_.data()); });
    once("assembling, once", [&] { assembled_.emplace(matrix_); });
    const auto& rows = assembled_->rows();
    own_block_ = assembled_->own_block();
    const auto matrix = kokkos_matrix(rows);
    in_ = Vector("in", static_cast<std::size_t>(rows.column_count));
    out_ = Vector("out", static_cast<std::size_t>(rows.row_count()));
    Kokkos::fence();
    assembled_->pack_all(exec(), p_.data(), in_.data());
    const double bytes = entry_bytes(rows) + 8 * cells + 16 * cells;
    line("KokkosSparse::spmv", bytes, [&] { KokkosSparse::spmv(exec(), "N", 1.0, matrix, in_, 0.0, out_); });
    line("pack, KokkosSparse::spmv, unpack", bytes + 32 * cells, [&] {
      assembled_->pack_all(exec(), p_.data(), in_.data());
      KokkosSparse::spmv(exec(), "N", 1.0, matrix, in_, 0.0, out_);
      assembled_->unpack(exec(), out_.data(), w_.data());
    });
  }
  static double entry_bytes(const CompressedRows<double>& rows) {
    return static_cast<double>(rows.entry_count()) * (sizeof(double) + sizeof(int));
  }

  detail::LinearSystem<double> system() {
    return {SolverMethod::cg, matrix_, config_, FieldData<double>(b_), FieldData<double>(x_)};
  }

  void sums(double cells) {
    auto of = system();
    const detail::Product<double> product{p_.data(), q_.data()};
    line("exact: p'q", 16 * cells, [&] {
      detail::for_own_cells(exec(), "haloheap::compare::dot", layout_, product, of.near({cells, 0}));
      of.sums(exec(), product);
    });
    const Vector one("one", static_cast<std::size_t>(cells)), other("other", static_cast<std::size_t>(cells));
    assembled_->pack(exec(), p_.data(), one.data());
    assembled_->pack(exec(), q_.data(), other.data());
    backend::wait_for(exec());
    double sum = 0;
    line("KokkosBlas::dot", 16 * cells, [&] { sum += KokkosBlas::dot(exec(), one, other); });
    line("KokkosBlas::axpby", 24 * cells, [&] { KokkosBlas::axpby(exec(), 1e-9, one, 1.0, other); });
  }

  /// Both passes of an iteration of conjugate gradients, with their sums.
  void fused(double cells) {
    auto of = system();
    const auto& kernels = matrix_.kernels();
    line("fused: q = r + b p, w = A q, q'w exact", 40 * cells, [&] {
      kernels.next_direction(exec(), b_.data(), nullptr, p_.data(), 0.5, q_.data(), w_.data(),
                             of.near({100 * cells, 0}));
      of.sums(exec(), detail::Product<double>{q_.data(), w_.data()});
    });
    const auto matrix = kokkos_matrix(assembled_->rows());
    const Vector r("r", static_cast<std::size_t>(cells)), p("p", static_cast<std::size_t>(cells));
    assembled_->pack(exec(), b_.data(), r.data());
    assembled_->pack(exec(), p_.data(), p.data());
    backend::wait_for(exec());
    double sum = 0;
    const double spmv_bytes = entry_bytes(assembled_->rows()) + 24 * cells;
    line("the same: axpby, spmv, dot", spmv_bytes + 40 * cells, [&] {
      KokkosBlas::axpby(exec(), 1.0, r, 0.5, p);
      KokkosSparse::spmv(exec(), "N", 1.0, matrix, p, 0.0, out_);
      sum += KokkosBlas::dot(exec(), p, out_);
    });
    using Update = detail::UpdateSolution<double, detail::Unscaled<double>>;
    Field residual = field_of(layout_, scattered(layout_, 6, -1, 1));
    const Update update{x_.data(), residual.data(), q_.data(), w_.data(), {}, 1e-12};
    line("fused: x += a q, r -= a w, r'r exact", 48 * cells, [&] {
      detail::for_own_cells(exec(), "haloheap::compare::update", layout_, update, of.near({cells, 0}));
      of.sums(exec(), detail::Product<double>{residual.data(), residual.data()});
    });
    const Vector solution("x", static_cast<std::size_t>(cells));
    Kokkos::fence();
    line("the same: 2 axpby, dot", 56 * cells, [&] {
      KokkosBlas::axpby(exec(), 1e-12, p, 1.0, solution);
      KokkosBlas::axpby(exec(), -1e-12, out_, 1.0, r);
      sum += KokkosBlas::dot(exec(), r, r);
    });
  }

  void preconditioners() {
    once("Gauss-Seidel, set up", [&] { sweep_ = std::make_shared<GaussSeidel<double>>(*assembled_); });
    const double rows = static_cast<double>(own_block_.row_count());
    // Twice all entries and the vectors.
    line("Gauss-Seidel, a symmetric sweep", 2 * (entry_bytes(own_block_) + 32 * rows),
         [&] { sweep_->apply(exec(), b_.data(), w_.data()); });
    if (room_for_factors(Dims, edge_)) {
      once("ILU(0), set up", [&] { factors_ = std::make_shared<IncompleteFactors<double>>(*assembled_); });
      line("ILU(0), both solves", entry_bytes(own_block_) + 12 * rows + 48 * rows,
           [&] { factors_->apply(exec(), b_.data(), w_.data()); });
    } else {
      std::printf("%-46s %12s\n", "ILU(0): left out, for its memory", "-");
    }
    auto of = system();
    const Field z = of.field("haloheap::compare::correction");
    detail::VCycle<double> cycle(of, of.residual_field(), z);
    once("V-cycle, set up", [&] { static_cast<void>(cycle.prepare(exec())); });
    line("V-cycle", 0, [&] { cycle.apply(exec()); });
  }

  void solutions() {
    std::printf("%-46s %12s %12s\n", "conjugate gradients to 1e-8", "iterations", "ms");
    const auto with = [&](const char* name, Preconditioner preconditioner,
                          CustomPreconditionerPtr<double> own) {
      SolverConfig config = config_;
      config.preconditioner = preconditioner;
      ConjugateGradient<double> solver(matrix_, config, b_, x_, std::move(own));
      Solution solution;
      double seconds = 0;
      for (int i = 0; i < 2; ++i) {  // the first makes what later ones have
        detail::set_all(exec(), x_.data(), layout_, 0.0);
        backend::wait_for(exec());
        const base::Stopwatch watch;
        solution = solver.solve(exec());
        seconds = watch.seconds();
      }
      std::printf("%-46s %12d %12.2f%s\n", name, solution.iterations, seconds * 1e3,
                  solution.converged() ? "" : ("  " + name_of(solution.reason)).c_str());
      std::fflush(stdout);
    };
    with("none", Preconditioner::none, nullptr);
    with("jacobi", Preconditioner::jacobi, nullptr);
    with("Gauss-Seidel", Preconditioner::none, sweep_);
    if (factors_) with("ILU(0)", Preconditioner::none, factors_);
    with("multigrid", Preconditioner::multigrid, nullptr);
  }

  Grid grid_;
  double edge_, run_seconds_, copy_rate_ = 0;
  SolverConfig config_;
  int depth_;
  grid::FieldLayout layout_;
  Field constants_;
  LinearOperator<double> matrix_;
  Field b_, x_, p_, q_, w_;
  backend::Instance instance_{backend::Priority::low};
  std::optional<AssembledMatrix<double>> assembled_;
  CompressedRows<double> own_block_;
  Vector in_, out_;
  std::shared_ptr<GaussSeidel<double>> sweep_;
  std::shared_ptr<IncompleteFactors<double>> factors_;
};

}  // namespace
}  // namespace haloheap::comm

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard guard(argc, argv);
    const haloheap::comm::Communicator world(MPI_COMM_SELF);
    const long plane = argc > 1 ? std::atol(argv[1]) : 1024, space = argc > 2 ? std::atol(argv[2]) : 96;
    const double seconds = (argc > 3 ? std::atof(argv[3]) : 200) * 1e-3;
    haloheap::comm::Comparison<2>(world, plane, seconds).run();
    haloheap::comm::Comparison<3>(world, space, seconds).run();
  }
  MPI_Finalize();
  return 0;
}
