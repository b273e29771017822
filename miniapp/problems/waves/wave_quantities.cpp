// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/waves/wave_model.hpp>

namespace haloheap {

const report::Quantities<WaveFigures>& wave_quantities() {
  static const report::Quantities<WaveFigures> all{
      {{"figures.energy", "", "energy",
        "Energy that leapfrog steps conserve where nothing is absorbed, after the last step, where that is "
        "verified or written."},
       &WaveFigures::energy},
      {{"figures.energy_change", "", "change of energy",
        "The same over that of the start, less 1; none for a start at rest.", report::Shown{.format = ".1e"},
        report::Range::any},
       &WaveFigures::change},
  };
  return all;
}

}  // namespace haloheap
