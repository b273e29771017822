// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/lu_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace haloheap {
namespace {

using ElementIndex = std::int64_t;

template <class T>
std::vector<double> make(const LuMatrix& matrix, const std::vector<ElementIndex>& rows) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(matrix.size * matrix.size));
  for (const ElementIndex row : rows)
    for (ElementIndex column = 0; column < matrix.size; ++column) values.push_back(matrix(row, column));
  return values;
}

/// Theorem 9.3's factor, `times` over: the check itself rounds, too, in double.
template <class T>
double tolerance(ElementIndex n, int times) {
  const double nu = static_cast<double>(n) * std::numeric_limits<T>::epsilon() / 2;
  return times * nu / (1 - nu);
}

/// An elimination as in the textbook.
template <class T>
struct Plain {
  Plain(const LuMatrix& matrix, bool pivot) : n(matrix.size), rows(static_cast<std::size_t>(n)) {
    std::iota(rows.begin(), rows.end(), ElementIndex{0});
    for (const double value : make<T>(matrix, rows)) a.push_back(static_cast<T>(value));
    for (ElementIndex k = 0; k < n; ++k) {
      if (pivot) exchange(k);
      eliminate(k);
    }
  }

  T* row(ElementIndex i) { return a.data() + i * n; }

  void exchange(ElementIndex k) {
    ElementIndex best = k;
    for (ElementIndex i = k + 1; i < n; ++i)
      if (std::abs(row(i)[k]) > std::abs(row(best)[k])) best = i;
    std::swap_ranges(row(k), row(k) + n, row(best));
    if (best == k) return;
    std::swap(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(best)]);
  }

  void eliminate(ElementIndex k) {
    for (ElementIndex i = k + 1; i < n; ++i) {
      const T factor = row(i)[k] /= row(k)[k];
      for (ElementIndex j = k + 1; j < n; ++j) row(i)[j] -= factor * row(k)[j];
    }
  }

  ElementIndex n;
  std::vector<ElementIndex> rows;
  std::vector<T> a;
};

template <class T>
void compare_bits(const LuMatrix& matrix, const T* lu, const std::vector<ElementIndex>& rows,
                  LuCheck& check) {
  const Plain<T> plain(matrix, !matrix.dominant);
  if (plain.rows != rows) check.differs += "the order of the rows is not that of a plain elimination; ";
  const auto [mine, other] = std::mismatch(lu, lu + plain.a.size(), plain.a.begin());
  if (mine == lu + plain.a.size()) return;
  const ElementIndex at = mine - lu;
  check.differs += fmt::format("element ({}, {}) is {} instead of {}; ", at / matrix.size, at % matrix.size,
                               static_cast<double>(*mine), static_cast<double>(*other));
}

/// Row i of L U and of |L| |U|.
template <class T>
void multiply_row(ElementIndex n, const T* lu, ElementIndex i, std::vector<double>& product,
                  std::vector<double>& sizes) {
  std::fill(product.begin(), product.end(), 0.0);
  std::fill(sizes.begin(), sizes.end(), 0.0);
  for (ElementIndex k = 0; k <= i; ++k) {
    const double factor = k < i ? static_cast<double>(lu[i * n + k]) : 1.0;
    for (ElementIndex j = k; j < n; ++j) {
      const double term = factor * static_cast<double>(lu[k * n + j]);
      product[static_cast<std::size_t>(j)] += term;
      sizes[static_cast<std::size_t>(j)] += std::abs(term);
    }
  }
}

/// Collects |L U - P A|, of elements or of products with vectors, against its bound.
class Errors {
 public:
  Errors(double factor, const char* what) : factor_(factor), what_(what) {}

  void add(ElementIndex row, double is, double should, double size) {
    const double error = std::abs(is - should);
    largest_ = std::max(largest_, error);
    // Written so that a NaN does not pass.
    if (!(error <= factor_ * size) && wrong_++ == 0)
      first_ = fmt::format("{} of row {} is {} instead of {}", what_, row, is, should);
  }
  void report(double unit, LuCheck& check) const {
    check.residual = std::max(check.residual, largest_ / unit);
    if (wrong_ > 0) check.differs += fmt::format("{}, and {} more; ", first_, wrong_ - 1);
  }

 private:
  double factor_, largest_ = 0;
  const char* what_;
  ElementIndex wrong_ = 0;
  std::string first_;
};

template <class T>
void compare_product(const LuMatrix& matrix, const T* lu, const std::vector<ElementIndex>& rows, double unit,
                     LuCheck& check) {
  const ElementIndex n = matrix.size;
  std::vector<double> product(static_cast<std::size_t>(n)), sizes(product);
  Errors errors(tolerance<T>(n, 2), "L U");
  for (ElementIndex i = 0; i < n; ++i) {
    multiply_row(n, lu, i, product, sizes);
    for (ElementIndex j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      errors.add(i, product[at], matrix(rows[static_cast<std::size_t>(i)], j), sizes[at]);
    }
  }
  errors.report(unit, check);
}

/// L (U x) and |L| (|U| |x|), in place.
template <class T>
void multiply_vector(ElementIndex n, const T* lu, std::vector<double>& x, std::vector<double>& sizes) {
  const auto rows_of = [&](ElementIndex i, ElementIndex begin, ElementIndex end, double& product,
                           double& size) {
    for (ElementIndex j = begin; j < end; ++j) {
      const auto factor = static_cast<double>(lu[i * n + j]);
      product += factor * x[static_cast<std::size_t>(j)];
      size += std::abs(factor) * sizes[static_cast<std::size_t>(j)];
    }
  };
  for (ElementIndex i = 0; i < n; ++i) {  // U: what is read has not been overwritten
    double product = 0, size = 0;
    rows_of(i, i, n, product, size);
    x[static_cast<std::size_t>(i)] = product;
    sizes[static_cast<std::size_t>(i)] = size;
  }
  for (ElementIndex i = n - 1; i >= 0; --i)
    rows_of(i, 0, i, x[static_cast<std::size_t>(i)], sizes[static_cast<std::size_t>(i)]);
}

template <class T>
void compare_vector(const LuMatrix& matrix, const T* lu, const std::vector<ElementIndex>& rows, double unit,
                    LuCheck& check) {
  const ElementIndex n = matrix.size;
  const LuMatrix signs{n, false};
  std::vector<double> x(static_cast<std::size_t>(n)), sizes(x.size(), 1.0);
  for (ElementIndex j = 0; j < n; ++j) x[static_cast<std::size_t>(j)] = signs(n, j) < 0 ? -1 : 1;
  std::vector<double> expected(x.size());
  for (ElementIndex i = 0; i < n; ++i)
    for (ElementIndex j = 0; j < n; ++j)
      expected[static_cast<std::size_t>(i)] +=
          matrix(rows[static_cast<std::size_t>(i)], j) * x[static_cast<std::size_t>(j)];
  multiply_vector(n, lu, x, sizes);
  // Sums of n elements with random signs are sqrt(n) times as large as elements.
  unit *= std::sqrt(static_cast<double>(n));
  // One for the factors, one for each of the three products.
  Errors errors(tolerance<T>(n, 4), "L U x");
  for (std::size_t i = 0; i < x.size(); ++i)
    errors.add(static_cast<ElementIndex>(i), x[i], expected[i], sizes[i]);
  errors.report(unit, check);
}

}  // namespace

template <class T>
LuCheck check_lu(const LuMatrix& matrix, const T* lu, const std::vector<ElementIndex>& rows) {
  const auto n = static_cast<double>(matrix.size);
  const double unit = n * (matrix.dominant ? n : 1.0) * std::numeric_limits<T>::epsilon();
  LuCheck check;
  compare_vector(matrix, lu, rows, unit, check);
  if (matrix.size > max_rows_compared) return check;
  check.residual = 0;
  compare_product(matrix, lu, rows, unit, check);
  compare_bits(matrix, lu, rows, check);
  return check;
}

template LuCheck check_lu(const LuMatrix&, const float*, const std::vector<ElementIndex>&);
template LuCheck check_lu(const LuMatrix&, const double*, const std::vector<ElementIndex>&);

}  // namespace haloheap
