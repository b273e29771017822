// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/container_point.hpp>
#include <haloheap/miniapp/problems/nbody.hpp>
#include <haloheap/miniapp/problems/nbody_reference.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace haloheap {
namespace {

using coherence::all_devices;
using coherence::Context;
using coherence::Index;
using coherence::Vector;
using nbody::Parameters;
using nbody::Particle;
using nbody::Totals;

constexpr double most_of_the_reference = 2e8;  // interactions: about two seconds of the host
/// The rule keeps the energy but for a swing that falls with the square of the time step; where it grows
/// beyond this share of it, the time step is too long for the softening, or forces are wrong.
constexpr double most_drift = 1e-2;

struct Settings {
  Parameters parameters;
  std::int64_t calls = 0;
  bool start_on_devices = true;

  double interactions() const {
    const auto n = static_cast<double>(parameters.particles);
    return n * n * static_cast<double>(calls);
  }
};

Settings read_settings(const deck::Deck& deck) {
  Settings settings;
  settings.parameters = {deck.get<std::int64_t>("nbody.particles"), deck.get<double>("nbody.time_step"),
                         deck.get<double>("nbody.softening")};
  settings.calls = 2 * deck.get<std::int64_t>("nbody.steps");
  settings.start_on_devices = deck.get<std::string>("nbody.start") == "devices";
  return settings;
}

class NBody final : public ContainerApp {
 public:
  explicit NBody(const Settings& settings) : settings_(settings) {}

  void prepare(Context& context) override {
    if (!first_totals_) first_totals_ = totals_of_one_call(context);
    now_.emplace(context, "particles", size());
    before_.emplace(context, "particles before", size());
    if (settings_.start_on_devices) return;
    particles::fill_on_host(*now_, nbody::Start{settings_.parameters});
    particles::fill_on_host(*before_, nbody::StartBefore{settings_.parameters});
  }

  void run(Context& /*context*/) override {
    particles::reserve_whole(*now_);
    particles::reserve_whole(*before_);
    if (settings_.start_on_devices) start_on_devices(*now_, *before_);
    for (std::int64_t call = 0; call < settings_.calls; call += 2) {
      move(*before_, *now_);
      move(*now_, *before_);
    }
    const auto last = now_->read();
  }

  report::Verification check() override {
    const Particle* const last = &now_->unchecked(0);
    last_.assign(last, last + size());
    report::Verification verification;
    verification.differs =
        settings_.interactions() <= most_of_the_reference ? against_reference() : against_laws();
    verification.bitwise = verification.differs.empty();
    return verification;
  }

  void clear() override {
    now_.reset();
    before_.reset();
  }

  void add_figures(report::Point& point) const override {
    const Totals totals = nbody::totals_of(&now_->unchecked(0), size());
    const auto add = [&](const char* name, const char* title, double value) {
      point.figures.push_back({name, title, value});
    };
    add("ginteractions_per_s", "1e9/s", 1e-9 * settings_.interactions() / point.wall.median);
    add("energy_drift", "energy drift", drift(totals));
    add("momentum", "", totals.momentum_change(*first_totals_));
  }

  std::optional<ReplicatedWork> replicated() const override {
    return ReplicatedWork{"nbody", static_cast<double>(size()) * sizeof(Particle),
                          static_cast<double>(settings_.calls)};
  }
  report::Work work() const override { return {"", {size()}, settings_.calls, "double", 11}; }
  std::size_t bytes() const override { return 2 * static_cast<std::size_t>(size()) * sizeof(Particle); }

  /// Of the last run.
  const std::vector<Particle>& last() const { return last_; }

 private:
  Index size() const { return settings_.parameters.particles; }

  void start_on_devices(Vector<Particle>& now, Vector<Particle>& before) const {
    map_index(all_devices, "haloheap::nbody::start", now, nbody::Start{settings_.parameters});
    map_index(all_devices, "haloheap::nbody::start_before", before, nbody::StartBefore{settings_.parameters});
  }

  /// `out` is where the particles were a step before `all`, and becomes where they are a step after it.
  void move(Vector<Particle>& out, const Vector<Particle>& all) const {
    map_pairs(all_devices, "haloheap::nbody::move", out, nbody::Move{settings_.parameters}, all, out);
  }

  /// Only a call knows the energy of what it begins with. This one is not a part of the run.
  Totals totals_of_one_call(Context& context) const {
    Vector<Particle> now(context, "first particles", size()), after(context, "first particles after", size());
    start_on_devices(now, after);
    move(after, now);
    const auto particles = std::as_const(after).read();
    return nbody::totals_of(particles.data(), size());
  }

  double drift(const Totals& totals) const {
    return std::abs((totals.energy - first_totals_->energy) / first_totals_->energy);
  }

  std::string against_reference() const {
    const std::vector<Particle> expected = nbody::reference(settings_.parameters, settings_.calls);
    for (std::size_t i = 0; i < last_.size(); ++i)
      if (std::memcmp(&last_[i], &expected[i], sizeof(Particle)) != 0) return fmt::format("particle {}", i);
    return "";
  }

  std::string against_laws() const {
    const Totals totals = nbody::totals_of(last_.data(), size());
    if (!(drift(totals) <= most_drift))
      return fmt::format("the energy, by {:.2g} of it (a shorter nbody.time_step helps)", drift(totals));
    // Each call rounds each position, which are up to a few units, and a velocity is a difference of two over
    // two time steps; speeds are about 0.4.
    const double rounding = 16 * std::numeric_limits<double>::epsilon() *
                            static_cast<double>(settings_.calls) / settings_.parameters.time_step;
    const double change = totals.momentum_change(*first_totals_);
    if (!(change <= rounding)) return fmt::format("the momentum, by {:.2g} of it", change);
    return against_forces();
  }

  /// What the last call computed, for some particles, from all that it read.
  std::string against_forces() const {
    const auto all = before_->read();
    const nbody::Move call{settings_.parameters};
    for (const Index i : particles::samples(size())) {
      const Particle expected = coherence::pairs_of(call, i, all.data(), size(), all[i]);
      const Particle& actual = last_[static_cast<std::size_t>(i)];
      if (actual.ax != expected.ax || actual.ay != expected.ay || actual.az != expected.az ||
          actual.potential != expected.potential)
        return fmt::format("the force on particle {}", i);
    }
    return "";
  }

  Settings settings_;
  std::optional<Vector<Particle>> now_, before_;
  std::optional<Totals> first_totals_;
  std::vector<Particle> last_;
};

class NBodyProblem final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const Settings settings = read_settings(deck);
    const double vector = 1e-6 * static_cast<double>(settings.parameters.particles) * sizeof(Particle);
    return fmt::format("two vectors of {} particles, {:.3g} MB each; {} calls on {}\n",
                       settings.parameters.particles, vector, settings.calls,
                       describe(read_coherence(deck, ranks)));
  }
  double updates(const deck::Deck& /*deck*/) const override { return 0; }
  report::Point run(const RunContext& context) override {
    NBody app(read_settings(context.deck));
    report::Point point = run_container_point(context, app);
    std::vector<std::array<double, 4>> rows;
    for (const Particle& p : app.last())
      rows.push_back({p.x, p.y, p.z, std::sqrt(p.vx * p.vx + p.vy * p.vy + p.vz * p.vz)});
    particles::write_csv(context, "speed", rows);
    return point;
  }
};

}  // namespace

std::unique_ptr<Problem> make_nbody() {
  return std::make_unique<NBodyProblem>();
}

}  // namespace haloheap
