// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EULER_CASES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EULER_CASES_HPP

#include <haloheap/miniapp/problems/fluids/euler_settings.hpp>

#include <memory>
#include <optional>

namespace haloheap::fluids {

/// A start of the gas on the unit square, and what is known of what becomes of it. All on the host.
class EulerCase {
 public:
  EulerCase(const EulerSettings& settings, const grid::Triple& cells) : settings_(settings), cells_(cells) {}
  virtual ~EulerCase() = default;
  EulerCase(const EulerCase&) = delete;
  EulerCase& operator=(const EulerCase&) = delete;

  /// Density, momentum and energy of a cell.
  virtual State<double> start(const grid::Triple& cell) const = 0;
  /// The largest speed of a wave along each axis, at any time if that is known and else at the start.
  virtual double fastest(int dim) const = 0;
  /// The same as `start` at a later time, where it is known.
  virtual State<double> later(const grid::Triple& cell, double /*time*/) const { return start(cell); }
  /// A bound of the mean over the cells of the sum of the four errors, without those of rounding; nothing
  /// where `later` is not known.
  virtual std::optional<double> error(double /*time*/) const { return std::nullopt; }

 protected:
  /// Of a cell's middle, from 0 to 1.
  double middle(const grid::Triple& cell, int dim) const {
    return (static_cast<double>(cell[dim]) + 0.5) / static_cast<double>(cells_[dim]);
  }
  Gas<double> gas() const { return {settings_.gamma, settings_.flux}; }
  const EulerSettings& settings() const { return settings_; }
  const grid::Triple& cells() const { return cells_; }

 private:
  EulerSettings settings_;
  grid::Triple cells_;
};

std::shared_ptr<const EulerCase> euler_case(const EulerSettings& settings, const grid::Triple& cells);

}  // namespace haloheap::fluids

#endif
