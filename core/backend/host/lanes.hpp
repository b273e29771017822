// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LANES_HPP
#define HALOHEAP_BACKEND_LANES_HPP

#include <cstdint>
#include <functional>
#include <thread>

namespace haloheap::backend {

/// Lanes of a warp.
inline constexpr int warp_size = 1;

/// A thread of a host is a warp of one lane. See core/lanes/platform.hpp.
class Lanes {
 public:
  using Mask = std::uint32_t;

  static Lanes here() { return {}; }
  static Lanes whole_warp() { return {}; }

  bool is_whole() const { return true; }
  Lanes whole() const { return *this; }
  Mask mask() const { return 1; }
  unsigned lane() const { return 0; }
  unsigned rank() const { return 0; }
  unsigned with_rank(unsigned /*rank*/) const { return 0; }
  Mask ballot(bool vote) const { return vote ? 1 : 0; }
  template <class T>
  T shuffle(T value, unsigned /*lane*/) const {
    return value;
  }
  Mask match(std::uint32_t /*key*/) const { return 1; }
  std::uint64_t reduce_or(std::uint64_t bits) const { return bits; }
  void sync() const {}
};

/// Another number each time, for choosing a place to begin at.
inline std::uint32_t entropy() {
  thread_local std::uint32_t state = static_cast<std::uint32_t>(
      std::hash<std::thread::id>()(std::this_thread::get_id()));  // any start will do
  state += 0x9e3779b9U;
  return state;
}

/// The same number for a thread, others for others.
inline std::uint32_t home() {
  thread_local const auto number =
      static_cast<std::uint32_t>(std::hash<std::thread::id>()(std::this_thread::get_id()) >> 8);
  return number;
}

/// The number of the calling warp in its kernel: any for a thread, but always the same.
inline std::uint32_t warp() {
  return home();
}

/// Leaves the processor to others for a moment.
inline void pause_lane() {
  std::this_thread::yield();
}

/// The same number, of which the compiler does not know that it is. What a long loop computes of it stays in
/// the loop, instead of in registers that the loop needs.
template <class Integer>
Integer anew(Integer number) {
  return number;
}

/// See the CUDA backend: here nobody needs it.
inline void await(int) {}

}  // namespace haloheap::backend

#endif
