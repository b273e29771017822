// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/fluids/exact_riemann.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::fluids {
namespace {

double sound(double gamma, const TubeState& state) {
  return std::sqrt(gamma * state.pressure / state.density);
}

/// What the velocity changes across the wave beside a state, if there is pressure p behind it, and the
/// derivative.
struct Wave {
  double velocity, slope;
};

Wave wave_to(double gamma, const TubeState& outer, double p) {
  const double c = sound(gamma, outer);
  if (p > outer.pressure) {  // a shock
    const double a = 2 / ((gamma + 1) * outer.density);
    const double b = (gamma - 1) / (gamma + 1) * outer.pressure;
    const double root = std::sqrt(a / (p + b));
    return {(p - outer.pressure) * root, root * (1 - (p - outer.pressure) / (2 * (p + b)))};
  }
  const double ratio = p / outer.pressure;  // a rarefaction
  return {2 * c / (gamma - 1) * (std::pow(ratio, (gamma - 1) / (2 * gamma)) - 1),
          std::pow(ratio, -(gamma + 1) / (2 * gamma)) / (outer.density * c)};
}

TubeState mirrored(const TubeState& state) {
  return {state.density, -state.velocity, state.pressure};
}

/// Of the wave to the left.
double shock_speed(double gamma, const TubeState& outer, double p) {
  return outer.velocity - sound(gamma, outer) * std::sqrt((gamma + 1) / (2 * gamma) * p / outer.pressure +
                                                          (gamma - 1) / (2 * gamma));
}

}  // namespace

ExactRiemann::ExactRiemann(double gamma, const TubeState& left, const TubeState& right)
    : gamma_(gamma), left_(left), right_(right) {
  const double between = right.velocity - left.velocity;
  if (2 / (gamma - 1) * (sound(gamma, left) + sound(gamma, right)) <= between)
    throw UsageError("the two states leave a vacuum between them");
  // Newton's method for the pressure at which both sides have the same velocity: the function is concave and
  // grows, so that it converges from below after the first step.
  double p = (left.pressure + right.pressure) / 2;
  for (int i = 0; i < 100; ++i) {
    const Wave low = wave_to(gamma, left, p), high = wave_to(gamma, right, p);
    const double next =
        std::max(p - (low.velocity + high.velocity + between) / (low.slope + high.slope), 1e-6 * p);
    const bool done = std::abs(next - p) <= 1e-15 * p;
    p = next;
    if (done) break;
  }
  pressure_ = p;
  velocity_ = (left.velocity + right.velocity + wave_to(gamma, right, p).velocity -
               wave_to(gamma, left, p).velocity) /
              2;
}

/// Left of the contact.
TubeState ExactRiemann::beside(const TubeState& outer, double x_over_t) const {
  const double velocity = outer.velocity - wave_to(gamma_, outer, pressure_).velocity;
  const double ratio = pressure_ / outer.pressure, g = (gamma_ - 1) / (gamma_ + 1);
  if (pressure_ > outer.pressure) {
    if (x_over_t < shock_speed(gamma_, outer, pressure_)) return outer;
    return {outer.density * (ratio + g) / (g * ratio + 1), velocity, pressure_};
  }
  const double c = sound(gamma_, outer);
  const double c_behind = c * std::pow(ratio, (gamma_ - 1) / (2 * gamma_));
  if (x_over_t < outer.velocity - c) return outer;
  if (x_over_t > velocity - c_behind)
    return {outer.density * std::pow(ratio, 1 / gamma_), velocity, pressure_};
  const double here = 2 / (gamma_ + 1) + g / c * (outer.velocity - x_over_t);
  return {outer.density * std::pow(here, 2 / (gamma_ - 1)),
          2 / (gamma_ + 1) * (c + (gamma_ - 1) / 2 * outer.velocity + x_over_t),
          outer.pressure * std::pow(here, 2 * gamma_ / (gamma_ - 1))};
}

TubeState ExactRiemann::at(double x_over_t) const {
  if (x_over_t <= velocity_) return beside(left_, x_over_t);
  return mirrored(beside(mirrored(right_), -x_over_t));
}

double ExactRiemann::first_wave() const {
  return pressure_ > left_.pressure ? shock_speed(gamma_, left_, pressure_)
                                    : left_.velocity - sound(gamma_, left_);
}
double ExactRiemann::last_wave() const {
  const TubeState right = mirrored(right_);
  return pressure_ > right.pressure ? -shock_speed(gamma_, right, pressure_)
                                    : -(right.velocity - sound(gamma_, right));
}

double ExactRiemann::fastest() const {
  double speed = 0;
  for (const TubeState& state :
       {left_, right_, beside(left_, velocity_), at(std::nextafter(velocity_, last_wave()))})
    speed = std::max(speed, std::abs(state.velocity) + sound(gamma_, state));
  return speed;
}

}  // namespace haloheap::fluids
