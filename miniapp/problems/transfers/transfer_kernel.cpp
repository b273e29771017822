// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace {

/// In the order of the operations of [Bhimani2016].
KOKKOS_INLINE_FUNCTION float spin(std::size_t index, int iterations) {
  float x = 0.001F * static_cast<float>(index & 1023);
  float z = 1;
  for (int i = 0; i < iterations; ++i) {
    const float s = Kokkos::sin(x), c = Kokkos::cos(x);
    z = Kokkos::sqrt(s * s + c * c);
    x = z + 0.001F * static_cast<float>(index & 1023);
  }
  return z;
}

constexpr int max_iterations = 1'000'000'000;

double ratio_of(const EngineSeconds& engines) {
  return engines.kernel / (engines.h2d + engines.d2h);
}

}  // namespace

namespace transfer_kernel {

struct AddOne {
  transfer::DeviceRows<float> a;
  int iterations;
  float share;

  KOKKOS_FUNCTION void operator()(std::size_t i) const { *a(i) += 1 + share * spin(i, iterations); }
};

}  // namespace transfer_kernel

float added(std::size_t index, int iterations, float share) {
  return 1 + share * spin(index, iterations);
}

TransferWork add_one(int iterations, float share) {
  return [=](transfer::Pipeline& pipeline) -> WrongAfter {
    const auto a = pipeline.operand<float>("haloheap::transfer::a", transfer::Intent::in_out);
    for (std::size_t i = 0; i < a.rows(); ++i) *a.host(i) = 0;
    pipeline.set_kernel(
        [=](const backend::Exec& exec, const transfer::Chunk& chunk) {
          Kokkos::parallel_for("haloheap::transfer::add_one",
                               Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
                               transfer_kernel::AddOne{a.device(), iterations, share});
        },
        1 + 20.0 * iterations);  // of an emulated device
    return [=](int runs) {
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < a.rows(); ++i) {
        float sum = 0;
        for (int run = 0; run < runs && share != 0; ++run) sum += added(i, iterations, share);
        wrong += *a.host(i) != (share == 0 ? static_cast<float>(runs) : sum) ? 1 : 0;
      }
      return wrong;
    };
  };
}

Iterations calibrate_iterations(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                double ratio) {
  const auto engines = [&](int count) { return measure_engines(settings, resources, add_one(count)); };
  const EngineSeconds none = engines(0);
  const double wanted = ratio * (none.h2d + none.d2h);
  // A step so large that the launch does not matter any more.
  int step = 16;
  EngineSeconds some = engines(step);
  while (some.kernel < std::min(2 * none.kernel + 20e-6, wanted) && step < max_iterations / 4)
    some = engines(step *= 4);
  const double each = (some.kernel - none.kernel) / step;
  double count = each > 0 ? std::clamp((wanted - none.kernel) / each, 0.0, double{max_iterations}) : 0;
  Iterations found{static_cast<int>(std::lround(count)), 0};
  found.ratio = ratio_of(engines(found.count));
  if (found.count > 0 && std::abs(found.ratio / ratio - 1) > 0.1) {  // not linear down to nothing: once more
    count = std::min(count * ratio / found.ratio, double{max_iterations});
    found.count = static_cast<int>(std::lround(count));
    found.ratio = ratio_of(engines(found.count));
  }
  return found;
}

}  // namespace haloheap
