// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/particle_app.hpp>
#include <haloheap/miniapp/problems/containers/particles.hpp>
#include <haloheap/miniapp/problems/containers/sph_reference.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

namespace haloheap {

namespace {

void add_sph_keys(deck::Schema& schema) {
  deck::Section& sph = schema.section("sph", "Problem sph: a block of water falls in a box");
  add_particle_keys(sph, {"Of 104 bytes each", 20, "Of three calls each: density, force, position"});
  sph.real("time_step", 1e-3)
      .range(1e-9, 1)
      .unit("s")
      .help("Sound goes at 7 m/s and must not skip a particle");
  sph.real("spacing", 0.02)
      .range(1e-4, 1)
      .unit("m")
      .help("From one particle to the next at the start; they act on each other up to twice as far");
}

using coherence::all_devices;
using coherence::Context;
using coherence::ElementIndex;
using sph::Parameters;
using sph::Particle;

/// Accelerations by pairs are up to some hundred times that by gravity, and round a few thousand times.
constexpr double max_excess_momentum = 1e-9;

struct Settings {
  Parameters parameters;
  std::int64_t steps = 0;
  bool start_on_devices = true, graph = false;

  particles::Size size() const {
    const auto n = static_cast<double>(parameters.particles);
    return {parameters.particles, 2 * n * n * static_cast<double>(steps), graph};
  }
};

Settings read_settings(const deck::Deck& deck) {
  return {sph::make_parameters(deck.get<std::int64_t>("sph.particles"), deck.get<double>("sph.time_step"),
                               deck.get<double>("sph.spacing")),
          deck.get<std::int64_t>("sph.steps"),
          deck.choice<ParticleStart>("sph.start") == ParticleStart::devices, deck.get<bool>("sph.graph")};
}

struct Result {
  double rate = 0, bounces = 0, peak_density = 0, excess_momentum = 0;
};

/// Smoothed particle hydrodynamics: a block of water falls in a box. Two vectors: densities are written to
/// the second from all of the first, forces to the first from all of the second. ([Dastgeer2016], SPH in
/// section 4.2 and Table 1.)
/// The second vector has densities; what a step ends with is in the first.
class Sph final : public particles::App<Particle> {
 public:
  explicit Sph(const deck::Deck& deck) : Sph(read_settings(deck)) {}
  explicit Sph(const Settings& settings) : App(settings.size()), settings_(settings) {}

  void prepare(Context& context) override {
    make_vectors(context, "fluid", "fluid with densities");
    if (settings_.start_on_devices) return;
    particles::fill_on_host(*first_, sph::Start{settings_.parameters});
    particles::fill_on_host(*second_, sph::Start{settings_.parameters});
  }

  void run(Context& context) override {
    const Parameters& parameters = settings_.parameters;
    reserve_vectors();
    if (settings_.start_on_devices) {
      map_index(all_devices, "haloheap::sph::start", *first_, sph::Start{parameters});
      map_index(all_devices, "haloheap::sph::start", *second_, sph::Start{parameters});
    }
    repeat(context, settings_.steps, [&] {
      map_pairs_reduce(all_devices, "haloheap::sph::density", *second_, sph::Density{parameters}, *first_,
                       *second_);
      map_pairs_reduce(all_devices, "haloheap::sph::force", *first_, sph::Force{parameters}, *second_,
                       *first_);
      map(all_devices, "haloheap::sph::position", *first_, sph::Move{parameters}, *first_);
    });
    const auto last = first_->read();
  }

  void measure(const report::Spread& wall, report::Point& point) const override {
    const Particle* const last = &first_->unchecked(0);
    point.measure(quantities(), {rate(wall), sph::bounces(last, size()), peak_density(),
                                 sph::excess_momentum(last, settings_.parameters, settings_.steps)});
  }

  std::optional<ReplicatedWork> replicated() const override {
    return ReplicatedWork{"sph", static_cast<double>(size()) * sizeof(Particle),
                          2 * static_cast<double>(settings_.steps)};
  }
  report::Work work() const override { return {"", {size()}, settings_.steps, "double", 13}; }

  static const report::Quantities<Result>& quantities() {
    using report::Shown;
    static const report::Quantities<Result> all = {
        {particles::rate_quantity(), &Result::rate},
        {{"figures.bounces", "", "bounces", "How often particles bounced off the walls of the box.", Shown{}},
         &Result::bounces},
        {{"figures.peak_density", "kg/m3", "peak", "The largest density that a particle ever had.", Shown{}},
         &Result::peak_density},
        {{"figures.excess_momentum", "", "excess momentum",
          "Mean velocity in excess of what gravity makes, over the mean speed: of forces between particles "
          "alone it is "
          "zero but for rounding."},
         &Result::excess_momentum},
    };
    return all;
  }

  std::int64_t calls() const { return 3 * settings_.steps; }
  std::string place() const { return fmt::format(", in a box of {:.3g} m", settings_.parameters.box); }
  static constexpr const char* value_name = "density";
  static double value_of(const Particle& p) { return p.density; }

 private:
  double peak_density() const {
    double peak = 0;
    for (const Particle& p : std::as_const(*second_).read()) peak = std::max(peak, p.peak);
    return peak;
  }

  std::vector<Particle> reference() const override {
    return sph::reference(settings_.parameters, settings_.steps);
  }

  std::string against_laws() const override {
    const std::string reason = sph::impossible(last_, settings_.parameters);
    if (!reason.empty()) return reason;
    const double excess = sph::excess_momentum(last_.data(), settings_.parameters, settings_.steps);
    if (sph::bounces(last_.data(), size()) == 0 && !(excess <= max_excess_momentum))
      return fmt::format("the momentum, by {:.2g} of it", excess);
    return against_last_step();
  }

  /// What the last calls computed, for some particles, from all that they read.
  std::string against_last_step() const {
    const auto all = second_->read();
    const sph::Density density{settings_.parameters};
    const sph::Force force{settings_.parameters};
    for (const ElementIndex i : particles::samples(size())) {
      const Particle& actual = last_[static_cast<std::size_t>(i)];
      // Densities are no part of what the first call reads.
      const Particle dense = coherence::pairs_of(density, i, all.data(), size(), all[i]);
      const Particle pushed = coherence::pairs_of(force, i, all.data(), size(), actual);
      if (actual.density != dense.density || actual.ax != pushed.ax || actual.ay != pushed.ay ||
          actual.az != pushed.az)
        return fmt::format("the force on particle {}", i);
    }
    return "";
  }

  Settings settings_;
};

}  // namespace

ProblemEntry sph_problem() {
  return {"sph",
          "a block of water falls in a box, smoothed particles ([Dastgeer2016])",
          {add_coherence_keys, add_sph_keys},
          make_problem<particles::AppProblem<Sph>>};
}

}  // namespace haloheap
