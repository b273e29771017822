// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_NAMED_ERRORS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_NAMED_ERRORS_HPP

#include <haloheap/allocators/checked/heap_errors.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace haloheap::allocators::detail {

/// The errors of a heap, with the kernels that found them as far as somebody has told.
class NamedErrors {
 public:
  using Exec = HeapConfig::Exec;

  NamedErrors(const Exec& exec, const HeapConfig& config);
  ~NamedErrors();
  NamedErrors(const NamedErrors&) = delete;
  NamedErrors& operator=(const NamedErrors&) = delete;

  ErrorLog log() const { return errors_.log(); }
  void reset(const Exec& exec);
  std::uint64_t count(const Exec& exec) const { return errors_.count(exec); }
  /// At most ErrorLog::kept.
  std::vector<HeapError> errors(const Exec& exec) const;

  /// Of all heaps that there are: errors that came since the last call are of this kernel. Empty: of one that
  /// nobody knows.
  static void name_new(const std::string& kernel);

 private:
  struct Range {
    std::uint64_t end;
    std::string kernel;
  };

  void name(const std::string& kernel);

  Exec exec_;
  ErrorMetadata errors_;
  std::vector<Range> ranges_;  // one behind the other, from the first error on
};

}  // namespace haloheap::allocators::detail

#endif
