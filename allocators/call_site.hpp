// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CALL_SITE_HPP
#define HALOHEAP_ALLOCATORS_CALL_SITE_HPP

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace haloheap::allocators {

/// Where a program calls a heap. What std::source_location is, for device code too.
struct CallSite {
  const char* file = nullptr;
  const char* function = nullptr;  ///< a kernel, if it calls itself; operator() in lambdas
  unsigned line = 0;

  /// As a default argument: where the function that has it is called.
  KOKKOS_FUNCTION static constexpr CallSite here(const char* file = __builtin_FILE(),
                                                 const char* function = __builtin_FUNCTION(),
                                                 unsigned line = __builtin_LINE()) {
    return {file, function, line};
  }
};

/// The same for the host, which cannot read the strings of a device: the beginning of the function's name and
/// the end of the file's.
struct CallText {
  char file[64] = {}, function[40] = {};
  unsigned line = 0;  ///< 0: it is not known

  CallText() = default;
  KOKKOS_FUNCTION explicit CallText(const CallSite& site) : line(site.line) {
    if (site.line == 0) return;
    std::size_t length = 0;
    while (site.file[length] != '\0') ++length;
    copy(length < sizeof file ? site.file : site.file + (length - (sizeof file - 1)), file);
    copy(site.function, function);
  }

 private:
  template <std::size_t size>
  KOKKOS_FUNCTION static void copy(const char* from, char (&to)[size]) {
    for (std::size_t i = 0; i + 1 < size && from[i] != '\0'; ++i) to[i] = from[i];
  }
};

}  // namespace haloheap::allocators

#endif
