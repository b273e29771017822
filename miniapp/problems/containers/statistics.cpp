// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/coherence_costs.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/statistics_by_hand.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

namespace haloheap {

namespace {

void add_statistics_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("statistics", "Problems ppmcc and mse: two vectors");
  section.integer("elements", 1 << 20).range(1, 1LL << 34).unit("elements").help("Of each vector, double");
}

using coherence::all_devices;
using coherence::Context;
using coherence::ElementIndex;
using coherence::Sum;
using coherence::Vector;

/// Values whose sums are exact: small multiples of 1/16, from the bits of the index.
double value_of(ElementIndex i, std::uint64_t salt) {
  std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL + salt;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9ULL;
  return static_cast<double>(static_cast<std::int64_t>(x >> 59) - 16) / 16;
}

struct PpmccResult {
  double result = 0;
  std::optional<double> dual_view = {};  ///< seconds
};

struct MseResult {
  double result = 0;
  double fastest = 0;             ///< seconds with containers
  std::optional<double> by_hand;  ///< seconds
  CoherenceCosts costs;
};

report::Quantity result_quantity() {
  return {"figures.result",  "", "result", "The number that is made of the vectors.", report::Shown{},
          report::Range::any};
}

std::optional<double> in_ms(const std::optional<double>& seconds) {
  return seconds ? std::optional(1e3 * *seconds) : std::nullopt;
}

/// Two vectors, and a number made of them.
class TwoVectors : public ContainerApp {
 public:
  explicit TwoVectors(ElementIndex size) : size_(size) {}

  void prepare(Context& context) override {
    x_.emplace(context, "x", size_);
    y_.emplace(context, "y", size_);
    const auto x = x_->write(), y = y_->write();
    for (ElementIndex i = 0; i < size_; ++i) {
      x[i] = value_of(i, 1);
      y[i] = (x[i] + value_of(i, 2)) / 2;
    }
  }

  void run(Context& context) override {
    context_ = &context;
    result_ = compute(*x_, *y_);
  }

  report::Verification check() override {
    x_->update_host();
    y_->update_host();
    const double expected = reference(&x_->unchecked(0), &y_->unchecked(0));
    // The sums are exact, so that only the last operations round.
    const bool right = std::abs(result_ - expected) <= 1e-14 * std::abs(expected);
    return report::verification_of(right ? "" : fmt::format("{} instead of {}", result_, expected));
  }

  void clear() override {
    x_.reset();
    y_.reset();
  }

  report::Work work() const override { return {"", {size_}, 1, "double", 2}; }
  std::size_t bytes() const override { return 2 * static_cast<std::size_t>(size_) * sizeof(double); }

 protected:
  double result() const { return result_; }
  virtual double compute(const Vector<double>& x, const Vector<double>& y) const = 0;
  virtual double reference(const double* x, const double* y) const = 0;

  ElementIndex size_;

  std::optional<Vector<double>> x_, y_;
  Context* context_ = nullptr;  // of the last run

 private:
  double result_ = 0;
};

class Ppmcc final : public TwoVectors {
 public:
  using TwoVectors::TwoVectors;

  /// Kokkos::DualView knows one device: timed beside each run with containers where there is one.
  void prepare(Context& context) override {
    TwoVectors::prepare(context);
    if (context.devices() != 1) return;
    const HandWritten run = ppmcc_by_dual_view(&x_->unchecked(0), &y_->unchecked(0), size_);
    dual_view_ = run.result;
    dual_view_times_.push_back(run.seconds);
  }

  report::Verification check() override {
    const report::Verification verification = TwoVectors::check();
    const bool same = dual_view_times_.empty() || dual_view_ == result();
    return same ? verification : report::verification_of("the run with DualView");
  }

  void measure(const report::Spread& /*wall*/, report::Point& point) const override {
    PpmccResult measured{result()};
    if (!dual_view_times_.empty()) measured.dual_view = report::spread_of(dual_view_times_).median;
    point.measure(quantities(), measured);
  }

  static const report::Quantities<PpmccResult>& quantities() {
    static const report::Quantities<PpmccResult> all = {
        {result_quantity(), &PpmccResult::result},
        {{"figures.dual_view_ms", "ms", "DualView",
          "Time of the same with Kokkos::DualView, where there is one device: the median.", report::Shown{}},
         [](const PpmccResult& r) { return in_ms(r.dual_view); }},
    };
    return all;
  }

 private:
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
    for (ElementIndex i = 0; i < size_; ++i) {
      sums[0] += x[i];
      sums[1] += y[i];
      sums[2] += x[i] * y[i];
      sums[3] += x[i] * x[i];
      sums[4] += y[i] * y[i];
    }
    return correlation(static_cast<double>(size_), sums[0], sums[1], sums[2], sums[3], sums[4]);
  }

  double dual_view_ = 0;
  std::vector<double> dual_view_times_;
};

class Mse final : public TwoVectors {
 public:
  using TwoVectors::TwoVectors;

  /// The run by hand is timed beside each run with containers: before it, and after another one, so that both
  /// find the same machine: one on which as much memory has just been given back, which a driver clears
  /// before it gives it to the next (1.8 ms a GB on an H200).
  void prepare(Context& context) override {
    TwoVectors::prepare(context);
    if (context.devices() == 0 || context.options().share_devices) return;
    mse_by_hand(context, &x_->unchecked(0), &y_->unchecked(0), size_);
    const HandWritten run = mse_by_hand(context, &x_->unchecked(0), &y_->unchecked(0), size_);
    by_hand_ = run.result;
    times_by_hand_.push_back(run.seconds);
  }

  report::Verification check() override {
    const report::Verification verification = TwoVectors::check();
    const bool same = times_by_hand_.empty() || by_hand_ == result();
    return same ? verification : report::verification_of("the run by hand");
  }

  void measure(const report::Spread& wall, report::Point& point) const override {
    MseResult measured{result(), wall.minimum, {}, measure_costs(*context_, *x_)};
    if (!times_by_hand_.empty()) measured.by_hand = report::spread_of(times_by_hand_).minimum;
    point.measure(quantities(), measured);
  }

  static const report::Quantities<MseResult>& quantities() {
    using R = MseResult;
    using report::Shown;
    static const report::Quantities<R> all = {
        {result_quantity(), &R::result},
        {{"figures.by_hand_ms", "ms", "by hand",
          "Time of the same written by hand, without containers: of the fastest repetition.", Shown{}},
         [](const R& r) { return in_ms(r.by_hand); }},
        {{"figures.overhead_percent", "%", "overhead",
          "100 (time with containers / time by hand - 1), of the fastest repetitions.", Shown{},
          report::Range::any},
         [](const R& r) {
           return r.by_hand ? std::optional(100 * (r.fastest / *r.by_hand - 1)) : std::nullopt;
         }},
        {{"figures.element_ns", "ns", "element", "Time to read an element on the host that is current there.",
          Shown{}},
         [](const R& r) { return 1e9 * r.costs.element; }},
        {{"figures.use_us", "us", "use",
          "Time to begin and end a use of elements that are current on the device.", Shown{}},
         [](const R& r) { return 1e6 * r.costs.use; }},
        {{"figures.plan_us", "us", "plan of 16", "Time to decide on a use that takes 16 copies.", Shown{}},
         [](const R& r) { return 1e6 * r.costs.plan; }},
    };
    return all;
  }

 private:
  double compute(const Vector<double>& x, const Vector<double>& y) const override {
    return map_reduce<double>(all_devices, "haloheap::mse", Sum<double>{}, SquaredDifference{}, x, y) /
           static_cast<double>(size_);
  }

  double reference(const double* x, const double* y) const override {
    double sum = 0;
    for (ElementIndex i = 0; i < size_; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum / static_cast<double>(size_);
  }

  double by_hand_ = 0;
  std::vector<double> times_by_hand_;
};

template <class App>
class StatisticsProblem final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const auto options = read_coherence(deck, ranks);
    return fmt::format("two vectors of {} elements on {}\n", elements(deck), describe(options));
  }
  report::QuantityList quantities() const override { return container_quantities(App::quantities()); }
  report::Point run(const RunContext& context) override {
    App app(elements(context.deck));
    return run_container_point(context, app);
  }

 private:
  static ElementIndex elements(const deck::Deck& deck) {
    return deck.get<std::int64_t>("statistics.elements");
  }
};

}  // namespace

ProblemEntry ppmcc_problem() {
  return {"ppmcc",
          "correlation of two vectors, five calls ([Dastgeer2016])",
          {add_coherence_keys, add_statistics_keys},
          make_problem<StatisticsProblem<Ppmcc>>};
}
ProblemEntry mse_problem() {
  return {"mse",
          "mean squared error of two vectors, one call ([Dastgeer2016])",
          {add_coherence_keys, add_statistics_keys},
          make_problem<StatisticsProblem<Mse>>};
}

}  // namespace haloheap
