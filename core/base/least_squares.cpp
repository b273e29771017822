// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/least_squares.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace haloheap::base {
namespace {

using Row = std::vector<double>;

/// Solves the normal equations for the chosen terms by elimination with pivots; nothing if they do not tell
/// the terms apart.
std::optional<Row> solve(std::vector<Row> matrix, Row right) {
  const std::size_t n = right.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
    if (!(std::abs(matrix[pivot][k]) > 1e-12)) return std::nullopt;  // columns have length 1
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) matrix[i][j] -= factor * matrix[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= matrix[k][j] * right[j];
    right[k] /= matrix[k][k];
  }
  return right;
}

/// The observations relative to their scales, with columns of length 1.
struct Scaled {
  std::vector<Row> columns;
  Row values, lengths;

  explicit Scaled(const std::vector<Observation>& observations) {
    const std::size_t terms = observations.empty() ? 0 : observations.front().terms.size();
    if (terms > 8) throw InternalError("a fit of more than 8 terms");
    columns.assign(terms, Row());
    for (const Observation& o : observations) {
      if (o.terms.size() != terms) throw InternalError("observations have different numbers of terms");
      for (std::size_t i = 0; i < terms; ++i) columns[i].push_back(o.terms[i] / o.scale);
      values.push_back(o.value / o.scale);
    }
    for (Row& column : columns) {
      lengths.push_back(std::sqrt(dot(column, column)));
      for (double& entry : column) entry /= lengths.back() > 0 ? lengths.back() : 1;
    }
  }

  static double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  /// The best coefficients of the terms in `mask`, those of the others being 0.
  std::optional<Row> best(unsigned mask) const {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (mask >> i & 1U) chosen.push_back(i);
    std::vector<Row> matrix(chosen.size(), Row(chosen.size()));
    Row right(chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (std::size_t j = 0; j < chosen.size(); ++j)
        matrix[i][j] = dot(columns[chosen[i]], columns[chosen[j]]);
      right[i] = dot(columns[chosen[i]], values);
    }
    const auto solution = solve(std::move(matrix), std::move(right));
    if (!solution) return std::nullopt;
    Row all(columns.size(), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) all[chosen[i]] = (*solution)[i];
    return all;
  }

  double squares(const Row& coefficients) const {
    double sum = 0;
    for (std::size_t row = 0; row < values.size(); ++row) {
      double error = values[row];
      for (std::size_t i = 0; i < columns.size(); ++i) error -= coefficients[i] * columns[i][row];
      sum += error * error;
    }
    return sum;
  }
};

/// The best of all subsets of terms whose coefficients are not negative.
Row best_of(const Scaled& scaled) {
  const std::size_t terms = scaled.columns.size();
  Row found(terms, 0);
  double minimum = scaled.squares(found);
  for (int size = 1; size <= static_cast<int>(terms); ++size)
    for (unsigned mask = 1; mask < 1U << terms; ++mask) {
      if (std::popcount(mask) != size) continue;
      const auto candidate = scaled.best(mask);
      if (!candidate || std::any_of(candidate->begin(), candidate->end(), [](double c) { return c < 0; }))
        continue;
      const double squares = scaled.squares(*candidate);
      if (squares >= minimum * (1 - 1e-9) - 1e-24) continue;
      minimum = squares;
      found = *candidate;
    }
  for (std::size_t i = 0; i < terms; ++i)
    if (scaled.lengths[i] > 0) found[i] /= scaled.lengths[i];
  return found;
}

double relative_error(const Observation& observation, const Row& coefficients) {
  double error = observation.value;
  for (std::size_t i = 0; i < coefficients.size(); ++i) error -= coefficients[i] * observation.terms[i];
  return error / observation.scale;
}

}  // namespace

LinearFit fit_costs(const std::vector<Observation>& observations) {
  constexpr double ordinary = 0.02;  // relative errors beyond this are taken for a disturbance
  constexpr int rounds = 20;
  std::vector<Observation> weighted = observations;
  LinearFit fit;
  for (int round = 0; round < rounds; ++round) {
    fit.coefficients = best_of(Scaled(weighted));
    double squares = 0;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      const double error = std::abs(relative_error(observations[i], fit.coefficients));
      squares += error * error;
      weighted[i].scale = observations[i].scale * std::sqrt(std::max(1.0, error / ordinary));
    }
    fit.residual = observations.empty() ? 0 : std::sqrt(squares / static_cast<double>(observations.size()));
  }
  return fit;
}

}  // namespace haloheap::base
