// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/step_measure.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace haloheap::comm::detail {

std::string fields_text(int dims, int count, ValueType type, const std::vector<StoredField>& mixed) {
  std::string text = fmt::format("{}D", dims);
  for (int field = 0; field < count; ++field)
    text += fmt::format(" {}", name_of(mixed.empty() ? type : mixed[static_cast<std::size_t>(field)].type));
  return text;
}

std::vector<std::vector<double>> StepMeasure::read(const Communicator& communicator) const {
  const auto& kinds = history_.kinds().kinds;
  std::vector<stencil::MeasuredWords> words = history_.read();
  std::vector<double> parts;
  std::vector<stencil::MeasureKey> keys;
  for (const stencil::MeasuredWords& word : words) {
    parts.insert(parts.end(), std::begin(word.part), std::end(word.part));
    keys.push_back(word.key);
  }
  // Multiples of the quanta, which add up without rounding in any order, and numbers for comparison: MPI's
  // order does not matter, and its maximum of NaN would.
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, parts.data(), static_cast<int>(parts.size()), MPI_DOUBLE, MPI_SUM,
                          communicator.get()),
            "MPI_Allreduce");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, keys.data(), static_cast<int>(keys.size()), MPI_UNSIGNED_LONG_LONG,
                          MPI_MAX, communicator.get()),
            "MPI_Allreduce");
  std::vector<std::vector<double>> states(words.size() / kinds.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::copy_n(parts.data() + i * stencil::residual_parts, stencil::residual_parts, words[i].part);
    words[i].key = keys[i];
    states[i / kinds.size()].push_back(words[i].value(kinds[i % kinds.size()]));
  }
  return states;
}

void require_interval(grid::Index interval, int max_stages, int stages) {
  if (interval < 1)
    throw UsageError(fmt::format("a measurement each {} steps is none", interval), "",
                     "use an interval of 1 step or more");
  const grid::Index smallest = std::lcm(grid::Index{max_stages}, grid::Index{stages}) / stages;
  if (interval % smallest != 0)
    throw UsageError(
        fmt::format("a measurement each {} steps is not always that of the last step before an exchange, "
                    "each {} {}, after which alone the fields are whole",
                    interval, max_stages, stages == 1 ? "steps" : "stages"),
        "",
        fmt::format("use an interval of {} steps or another multiple of {}",
                    (interval / smallest + 1) * smallest, smallest));
}

}  // namespace haloheap::comm::detail
