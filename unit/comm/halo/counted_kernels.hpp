// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HALO_COUNTED_KERNELS_HPP
#define HALOHEAP_UNIT_COMM_HALO_COUNTED_KERNELS_HPP

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::testing {

/// Counts the kernels with one of these labels, as long as it lives; one at a time.
class CountedKernels {
 public:
  explicit CountedKernels(std::vector<std::string> labels)
      : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    counted = 0;
    wanted = std::move(labels);
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
        [](const char* name, std::uint32_t, std::uint64_t*) {
          if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) ++counted;
        });
  }
  CountedKernels(const CountedKernels&) = delete;
  CountedKernels& operator=(const CountedKernels&) = delete;
  ~CountedKernels() { Kokkos::Tools::Experimental::set_callbacks(before_); }

  int count() const { return counted; }

 private:
  Kokkos::Tools::Experimental::EventSet before_;
  static inline int counted = 0;
  static inline std::vector<std::string> wanted;
};

}  // namespace haloheap::testing

#endif
