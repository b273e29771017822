// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/stencil/measure_history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace haloheap::stencil {
namespace {

/// One word of each slot a thread: a part of a sum, or a key, which is in the first word of its value.
struct FoldMeasured {
  double* slots;
  grid::Index* cursors;
  double* states;
  grid::Index capacity;
  int words, stride;
  std::uint32_t sums;

  KOKKOS_FUNCTION void operator()(int i) const {
    const grid::Index state = cursors[i]++;
    const double found = (sums >> (i / residual_parts) & 1U) != 0 ? sum(i) : largest(i);
    if (state < capacity) states[state * words + i] = found;
  }

  KOKKOS_FUNCTION double sum(int i) const {
    double result = 0;
    for (int n = 0; n < residual_slots; ++n) {
      result += slots[n * stride + i];
      slots[n * stride + i] = 0;
    }
    return result;
  }
  KOKKOS_FUNCTION double largest(int i) const {
    MeasureKey result = 0;
    for (int n = 0; n < residual_slots; ++n) {
      auto* const key = reinterpret_cast<MeasureKey*>(slots + n * stride + i);
      result = Kokkos::max(result, *key);
      *key = 0;
    }
    return Kokkos::bit_cast<double>(result);
  }
};

std::shared_ptr<memory::MemoryResource> reachable(std::shared_ptr<memory::MemoryResource> memory) {
  if (memory) memory::require_kernel_access(*memory);
  return memory;
}

}  // namespace

SumScale SumScale::make(int number, double bound, grid::Index terms) {
  constexpr double smallest = 0x1p-900, largest = 0x1p899;
  if (!(bound >= smallest && bound <= largest))
    throw UsageError(
        fmt::format("the bound of value {} of a measure is {}", number, bound), "it cannot be summed exactly",
        "return from bound(number) a number within 2^-900 and 2^899 that no cell's value exceeds");
  const ResidualScale split = ResidualScale::make(bound, std::max<grid::Index>(terms, 1));
  SumScale scale;
  scale.bound = bound;
  std::copy(std::begin(split.pivot), std::end(split.pivot), scale.pivot);
  return scale;
}

double detail::value_of(MeasureKey key) {
  constexpr MeasureKey sign = MeasureKey{1} << 63;
  if (key == 0) return -std::numeric_limits<double>::infinity();
  if (key == ~MeasureKey{0}) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>((key & sign) != 0 ? key ^ sign : ~key);
}

namespace {

/// What an addition makes, and what it has rounded off.
struct SumAndError {
  double sum, error;

  SumAndError(double a, double b) : sum(a + b) {
    const double b_in_it = sum - a;
    error = (a - (sum - b_in_it)) + (b - b_in_it);
  }
};

/// Rounded once, so that it does not matter how the sum is shared out among the parts.
double rounded(const double (&part)[residual_parts]) {
  const SumAndError low(part[1], part[2]), all(part[0], low.sum), errors(low.error, all.error);
  const SumAndError high(all.sum, errors.sum);
  // What was rounded off may be half of a last place, and look as if it were even; what is left of the errors
  // then says on which side it is.
  const bool beyond_half = (errors.error > 0) == (high.error > 0) && errors.error != 0;
  const double twice = 2 * high.error, next = high.sum + twice;
  return beyond_half && next - high.sum == twice ? next : high.sum;
}

}  // namespace

double MeasuredWords::value(MeasuredKinds::Kind kind) const {
  if (kind == MeasuredKinds::sum) return rounded(part);
  const double largest = detail::value_of(key);
  return kind == MeasuredKinds::max ? largest : -largest + 0.0;  // a zero is +0.0
}

MeasureHistory::MeasureHistory(std::shared_ptr<memory::MemoryResource> memory, const MeasuredKinds& kinds)
    : kinds_(kinds),
      rows_(reachable(std::move(memory)), {"measure", "state"},
            static_cast<std::size_t>(residual_slots *
                                     detail::measure_slot_stride(static_cast<int>(kinds_.kinds.size()))),
            static_cast<std::size_t>(words()), words()) {}

void MeasureHistory::fold(const Exec& exec) const {
  const FoldMeasured kernel{rows_.slots(),
                            rows_.cursors(),
                            rows_.rows(),
                            rows_.capacity(),
                            static_cast<int>(words()),
                            detail::measure_slot_stride(static_cast<int>(kinds_.kinds.size())),
                            kinds_.sums()};
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  backend::parallel_for("haloheap::stencil::measure_fold",
                        backend::as_kernel_argument(Policy(exec, 0, static_cast<int>(words()))), kernel);
}

std::vector<MeasuredWords> MeasureHistory::read() const {
  const std::vector<double> all = rows_.read();
  std::vector<MeasuredWords> result(all.size() / residual_parts);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double* const from = all.data() + i * residual_parts;
    if (kinds_.kinds[i % kinds_.kinds.size()] == MeasuredKinds::sum)
      std::copy(from, from + residual_parts, result[i].part);
    else
      result[i].key = std::bit_cast<MeasureKey>(*from);
  }
  return result;
}

}  // namespace haloheap::stencil
