// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EXACT_RIEMANN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EXACT_RIEMANN_HPP

namespace haloheap::fluids {

/// What a tube holds.
struct TubeState {
  double density, velocity, pressure;
};

/// The solution of the Euler equations of an ideal gas that starts from two constant states ([Toro2009],
/// chapter 4). It depends on x / t alone, where the two states meet at x = 0.
class ExactRiemann {
 public:
  /// @throws UsageError for states that leave a vacuum between them
  ExactRiemann(double gamma, const TubeState& left, const TubeState& right);

  TubeState at(double x_over_t) const;
  /// Of the outermost waves: to the left (negative), and to the right.
  double first_wave() const;
  double last_wave() const;
  /// The largest speed of sound plus that of the gas.
  double fastest() const;

  double star_pressure() const { return pressure_; }
  double star_velocity() const { return velocity_; }

 private:
  TubeState beside(const TubeState& outer, double x_over_t) const;

  double gamma_;
  TubeState left_, right_;
  double pressure_ = 0, velocity_ = 0;  // between the two waves
};

}  // namespace haloheap::fluids

#endif
