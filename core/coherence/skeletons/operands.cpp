// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons/map_pairs.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::detail {

void require_same_size(const std::string& label, ElementIndex size, const std::string& other,
                       ElementIndex other_size) {
  if (size == other_size) return;
  throw UsageError(fmt::format("operands of one call have {} ('{}') and {} ('{}') elements", size, label,
                               other_size, other),
                   "the call was not made", "use slices of the same size");
}

void require_same_rows(const std::string& label, ElementIndex columns, ElementIndex grain) {
  if (columns == 1 || columns == grain) return;
  throw UsageError(
      fmt::format("matrices of one call have rows of {} ('{}') and of {} elements", columns, label, grain),
      "the call was not made: its parts are rows", "use matrices of one shape");
}

void require_same_context(const Context& context, const std::string& label, const Context& other_context,
                          const std::string& other) {
  if (&context == &other_context) return;
  throw UsageError(fmt::format("operands of one call belong to two contexts: '{}' and '{}'", label, other),
                   "the call was not made: nothing would order its work", "make both with the same context");
}

void require_pairs(const std::string& label, const Rect& whole, const std::string& down, ElementIndex rows,
                   const std::string& across, ElementIndex columns) {
  if (whole.rows() == rows && whole.columns() == columns) return;
  throw UsageError(
      fmt::format("'{}' has {} rows and {} columns, and the pairs that it is to hold are of {} ('{}') "
                  "and {} ('{}') elements",
                  label, whole.rows(), whole.columns(), rows, down, columns, across),
      "the call was not made", "use slices of as many elements");
}

void require_whole_rows(const std::string& label, const Part& written, ElementIndex grain) {
  const ElementIndex size = written.end - written.begin;
  if (size == 0 || (written.begin % grain == 0 && size % grain == 0)) return;
  throw UsageError(
      fmt::format("{} elements of '{}' are to be written, from element {} on, which are no whole rows of {}",
                  size, label, written.begin, grain),
      "the call was not made: others in these rows would be lost",
      "write to whole rows (of a tensor: whole planes), or to a vector");
}

void require_whole_parts(const std::string& label) {
  throw UsageError(fmt::format("'{}' is read and written by one call at different places", label),
                   "what is read would depend on what is written first",
                   "write to another container, or to the same elements");
}

}  // namespace haloheap::coherence::detail
