// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/gmres.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace haloheap::comm {

using namespace detail;

namespace {

using Coordinates = std::vector<double>;

/// Of a vector that was orthogonal but for rounding: what of its square is left when it is made so again. A
/// smaller share is made of rounding alone, and there is no next vector.
constexpr double orthogonal_share = 0.01;
/// Of a guess: where a square is smaller, its sum has lost digits.
constexpr double lost_share = 0x1p-20;
/// Of what the residual was: a cycle that leaves more has made no progress.
constexpr double no_progress = 1 - 1e-6;
/// Pivots of the least-squares problem that are made of rounding alone, as a share of a column.
template <class T>
constexpr double vanished = 8.0 * std::numeric_limits<T>::epsilon();

double product_of(const Coordinates& one, const Coordinates& other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

/// Calls `with` a number of vectors at compile time and those from `first` on that it has room for, again and
/// again until all had their turn; once if there are none.
template <class With>
void for_blocks(std::size_t vectors, const With& with) {
  std::size_t first = 0;
  const auto block = [&](auto count) {
    with(count, first);
    first += count;
  };
  do {
    const std::size_t left = vectors - first;
    if (left <= 2)
      block(std::integral_constant<int, 2>());
    else if (left <= 4)
      block(std::integral_constant<int, 4>());
    else if (left <= 8)
      block(std::integral_constant<int, 8>());
    else
      block(std::integral_constant<int, 16>());
  } while (first < vectors);
}

}  // namespace

template <class T>
Gmres<T>::Gmres(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                const FieldData<T>& x, CustomPreconditionerPtr<T> own)
    : system_(SolverMethod::gmres, matrix, config, b, x, own != nullptr),
      applied_(system_.field("haloheap::comm::applied")),
      own_(std::move(own)),
      gram_(matrix.communicator(), system_.memory(), product(matrix.grid().cells), config.restart + 1) {
  for (int i = 1; i < config.restart; ++i) basis_.push_back(system_.field("haloheap::comm::basis"));
  if (config.preconditioner == Preconditioner::jacobi) scaling_.emplace(system_);
  if (!own_) return;
  own_u_.emplace(system_.field("haloheap::comm::preconditioned"));
  own_exchange_.emplace(system_, FieldPair<T>(*own_u_, *own_u_));
}

/// @param guesses of the norms of u and A M u. Nothing where they were too small, or a value is not finite
template <class T>
auto Gmres<T>::products(const Exec& exec, std::size_t vectors, const Coordinates& guesses) const
    -> std::optional<Products> {
  const typename GramMatrix<T>::Fields two{{newest(), applied_.data()}, guesses};
  typename GramMatrix<T>::Fields all;
  for (std::size_t i = 0; i < vectors; ++i) {
    all.data.push_back(basis_[i].data());
    all.guesses.push_back(1);
  }
  all.data.insert(all.data.end(), two.data.begin(), two.data.end());
  all.guesses.insert(all.guesses.end(), guesses.begin(), guesses.end());
  const std::vector<double> found = gram_.products_with(exec, system_.layout(), all, two);
  for (const double value : found)
    if (!std::isfinite(value)) return std::nullopt;
  Products result;
  for (std::size_t i = 0; i < vectors; ++i) {
    result.newest.push_back(found[2 * i]);
    result.applied.push_back(found[2 * i + 1]);
  }
  result.square = found[2 * vectors];
  result.both = found[2 * vectors + 1];
  result.applied_square = found[2 * vectors + 3];
  return result;
}

/// A M u for the newest vector u, and the products. @param guess of the norm of u. Nothing if a value is not
/// finite
template <class T>
auto Gmres<T>::apply(const Exec& exec, std::size_t vectors, double guess) -> std::optional<Products> {
  T* u = newest();
  if (own_) {
    u = own_u_->data();
    own_->apply(exec, newest(), u);
    own_exchange_->exchange(exec, 0);
  } else {
    system_.exchange_residual(exec);
  }
  system_.kernels().impose_on_direction(exec, u);
  system_.kernels().apply(exec, u, scaling(), applied_.data());
  std::optional<Products> found;
  if (growth_ > 0) {
    const Coordinates guesses{guess, growth_ * guess};
    found = products(exec, vectors, guesses);
    if (found && (found->square < lost_share * guesses[0] * guesses[0] ||
                  found->applied_square < lost_share * guesses[1] * guesses[1]))
      found.reset();
  }
  if (!found) {
    const Coordinates guesses{system_.norm(exec, newest()), system_.norm(exec, applied_.data())};
    if (std::isfinite(guesses[0]) && std::isfinite(guesses[1])) found = products(exec, vectors, guesses);
  }
  system_.check();
  if (own_) own_exchange_->check();
  if (found) growth_ = found->square > 0 ? std::sqrt(found->applied_square / found->square) : 0;
  return found;
}

/// With u = V again + length v, so that A M v = (A M u - A M V again) / length, and A M V is known.
template <class T>
auto Gmres<T>::extension(const Products& found, double length, const HessenbergLeastSquares& small)
    -> Extension {
  Extension result;
  result.length = length;
  result.again = found.newest;
  for (const double value : found.applied) result.projected.push_back(value / length);
  result.projected.push_back((found.both - product_of(found.newest, found.applied)) / (length * length));
  const Coordinates known = small.times(found.newest);
  for (std::size_t i = 0; i < known.size(); ++i)
    result.column.push_back(result.projected[i] - known[i] / length);
  const double whole = found.applied_square / (length * length);
  const double rest = std::max(0.0, whole - product_of(result.projected, result.projected));
  result.column.push_back(std::sqrt(rest));
  // Where hardly more than rounding is left nobody knows how long that is.
  result.scale = std::sqrt(std::max(rest, 0x1p-40 * whole));
  return result;
}

/// The newest vector becomes one of the basis.
template <class T>
void Gmres<T>::extend(const Exec& exec, std::size_t vectors, const Extension& by) {
  T* const own = basis_[vectors].data();
  for_blocks(vectors, [&](auto count, std::size_t first) {
    const bool begins = first == 0, ends = first + count >= vectors;
    OrthogonalisePair<T, count> kernel{};
    for (std::size_t i = 0; i < count; ++i) {
      const bool there = first + i < vectors;
      kernel.vectors[i] = there ? basis_[first + i].data() : newest();
      kernel.of_own[i] = there ? static_cast<T>(by.again[first + i] / by.length) : 0;
      kernel.of_next[i] = there ? static_cast<T>(by.projected[first + i] / by.scale) : 0;
    }
    kernel.own = begins ? newest() : own;
    kernel.next = begins ? applied_.data() : newest();
    kernel.own_to = own;
    kernel.next_to = newest();
    kernel.own_factor = begins ? static_cast<T>(1 / by.length) : 1;
    kernel.next_factor = begins ? static_cast<T>(1 / (by.length * by.scale)) : 1;
    kernel.own_share = ends ? static_cast<T>(by.projected[vectors] / by.scale) : 0;
    for_own_cells(exec, "haloheap::comm::extend_basis", system_.layout(), kernel);
  });
}

/// Adds a combination of basis and newest vector, scaled by the diagonal if that is the preconditioner.
template <class T>
void Gmres<T>::add_combination(const Exec& exec, const Coordinates& of_basis, double of_newest, T* to) const {
  const std::size_t vectors = of_basis.size() + (of_newest == 0 ? 0 : 1);
  with_scaling(scaling(), [&](const auto& by) {
    for_blocks(vectors, [&](auto count, std::size_t first) {
      AddCombination<T, count, std::decay_t<decltype(by)>> kernel{{}, {}, to, by};
      for (std::size_t i = 0; i < count; ++i) {
        const bool there = first + i < vectors, of_them = first + i < of_basis.size();
        kernel.vectors[i] = of_them ? basis_[first + i].data() : newest();
        kernel.of[i] = there ? static_cast<T>(of_them ? of_basis[first + i] : of_newest) : 0;
      }
      for_own_cells(exec, "haloheap::comm::add_combination", system_.layout(), kernel);
    });
  });
}

template <class T>
void Gmres<T>::add_to_solution(const Exec& exec, const Coordinates& of_basis, double of_newest) {
  if (of_basis.empty() && of_newest == 0) return;
  if (!own_) return add_combination(exec, of_basis, of_newest, system_.x());
  // M of the combination, as M of each vector is not kept.
  set_all(exec, applied_.data(), system_.layout(), T{0});
  add_combination(exec, of_basis, of_newest, applied_.data());
  own_->apply(exec, applied_.data(), own_u_->data());
  with_scaling(scaling(), [&](const auto& by) {
    for_own_cells(
        exec, "haloheap::comm::add_preconditioned", system_.layout(),
        AddCombination<T, 1, std::decay_t<decltype(by)>>{{own_u_->data()}, {T{1}}, system_.x(), by});
  });
}

/// @param norm of the residual, which is the first vector
template <class T>
auto Gmres<T>::cycle(const Exec& exec, double norm, double goal, Solution& solution) -> CycleEnd {
  HessenbergLeastSquares small(norm, vanished<T>);
  const auto add = [&](const Coordinates& column) {
    const bool added = small.add(column);
    solution.history.push_back(small.residual());
    ++solution.iterations;
    return added;
  };
  Extension now;
  for (std::size_t vectors = 0;; ++vectors) {
    const auto found = apply(exec, vectors, vectors == 0 ? norm : 1);
    if (!found) return CycleEnd::not_a_number;
    const double rest = found->square - product_of(found->newest, found->newest);
    const bool another = rest > orthogonal_share * found->square;
    const double length = another ? std::sqrt(rest) : 0;
    if (vectors > 0) {  // what the last iteration knew but for rounding
      for (std::size_t i = 0; i < vectors; ++i) now.column[i] += now.scale * found->newest[i];
      now.column[vectors] = now.scale * length;
      const bool added = add(now.column);
      if (!added || !another || small.residual() <= goal) {
        add_to_solution(exec, small.solution(), 0);
        return added ? CycleEnd::done : CycleEnd::singular;
      }
    } else if (!another) {
      return CycleEnd::done;  // too small to have a square
    }
    now = extension(*found, length, small);
    const bool last = vectors + 1 == static_cast<std::size_t>(system_.config().restart) ||
                      solution.iterations + 1 == system_.config().max_iterations ||
                      found->applied_square == 0 || small.residual_with(now.column) <= goal;
    if (!last) {
      extend(exec, vectors, now);
      continue;
    }
    // The newest vector need not be made orthogonal for what is added of it.
    const bool added = add(now.column);
    Coordinates y = small.solution();
    double of_newest = 0;
    if (added) {
      of_newest = y.back() / length;
      y.pop_back();
      for (std::size_t i = 0; i < vectors; ++i) y[i] -= of_newest * now.again[i];
    }
    add_to_solution(exec, y, of_newest);
    return added ? CycleEnd::done : CycleEnd::singular;
  }
}

template <class T>
Solution Gmres<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) {
    return system_.ended(exec, solution, reason, applied_.data());
  };
  if (scaling_)
    if (const auto wrong = scaling_->prepare(exec, system_, false)) return ended(*wrong);
  if (own_) own_->prepare(exec);
  system_.subtract(exec, system_.r());
  double norm = system_.norm(exec, system_.r()), before = std::numeric_limits<double>::infinity();
  solution.history.push_back(norm);
  const double goal = system_.config().tolerance * norm;
  growth_ = 0;
  CycleEnd last = CycleEnd::done;
  while (std::isfinite(norm)) {
    if (norm <= goal) return ended(StopReason::converged);
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    if (norm > no_progress * before)
      return ended(last == CycleEnd::singular ? StopReason::breakdown : StopReason::stagnated);
    last = cycle(exec, norm, goal, solution);
    if (last == CycleEnd::not_a_number) break;
    system_.subtract(exec, system_.r());
    before = std::exchange(norm, system_.norm(exec, system_.r(), solution.history.back()));
  }
  return ended(StopReason::not_a_number);
}

template class Gmres<float>;
template class Gmres<double>;

}  // namespace haloheap::comm
