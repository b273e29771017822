// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_STEP_FORMULAS_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_STEP_FORMULAS_HPP

#include <concepts>
#include <cstddef>

/// How many steps it takes to find a free page, by the formulas of [Pham2022]. TAS: on average of the
/// threads; WAS: of the slowest thread of each warp of 32, on average.
namespace haloheap::allocators::step_formulas {

inline constexpr int warp = 32;  ///< threads of a warp in the formulas, whatever a device has

/// How an allocator of single pages looks for a free one, which says what formulas stand beside it.
enum class Search {
  queue,
  random_walk,
  bitmap,
  collaborative_bitmap,  ///< lanes of a warp share what they find; the formulas of bitmap are the nearest
};

/// T, A and N of [Pham2022].
struct Demand {
  std::size_t pages;    ///< T, of the pool
  std::size_t free;     ///< A, before the first thread comes
  std::size_t threads;  ///< N, each of which gets a page; 1 to A
};

/// [Pham2022], section 3.2.1: a queue serves one after the other, (N + 1) / 2.
double queue_average(std::size_t threads);
/// [Pham2022], equation (1): 32 N / 33.
double queue_warp_average(std::size_t threads);

/// The sum that equation (2) of [Pham2022] approximates: T / N (1/A + 1/(A-1) + ... + 1/(A-N+1)).
/// @throws UsageError for a demand that cannot be, as all others
double random_walk_average(const Demand& demand);
/// [Pham2022], equation (2): T / N ln(A / (A - N)). Infinite for N = A, unlike the sum.
double random_walk_average_approximation(const Demand& demand);
/// [Pham2022], equation (3): an upper bound. Infinite for N = A.
double random_walk_warp_bound(const Demand& demand);

/// [Pham2022], section 3.2.2: N (N - 1) / (2 T), how many requests are expected to meet another one's at a
/// page, and those of them that meet at a free one, times A / T: a bound of what the sums above leave out.
double expected_collisions(const Demand& demand);
double collision_bound(const Demand& demand);

/// [Pham2022], equation (4): a step sees `word_bits` pages.
double bitmap_average(const Demand& demand, unsigned word_bits);
/// [Pham2022], equation (5): an upper bound. Infinite for N = A.
double bitmap_warp_bound(const Demand& demand, unsigned word_bits);

/// [Pham2022], theorem 1: what bitmap_average comes to where free pages are few, 1 / w of the random walk's
/// sum. It leaves out (w - 1) / (2 w) of a step, which theorem 2 has.
double bitmap_average_limit(const Demand& demand, unsigned word_bits);
/// [Pham2022], theorem 2: what bitmap_warp_bound comes to as A comes close to N, V / w + (w - 1) / (2 w).
/// Infinite for N = A.
double bitmap_warp_bound_limit(const Demand& demand, unsigned word_bits);

}  // namespace haloheap::allocators::step_formulas

namespace haloheap::allocators {

/// Allocators that say how they look for a page, which they hand out one by one.
template <class A>
concept SearchesPages = requires {
  { A::search } -> std::convertible_to<step_formulas::Search>;
};

}  // namespace haloheap::allocators

#endif
