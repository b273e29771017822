// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_FOLD_DOTS_HPP
#define HALOHEAP_COMM_SOLVERS_FOLD_DOTS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::comm::detail {

/// Slots that kernels have added products to, and where the sums over all slots go.
struct DotSlots {
  double *slots, *totals;
  int stride, words;
};

/// Enqueues it; the slots are empty again after it.
void fold_dots(const backend::Exec& exec, const DotSlots& of);

/// Empties slots for the first time. Waits.
void clear_dots(const memory::Array<double>& slots);

/// A sum, from the words of all ranks added up: they are multiples of one quantum, and far from where their
/// sum would be rounded, so that it is exact in any order. NaN if a product was larger than its bound.
double rounded_sum(const double* words);

}  // namespace haloheap::comm::detail

#endif
