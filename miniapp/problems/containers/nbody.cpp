// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/nbody_reference.hpp>
#include <haloheap/miniapp/problems/containers/particle_app.hpp>
#include <haloheap/miniapp/problems/containers/particles.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace haloheap {

namespace {

void add_nbody_keys(deck::Schema& schema) {
  deck::Section& nbody = schema.section("nbody", "Problem nbody: particles that attract each other");
  add_particle_keys(
      nbody,
      {"Of 88 bytes each", 10,
       "Of two calls each, as each vector is written by one; a call takes all particles one time step on"});
  nbody.real("time_step", 1e-3)
      .range(1e-9, 1)
      .help(
          "Of a call, where the gravitational constant and the total mass are 1, and so is half the cube's "
          "edge");
  nbody.real("softening", 0.05)
      .range(1e-6, 10)
      .help("Distance within which the attraction of two gets weaker");
}

using coherence::all_devices;
using coherence::Context;
using coherence::ElementIndex;
using coherence::Vector;
using nbody::Parameters;
using nbody::Particle;
using nbody::Totals;

/// The rule keeps the energy but for a swing that falls with the square of the time step; where it grows
/// beyond this share of it, the time step is too long for the softening, or forces are wrong.
constexpr double max_drift = 1e-2;

struct Settings {
  Parameters parameters;
  std::int64_t calls = 0;
  bool start_on_devices = true, graph = false;

  particles::Size size() const {
    const auto n = static_cast<double>(parameters.particles);
    return {parameters.particles, n * n * static_cast<double>(calls), graph};
  }
};

Settings read_settings(const deck::Deck& deck) {
  Settings settings;
  settings.parameters = {deck.get<std::int64_t>("nbody.particles"), deck.get<double>("nbody.time_step"),
                         deck.get<double>("nbody.softening")};
  settings.calls = 2 * deck.get<std::int64_t>("nbody.steps");
  settings.start_on_devices = deck.choice<ParticleStart>("nbody.start") == ParticleStart::devices;
  settings.graph = deck.get<bool>("nbody.graph");
  return settings;
}

struct Result {
  double rate = 0, energy_drift = 0, momentum = 0;
};

/// All particles attract all others. Two vectors by turns: each call reads all of one on every device, and
/// each device writes its part of the other. ([Dastgeer2016], NBody in sections 3.2 and
/// 4.2 and Table 1.)
/// The first vector has where the particles are, the second where they were a call before.
class NBody final : public particles::App<Particle> {
 public:
  explicit NBody(const deck::Deck& deck) : NBody(read_settings(deck)) {}
  explicit NBody(const Settings& settings) : App(settings.size()), settings_(settings) {}

  void prepare(Context& context) override {
    if (!first_totals_) first_totals_ = totals_of_one_call(context);
    make_vectors(context, "particles", "particles before");
    if (settings_.start_on_devices) return;
    particles::fill_on_host(*first_, nbody::Start{settings_.parameters});
    particles::fill_on_host(*second_, nbody::StartBefore{settings_.parameters});
  }

  void run(Context& context) override {
    reserve_vectors();
    if (settings_.start_on_devices) start_on_devices(*first_, *second_);
    repeat(context, settings_.calls / 2, [&] {
      move(*second_, *first_);
      move(*first_, *second_);
    });
    const auto last = first_->read();
  }

  void measure(const report::Spread& wall, report::Point& point) const override {
    const Totals totals = nbody::totals_of(&first_->unchecked(0), size());
    point.measure(quantities(), {rate(wall), drift(totals), totals.momentum_change(*first_totals_)});
  }

  std::optional<ReplicatedWork> replicated() const override {
    return ReplicatedWork{"nbody", static_cast<double>(size()) * sizeof(Particle),
                          static_cast<double>(settings_.calls)};
  }
  report::Work work() const override { return {"", {size()}, settings_.calls, "double", 11}; }

  static const report::Quantities<Result>& quantities() {
    static const report::Quantities<Result> all = {
        {particles::rate_quantity(), &Result::rate},
        {{"figures.energy_drift", "", "energy drift", "Change of the energy over the energy at first.",
          report::Shown{}},
         &Result::energy_drift},
        {{"figures.momentum", "", "momentum", "Change of the momentum over the sum of masses times speeds."},
         &Result::momentum},
    };
    return all;
  }

  std::int64_t calls() const { return settings_.calls; }
  static std::string place() { return ""; }
  static constexpr const char* value_name = "speed";
  static double value_of(const Particle& p) { return std::sqrt(p.vx * p.vx + p.vy * p.vy + p.vz * p.vz); }

 private:
  void start_on_devices(Vector<Particle>& now, Vector<Particle>& before) const {
    map_index(all_devices, "haloheap::nbody::start", now, nbody::Start{settings_.parameters});
    map_index(all_devices, "haloheap::nbody::start_before", before, nbody::StartBefore{settings_.parameters});
  }

  /// `out` is where the particles were a step before `all`, and becomes where they are a step after it.
  void move(Vector<Particle>& out, const Vector<Particle>& all) const {
    map_pairs_reduce(all_devices, "haloheap::nbody::move", out, nbody::Move{settings_.parameters}, all, out);
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

  std::vector<Particle> reference() const override {
    return nbody::reference(settings_.parameters, settings_.calls);
  }

  std::string against_laws() const override {
    const Totals totals = nbody::totals_of(last_.data(), size());
    if (!(drift(totals) <= max_drift))
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
    const auto all = second_->read();
    const nbody::Move call{settings_.parameters};
    for (const ElementIndex i : particles::samples(size())) {
      const Particle expected = coherence::pairs_of(call, i, all.data(), size(), all[i]);
      const Particle& actual = last_[static_cast<std::size_t>(i)];
      if (actual.ax != expected.ax || actual.ay != expected.ay || actual.az != expected.az ||
          actual.potential != expected.potential)
        return fmt::format("the force on particle {}", i);
    }
    return "";
  }

  Settings settings_;
  std::optional<Totals> first_totals_;
};

}  // namespace

ProblemEntry nbody_problem() {
  return {"nbody",
          "all particles attract all others ([Dastgeer2016])",
          {add_coherence_keys, add_nbody_keys},
          make_problem<particles::AppProblem<NBody>>};
}

}  // namespace haloheap
