// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLE_APP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLE_APP_HPP

#include <haloheap/core/coherence/repeated.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/particles.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <optional>

namespace haloheap::particles {

/// Interactions that the host computes to verify a run: one or two seconds.
inline constexpr double max_of_the_reference = 2e8;

/// What every run on particles is told.
struct Size {
  ElementIndex particles = 0;
  double interactions = 0;  ///< of all calls together
  bool graph = false;       ///< whether calls that repeat are launched as one
};

/// Two vectors of particles, of which calls read all of one and write the parts of the other. The result, in
/// the first, is compared bit for bit with the host's while that is quick, else with what must hold anyway.
template <class P>
class App : public ContainerApp {
 public:
  explicit App(const Size& size) : size_(size) {}

  report::Verification check() final {
    const P* const now = &first_->unchecked(0);
    last_.assign(now, now + size());
    return report::verification_of(size_.interactions <= max_of_the_reference ? against_reference()
                                                                              : against_laws());
  }

  void clear() final {
    first_.reset();
    second_.reset();
  }

  std::size_t bytes() const final { return 2 * static_cast<std::size_t>(size()) * sizeof(P); }

  ElementIndex size() const { return size_.particles; }
  /// Of the last run.
  const std::vector<P>& last() const { return last_; }

 protected:
  /// What check() compares with.
  virtual std::vector<P> reference() const = 0;
  /// What differs from what holds for any number of particles; empty: nothing.
  virtual std::string against_laws() const = 0;

  /// 1e9 interactions a second.
  double rate(const report::Spread& wall) const { return 1e-9 * size_.interactions / wall.median; }

  void make_vectors(coherence::Context& context, const char* first, const char* second) {
    first_.emplace(context, first, size());
    second_.emplace(context, second, size());
  }

  void repeat(coherence::Context& context, std::int64_t times, const std::function<void()>& calls) const {
    if (size_.graph) return coherence::Repeated(context, calls)(static_cast<std::uint64_t>(times));
    for (std::int64_t i = 0; i < times; ++i) calls();
  }

  void reserve_vectors() {
    reserve_whole(*first_);
    reserve_whole(*second_);
  }

  std::optional<coherence::Vector<P>> first_, second_;
  std::vector<P> last_;

 private:
  std::string against_reference() const {
    const std::vector<P> expected = reference();
    for (std::size_t i = 0; i < last_.size(); ++i)
      if (std::memcmp(&last_[i], &expected[i], sizeof(P)) != 0) return fmt::format("particle {}", i);
    return "";
  }

  Size size_;
};

/// Of all applications.
inline report::Quantity rate_quantity() {
  return {"figures.ginteractions_per_s", "10^9 interactions/s", "rate",
          "1e9 interactions of particles a second.", report::Shown{"1e9/s"}};
}

/// The problem of an application that is made from a deck and has quantities(), which it measures itself,
/// calls(); place(), where its particles are,
/// for the plan; and for the table of particles value_name and value_of(particle).
template <class Application>
class AppProblem final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const Application app(deck);
    return fmt::format("two vectors of {} particles, {:.3g} MB each{}; {} calls on {}\n", app.size(),
                       0.5e-6 * static_cast<double>(app.bytes()), app.place(), app.calls(),
                       describe(read_coherence(deck, ranks)));
  }
  report::QuantityList quantities() const override { return container_quantities(Application::quantities()); }
  report::Point run(const RunContext& context) override {
    Application app(context.deck);
    report::Point point = run_container_point(context, app);
    std::vector<std::array<double, 4>> rows;
    for (const auto& p : app.last()) rows.push_back({p.x, p.y, p.z, Application::value_of(p)});
    write_csv(context, Application::value_name, rows);
    return point;
  }
};

}  // namespace haloheap::particles

#endif
