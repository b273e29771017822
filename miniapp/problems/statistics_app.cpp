// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/container_point.hpp>
#include <haloheap/miniapp/problems/statistics_app.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

namespace haloheap {
namespace {

using coherence::all_devices;
using coherence::Context;
using coherence::Index;
using coherence::Sum;
using coherence::Vector;

struct Square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * x; }
};
struct Product {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x * y; }
};
struct SquaredDifference {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return (x - y) * (x - y); }
};

/// Values whose sums are exact: small multiples of 1/16, from the bits of the index.
double value_of(Index i, std::uint64_t salt) {
  std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL + salt;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9ULL;
  return static_cast<double>(static_cast<std::int64_t>(x >> 59) - 16) / 16;
}

/// Two vectors, and a number made of them.
class TwoVectors : public ContainerApp {
 public:
  explicit TwoVectors(Index size) : size_(size) {}

  void prepare(Context& context) override {
    x_.emplace(context, "x", size_);
    y_.emplace(context, "y", size_);
    const auto x = x_->write(), y = y_->write();
    for (Index i = 0; i < size_; ++i) {
      x[i] = value_of(i, 1);
      y[i] = (x[i] + value_of(i, 2)) / 2;
    }
  }

  void run(Context& /*context*/) override { result_ = compute(*x_, *y_); }

  report::Verification check() override {
    const double expected = reference(&x_->unchecked(0), &y_->unchecked(0));
    // The sums are exact, so that only the last operations round.
    report::Verification verification;
    verification.bitwise = std::abs(result_ - expected) <= 1e-14 * std::abs(expected);
    if (!verification.bitwise) verification.differs = fmt::format("{} instead of {}", result_, expected);
    return verification;
  }

  void clear() override {
    x_.reset();
    y_.reset();
  }

  void add_figures(report::Point& point) const override {
    point.figures.push_back({"result", "result", result_});
  }
  report::Work work() const override { return {"", {size_}, 1, "double", 2}; }
  std::size_t bytes() const override { return 2 * static_cast<std::size_t>(size_) * sizeof(double); }

 protected:
  virtual double compute(const Vector<double>& x, const Vector<double>& y) const = 0;
  virtual double reference(const double* x, const double* y) const = 0;

  Index size_;

 private:
  std::optional<Vector<double>> x_, y_;
  double result_ = 0;
};

class Ppmcc final : public TwoVectors {
 public:
  using TwoVectors::TwoVectors;

 private:
  static double correlation(double n, double x, double y, double xy, double xx, double yy) {
    return (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
  }

  double compute(const Vector<double>& x, const Vector<double>& y) const override {
    const Sum<double> sum;
    const double sum_x = reduce(all_devices, "haloheap::ppmcc::x", sum, x);
    const double sum_y = reduce(all_devices, "haloheap::ppmcc::y", sum, y);
    const double sum_xy = map_reduce<double>(all_devices, "haloheap::ppmcc::xy", sum, Product{}, x, y);
    const double sum_xx = map_reduce<double>(all_devices, "haloheap::ppmcc::xx", sum, Square{}, x);
    const double sum_yy = map_reduce<double>(all_devices, "haloheap::ppmcc::yy", sum, Square{}, y);
    return correlation(static_cast<double>(size_), sum_x, sum_y, sum_xy, sum_xx, sum_yy);
  }

  double reference(const double* x, const double* y) const override {
    double sums[5] = {};
    for (Index i = 0; i < size_; ++i) {
      sums[0] += x[i];
      sums[1] += y[i];
      sums[2] += x[i] * y[i];
      sums[3] += x[i] * x[i];
      sums[4] += y[i] * y[i];
    }
    return correlation(static_cast<double>(size_), sums[0], sums[1], sums[2], sums[3], sums[4]);
  }
};

class Mse final : public TwoVectors {
 public:
  using TwoVectors::TwoVectors;

 private:
  double compute(const Vector<double>& x, const Vector<double>& y) const override {
    return map_reduce<double>(all_devices, "haloheap::mse", Sum<double>{}, SquaredDifference{}, x, y) /
           static_cast<double>(size_);
  }

  double reference(const double* x, const double* y) const override {
    double sum = 0;
    for (Index i = 0; i < size_; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum / static_cast<double>(size_);
  }
};

template <class App>
class StatisticsProblem final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const auto options = read_coherence(deck, ranks);
    return fmt::format("two vectors of {} elements on {}\n", elements(deck), describe(options));
  }
  double updates(const deck::Deck& /*deck*/) const override { return 0; }
  report::Point run(const RunContext& context) override {
    App app(elements(context.deck));
    return run_container_point(context, app);
  }

 private:
  static Index elements(const deck::Deck& deck) { return deck.get<std::int64_t>("statistics.elements"); }
};

}  // namespace

std::unique_ptr<Problem> make_ppmcc() {
  return std::make_unique<StatisticsProblem<Ppmcc>>();
}
std::unique_ptr<Problem> make_mse() {
  return std::make_unique<StatisticsProblem<Mse>>();
}

}  // namespace haloheap
