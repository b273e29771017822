// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/transfers/iterations.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace {

constexpr int maximum = 1'000'000'000;

double ratio_of(const EngineSeconds& engines) {
  return engines.kernel / (engines.h2d + engines.d2h);
}

}  // namespace

Iterations calibrate_iterations(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                double ratio) {
  const auto engines = [&](int count) { return measure_engines(settings, resources, add_one(count)); };
  const EngineSeconds none = engines(0);
  const double wanted = ratio * (none.h2d + none.d2h);
  // A step so large that the launch does not matter any more.
  int step = 16;
  EngineSeconds some = engines(step);
  while (some.kernel < std::min(2 * none.kernel + 20e-6, wanted) && step < maximum / 4)
    some = engines(step *= 4);
  const double each = (some.kernel - none.kernel) / step;
  double count = each > 0 ? std::clamp((wanted - none.kernel) / each, 0.0, double{maximum}) : 0;
  Iterations found{static_cast<int>(std::lround(count)), 0};
  found.ratio = ratio_of(engines(found.count));
  if (found.count > 0 && std::abs(found.ratio / ratio - 1) > 0.1) {  // not linear down to nothing: once more
    count = std::min(count * ratio / found.ratio, double{maximum});
    found.count = static_cast<int>(std::lround(count));
    found.ratio = ratio_of(engines(found.count));
  }
  return found;
}

}  // namespace haloheap
