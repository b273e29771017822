// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/solvers/conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace haloheap::comm {

using namespace detail;

namespace {

/// How much larger than the sum before it the products of a sum may be, before they are looked at twice.
constexpr double headroom = 0x1p24;

void require_solver(const SolverConfig& config) {
  if (!(config.tolerance >= 0 && std::isfinite(config.tolerance)))
    throw UsageError(fmt::format("the tolerance of a solver is {}", config.tolerance),
                     "no residual would be small enough", "use 0 or more, for example 1e-8");
  if (config.max_iterations < 0)
    throw UsageError(fmt::format("a solver is to make {} iterations at most", config.max_iterations), "",
                     "use 0 or more");
}

HaloExchangeConfig once(HaloExchangeConfig config) {
  config.alternating = false;
  config.desynchronisation = false;
  return config;
}

/// Made when it is known that what the ranks were given fits.
template <class T>
HaloPlan agreed_plan(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                     const FieldData<T>& x) {
  HaloPlan plan;
  agree_on(matrix.communicator(), "ConjugateGradient", set_up_timeout(config.halo.timeout), [&] {
    require_solver(config);
    if (config.fields) memory::require_kernel_access(*config.fields);
    b.require(matrix.layout(), "b");
    x.require(matrix.layout(), "x");
    if (b.start == x.start)
      throw UsageError("the fields 'b' and 'x' are the same memory",
                       "the right side would be overwritten by the solution", "give two fields");
    plan = HaloPlan::make(matrix.grid().topology, matrix.layout(), matrix.grid().cells, Exchange::sync,
                          MessagesPer::neighbour);
    return Terms{{{"tolerance", fmt::format("{}", config.tolerance)},
                  {"max_iterations", std::to_string(config.max_iterations)},
                  {"preconditioner", name_of(config.preconditioner)}},
                 {}};
  });
  return plan;
}

template <class T>
struct SetTo {
  T* values;
  T value;
  KOKKOS_FUNCTION void operator()(grid::Index i) const { values[i] = value; }
};

/// 0 for a factor that is positive and finite, 1 for others, and not finite for what is no number.
template <class T>
struct WrongFactor {
  static constexpr int dots = 1;
  const T* factors;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const auto factor = static_cast<double>(factors[at]);
    if (Kokkos::isnan(factor)) return {{factor}};
    return {{factor > 0 && Kokkos::isfinite(factor) ? 0.0 : 1.0}};
  }
};

}  // namespace

template <class T>
ConjugateGradient<T>::ConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config,
                                        const FieldData<T>& b, const FieldData<T>& x)
    : matrix_(matrix),
      config_(config),
      layout_(matrix.layout()),
      plan_(agreed_plan(matrix, config, b, x)),
      b_(static_cast<T*>(b.start)),
      x_(static_cast<T*>(x.start)),
      memory_(config.fields ? config.fields : memory::make_memory_resource("device")),
      r_(memory_, "haloheap::comm::cg_residual", static_cast<std::size_t>(layout_.size())),
      p_(memory_, "haloheap::comm::cg_direction", static_cast<std::size_t>(layout_.size())),
      q_(memory_, "haloheap::comm::cg_next_direction", static_cast<std::size_t>(layout_.size())),
      w_(memory_, "haloheap::comm::cg_applied", static_cast<std::size_t>(layout_.size())),
      exchange_(matrix.communicator(), plan_, matrix.grid().topology,
                ExchangedFields::of(layout_, FieldPair<T>(r_, x)), once(config.halo), timer_),
      dots_(matrix.communicator(), memory_, product(matrix.grid().cells)) {
  if (config_.preconditioner != Preconditioner::jacobi) return;
  scaling_.emplace(memory_, "haloheap::comm::cg_scaling", static_cast<std::size_t>(layout_.size()));
  scaling_exchange_.emplace(matrix.communicator(), plan_, matrix.grid().topology,
                            ExchangedFields::of(layout_, FieldPair<T>(*scaling_, *scaling_)),
                            once(config.halo), timer_);
}

template <class T>
template <class Body>
std::array<double, max_dots> ConjugateGradient<T>::exact(const Exec& exec, const Body& body) {
  for_own_cells(exec, "haloheap::comm::largest_product", layout_,
                LargestProduct<Body>{body, dots_.largest_target()});
  const double largest = dots_.largest(exec);
  if (!std::isfinite(largest)) {
    std::array<double, max_dots> none;
    none.fill(std::nan(""));
    return none;
  }
  for_own_cells(exec, "haloheap::comm::products", layout_, body, dots_.target({largest, largest}));
  return dots_.sums(exec);
}

template <class T>
auto ConjugateGradient<T>::products(const Exec& exec) -> Products {
  const auto of = [&](const auto& scaling) {
    const auto sums =
        exact(exec, ResidualProducts<T, std::decay_t<decltype(scaling)>::scaled>{r_.data(), scaling});
    return Products{sums[0], sums[1]};
  };
  return scaling_ ? of(Scaling<T, true>{scaling_->data()}) : of(Scaling<T, false>{});
}

template <class T>
auto ConjugateGradient<T>::update(const Exec& exec, T alpha, const Products& last) -> Products {
  const DotTarget target = dots_.target({headroom * last.rr, headroom * last.rz});
  const auto run = [&](const auto& scaling) {
    for_own_cells(exec, "haloheap::comm::update_solution", layout_,
                  UpdateSolution<T, std::decay_t<decltype(scaling)>::scaled>{x_, r_.data(), q_.data(),
                                                                             w_.data(), scaling, alpha},
                  target);
  };
  if (scaling_)
    run(Scaling<T, true>{scaling_->data()});
  else
    run(Scaling<T, false>{});
  const auto sums = dots_.sums(exec);
  if (std::isfinite(sums[0]) && std::isfinite(sums[1])) return {sums[0], sums[1]};
  return products(exec);
}

/// @param guess the sum of the last direction; 0 if there was none
template <class T>
double ConjugateGradient<T>::next_direction(const Exec& exec, T beta, double guess) {
  exchange_.exchange(exec, residual_set);
  matrix_.kernels().impose_on_direction(exec, r_.data());
  matrix_.kernels().next_direction(exec, r_.data(), scaling(), p_.data(), beta, q_.data(), w_.data(),
                                   dots_.target({headroom * guess, 0}));
  const double sum = dots_.sums(exec)[0];
  exchange_.check();
  if (guess > 0 && std::isfinite(sum)) return sum;
  return exact(exec, Product<T>{q_.data(), w_.data()})[0];
}

/// The inverse of the diagonal, with what is around it. @returns what is wrong with it
template <class T>
std::optional<StopReason> ConjugateGradient<T>::prepare_scaling(const Exec& exec) {
  if (!scaling_) return std::nullopt;
  matrix_.kernels().diagonal(exec, scaling_->data(), true);
  for_own_cells(exec, "haloheap::comm::wrong_factors", layout_,
                LargestProduct<WrongFactor<T>>{{scaling_->data()}, dots_.largest_target()});
  const double wrong = dots_.largest(exec);
  if (wrong != 0) return std::isfinite(wrong) ? StopReason::indefinite : StopReason::not_a_number;
  scaling_exchange_->exchange(exec, 0);
  matrix_.kernels().impose_on_scaling(exec, scaling_->data());
  return std::nullopt;
}

/// r = b - A x.
template <class T>
void ConjugateGradient<T>::subtract(const Exec& exec, T* r) {
  exchange_.exchange(exec, solution_set);
  matrix_.kernels().impose(exec, x_);
  matrix_.kernels().residual(exec, b_, x_, r);
}

template <class T>
Solution ConjugateGradient<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) {
    solution.reason = reason;
    subtract(exec, w_.data());
    solution.residual = std::sqrt(exact(exec, Product<T>{w_.data(), w_.data()})[0]);
    exchange_.check();
    return solution;
  };
  if (const auto wrong = prepare_scaling(exec)) return ended(*wrong);
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
  backend::parallel_for("haloheap::comm::no_direction",
                        backend::as_kernel_argument(Policy(exec, 0, layout_.size())),
                        SetTo<T>{p_.data(), T{0}});
  subtract(exec, r_.data());
  Products last = products(exec);
  solution.history.push_back(std::sqrt(last.rr));
  if (!std::isfinite(last.rr) || !std::isfinite(last.rz)) return ended(StopReason::not_a_number);
  const double goal = config_.tolerance * solution.history.front();
  double beta = 0, guess = 0;
  while (solution.history.back() > goal) {
    if (solution.iterations == config_.max_iterations) return ended(StopReason::iterations);
    guess = next_direction(exec, static_cast<T>(beta), guess);
    if (!std::isfinite(guess)) return ended(StopReason::not_a_number);
    if (guess <= 0) return ended(StopReason::indefinite);
    const Products next = update(exec, static_cast<T>(last.rz / guess), last);
    ++solution.iterations;
    solution.history.push_back(std::sqrt(next.rr));
    if (!std::isfinite(next.rr) || !std::isfinite(next.rz)) return ended(StopReason::not_a_number);
    beta = next.rz / last.rz;
    last = next;
    std::swap(p_, q_);
  }
  return ended(StopReason::converged);
}

template class ConjugateGradient<float>;
template class ConjugateGradient<double>;

}  // namespace haloheap::comm
