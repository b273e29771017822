// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/least_squares.hpp>
#include <haloheap/core/transfer/stream_model.hpp>

namespace haloheap::transfer {

int StreamModel::best(int maximum) const {
  int found = 1;
  for (int streams = 2; streams <= maximum; ++streams)
    if (seconds(streams) < seconds(found)) found = streams;
  return found;
}

StreamModel fit_streams(const std::map<int, double>& seconds) {
  std::vector<base::Observation> observations;
  for (const auto& [streams, value] : seconds)
    observations.push_back({{1.0, 1.0 / streams, static_cast<double>(streams)}, value});
  const base::LinearFit fit = base::fit_costs(observations);
  if (fit.coefficients.empty()) return {};
  return {fit.coefficients[0], fit.coefficients[1], fit.coefficients[2], fit.residual};
}

}  // namespace haloheap::transfer
