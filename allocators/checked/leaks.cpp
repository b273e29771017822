// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/checked/leaks.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace haloheap::allocators::detail {
namespace {

using Bits = GranuleBits<lanes::Platform>;

struct FindLeaks {
  const Bits::Word* starts;
  CheckedMetadata<lanes::Platform> metadata;
  ErrorLog log;
  KOKKOS_FUNCTION void operator()(std::size_t word) const {
    for (Bits::Word left = starts[word]; left != 0; left &= left - 1) {
      const std::size_t number = word * Bits::word_bits + lanes::bits::lowest(left);
      std::byte* const block = metadata.pool + number * Bits::granule;
      const BlockGuard<lanes::Platform> guard(block, metadata.front);
      const bool known = guard.is_sealed();
      log.add<lanes::Platform::Atomics>({HeapFault::leak, block, known ? guard.bytes() : 0, CallText(),
                                         CallText(known ? guard.site() : CallSite())});
    }
  }
};

void say(const std::string& label, std::uint64_t count, const std::vector<HeapError>& errors) {
  if (count > 0) fmt::print(stderr, "haloheap: {}\n", heap_report(label, count, errors));
}

}  // namespace

ErrorMetadata find_leaks(const HeapConfig::Exec& exec, const HeapConfig& config,
                         const memory::Array<Bits::Word>& starts,
                         const CheckedMetadata<lanes::Platform>& metadata) {
  ErrorMetadata found(exec, config);
  Kokkos::parallel_for(
      "haloheap::allocators::checked::leaks",
      Kokkos::RangePolicy<HeapConfig::Exec, Kokkos::IndexType<std::size_t>>(exec, 0, starts.size()),
      FindLeaks{starts.view().data(), metadata, found.log()});
  return found;
}

const HeapConfig& require_pool(const char* allocator, const HeapConfig& config, const Promises& promises) {
  if (promises.resets) return config;
  throw UsageError(
      fmt::format("the heap '{}' cannot be checked: blocks of {} do not stand in a pool of its own",
                  config.label, allocator),
      "", "use another allocator, such as slab_walk");
}

void tell(const std::string& label, const NamedErrors& errors, std::uint64_t told,
          const std::function<ErrorMetadata(const HeapConfig::Exec&)>& leaks) noexcept {
  try {
    Kokkos::fence("haloheap::allocators::checked");
    const HeapConfig::Exec exec;
    const std::uint64_t count = errors.count(exec);
    if (count > told) say(label, count, errors.errors(exec));
    const ErrorMetadata left = leaks(exec);
    say(label, left.count(exec), left.errors(exec));
  } catch (...) {
    // The heap ends in any case; the device reports failures of earlier work.
  }
}

}  // namespace haloheap::allocators::detail
