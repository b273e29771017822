// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/container_point.hpp>
#include <haloheap/miniapp/problems/sph.hpp>
#include <haloheap/miniapp/problems/sph_reference.hpp>

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <vector>

namespace haloheap {
namespace {

using coherence::all_devices;
using coherence::Context;
using coherence::Index;
using coherence::Vector;
using sph::Parameters;
using sph::Particle;

constexpr double most_of_the_reference = 2e8;  // pairs: about a second of the host
/// Accelerations by pairs are up to some hundred times that by gravity, and round a few thousand times.
constexpr double most_excess_momentum = 1e-9;

struct Settings {
  Parameters parameters;
  std::int64_t steps = 0;
  bool start_on_devices = true;

  double pairs() const {
    const auto n = static_cast<double>(parameters.particles);
    return 2 * n * n * static_cast<double>(steps);
  }
};

Settings read_settings(const deck::Deck& deck) {
  return {sph::make_parameters(deck.get<std::int64_t>("sph.particles"), deck.get<double>("sph.time_step"),
                               deck.get<double>("sph.spacing")),
          deck.get<std::int64_t>("sph.steps"), deck.get<std::string>("sph.start") == "devices"};
}

class Sph final : public ContainerApp {
 public:
  explicit Sph(const Settings& settings) : settings_(settings) {}

  void prepare(Context& context) override {
    first_.emplace(context, "fluid", size());
    second_.emplace(context, "fluid with densities", size());
    if (settings_.start_on_devices) return;
    particles::fill_on_host(*first_, sph::Start{settings_.parameters});
    particles::fill_on_host(*second_, sph::Start{settings_.parameters});
  }

  void run(Context& /*context*/) override {
    const Parameters& parameters = settings_.parameters;
    particles::reserve_whole(*first_);
    particles::reserve_whole(*second_);
    if (settings_.start_on_devices) {
      map_index(all_devices, "haloheap::sph::start", *first_, sph::Start{parameters});
      map_index(all_devices, "haloheap::sph::start", *second_, sph::Start{parameters});
    }
    for (std::int64_t step = 0; step < settings_.steps; ++step) {
      map_pairs(all_devices, "haloheap::sph::density", *second_, sph::Density{parameters}, *first_, *second_);
      map_pairs(all_devices, "haloheap::sph::force", *first_, sph::Force{parameters}, *second_, *first_);
      map(all_devices, "haloheap::sph::position", *first_, sph::Move{parameters}, *first_);
    }
    const auto last = first_->read();
  }

  report::Verification check() override {
    const Particle* const last = &first_->unchecked(0);
    last_.assign(last, last + size());
    report::Verification verification;
    verification.differs = settings_.pairs() <= most_of_the_reference ? against_reference() : against_laws();
    verification.bitwise = verification.differs.empty();
    return verification;
  }

  void clear() override {
    first_.reset();
    second_.reset();
  }

  void add_figures(report::Point& point) const override {
    const Particle* const last = &first_->unchecked(0);
    const auto add = [&](const char* name, const char* title, double value) {
      point.figures.push_back({name, title, value});
    };
    add("ginteractions_per_s", "1e9/s", 1e-9 * settings_.pairs() / point.wall.median);
    add("bounces", "bounces", sph::bounces(last, size()));
    add("peak_density", "peak [kg/m3]", peak_density());
    add("excess_momentum", "", sph::excess_momentum(last, settings_.parameters, settings_.steps));
  }

  std::optional<ReplicatedWork> replicated() const override {
    return ReplicatedWork{"sph", static_cast<double>(size()) * sizeof(Particle),
                          2 * static_cast<double>(settings_.steps)};
  }
  report::Work work() const override { return {"", {size()}, settings_.steps, "double", 13}; }
  std::size_t bytes() const override { return 2 * static_cast<std::size_t>(size()) * sizeof(Particle); }

  /// Of the last run.
  const std::vector<Particle>& last() const { return last_; }

 private:
  Index size() const { return settings_.parameters.particles; }

  double peak_density() const {
    double peak = 0;
    for (const Particle& p : std::as_const(*second_).read()) peak = std::max(peak, p.peak);
    return peak;
  }

  std::string against_reference() const {
    const std::vector<Particle> expected = sph::reference(settings_.parameters, settings_.steps);
    for (std::size_t i = 0; i < last_.size(); ++i)
      if (std::memcmp(&last_[i], &expected[i], sizeof(Particle)) != 0) return fmt::format("particle {}", i);
    return "";
  }

  std::string against_laws() const {
    const std::string reason = sph::impossible(last_, settings_.parameters);
    if (!reason.empty()) return reason;
    const double excess = sph::excess_momentum(last_.data(), settings_.parameters, settings_.steps);
    if (sph::bounces(last_.data(), size()) == 0 && !(excess <= most_excess_momentum))
      return fmt::format("the momentum, by {:.2g} of it", excess);
    return against_last_step();
  }

  /// What the last calls computed, for some particles, from all that they read.
  std::string against_last_step() const {
    const auto all = second_->read();
    const sph::Density density{settings_.parameters};
    const sph::Force force{settings_.parameters};
    for (const Index i : particles::samples(size())) {
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
  std::optional<Vector<Particle>> first_, second_;
  std::vector<Particle> last_;
};

class SphProblem final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const Settings settings = read_settings(deck);
    const double vector = 1e-6 * static_cast<double>(settings.parameters.particles) * sizeof(Particle);
    return fmt::format("two vectors of {} particles, {:.3g} MB each, in a box of {:.3g} m; {} calls on {}\n",
                       settings.parameters.particles, vector, settings.parameters.box, 3 * settings.steps,
                       describe(read_coherence(deck, ranks)));
  }
  double updates(const deck::Deck& /*deck*/) const override { return 0; }
  report::Point run(const RunContext& context) override {
    Sph app(read_settings(context.deck));
    report::Point point = run_container_point(context, app);
    std::vector<std::array<double, 4>> rows;
    for (const Particle& p : app.last()) rows.push_back({p.x, p.y, p.z, p.density});
    particles::write_csv(context, "density", rows);
    return point;
  }
};

}  // namespace

std::unique_ptr<Problem> make_sph() {
  return std::make_unique<SphProblem>();
}

}  // namespace haloheap
