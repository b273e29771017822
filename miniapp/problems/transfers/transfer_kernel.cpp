// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>

#include <Kokkos_Core.hpp>

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

}  // namespace haloheap
