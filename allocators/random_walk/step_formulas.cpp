// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace haloheap::allocators::step_formulas {
namespace {

/// T, A and N as numbers to calculate with.
struct Numbers {
  double pages, free, threads;
};

Numbers checked(const Demand& demand) {
  if (demand.threads == 0 || demand.threads > demand.free || demand.free > demand.pages)
    throw UsageError(fmt::format("no formula for {} threads, {} free pages and {} pages", demand.threads,
                                 demand.free, demand.pages),
                     "", "take 1 thread or more, at most as many as there are free pages");
  return {static_cast<double>(demand.pages), static_cast<double>(demand.free),
          static_cast<double>(demand.threads)};
}

}  // namespace

double queue_average(std::size_t threads) {
  return (static_cast<double>(threads) + 1) / 2;
}

double queue_warp_average(std::size_t threads) {
  return warp / (warp + 1.0) * static_cast<double>(threads);
}

double random_walk_average(const Demand& demand) {
  return bitmap_average(demand, 1);
}

double random_walk_average_approximation(const Demand& demand) {
  const auto [pages, free, threads] = checked(demand);
  return pages / threads * std::log(free / (free - threads));
}

double random_walk_warp_bound(const Demand& demand) {
  return bitmap_warp_bound(demand, 1);
}

double expected_collisions(const Demand& demand) {
  const Numbers n = checked(demand);
  return n.threads * (n.threads - 1) / (2 * n.pages);
}

double collision_bound(const Demand& demand) {
  return expected_collisions(demand) * static_cast<double>(demand.free) / static_cast<double>(demand.pages);
}

double bitmap_average_limit(const Demand& demand, unsigned word_bits) {
  return random_walk_average(demand) / word_bits;
}

double bitmap_warp_bound_limit(const Demand& demand, unsigned word_bits) {
  return random_walk_warp_bound(demand) / word_bits + (word_bits - 1) / (2.0 * word_bits);
}

double bitmap_average(const Demand& demand, unsigned word_bits) {
  const auto [pages, free, threads] = checked(demand);
  double sum = 0;
  for (double served = 0; served < threads; ++served) {
    const double used = (pages - free + served) / pages;
    // 1 - used^w, without the digits that are lost where it is close to 0.
    sum += 1 / (used == 0 ? 1 : -std::expm1(word_bits * std::log(used)));
  }
  return sum / threads;
}

double bitmap_warp_bound(const Demand& demand, unsigned word_bits) {
  const auto [pages, free, threads] = checked(demand);
  const double miss = std::pow((pages - free + threads) / pages, word_bits);  // of a step, at the end
  if (miss == 1) return std::numeric_limits<double>::infinity();
  double sum = 0, missed = 1;  // in all steps so far
  for (double term = 1; term > 1e-12; missed *= miss) {
    term = missed == 1 ? 1 : -std::expm1(warp * std::log1p(-missed));
    sum += term;
  }
  return sum;
}

}  // namespace haloheap::allocators::step_formulas
