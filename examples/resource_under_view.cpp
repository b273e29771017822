// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Views whose memory is chosen when the program runs: by name, counted, and not more than a limit.
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resize.hpp>
#include <haloheap/core/memory/space.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap::memory;

/// @param name of any memory that kernels reach: "device", "pinned", "managed" ...
int run(const char* name) {
  const auto counted = std::make_shared<StatisticsResource>(make_memory_resource(name));
  const auto limited = std::make_shared<LimitingResource>(counted, std::size_t{1} << 20);
  Kokkos::View<double*, DeviceSpace> u(Kokkos::view_alloc(DeviceSpace(limited), "u"), 1000);
  Kokkos::deep_copy(u, 1);
  resize(u, 2000);  // of this library: Kokkos::resize would take the default resource
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", u.extent(0), KOKKOS_LAMBDA(int i, double& part) { part += u(i); }, sum);
  std::printf("%s: sum %g, %zu bytes at most\n", counted->name().c_str(), sum,
              counted->snapshot().peak_bytes);
  try {
    const Kokkos::View<double*, DeviceSpace> large(Kokkos::view_alloc(DeviceSpace(limited), "large"), 200000);
    return 1;
  } catch (const haloheap::OutOfMemory& error) {
    std::printf("refused: %s\n", error.what());
  }
  return sum == 1000 ? 0 : 1;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return run(argc > 1 ? argv[1] : "device");
}
