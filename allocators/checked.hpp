// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_HPP

#include <haloheap/allocators/checked/checked_handle.hpp>
#include <haloheap/allocators/checked/kernel_names.hpp>
#include <haloheap/allocators/checked/leaks.hpp>
#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/pool_finder.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace haloheap::allocators {

namespace detail {

template <class A>
inline constexpr auto checked_name = [] {
  constexpr std::string_view prefix = "checked_", name = A::name;
  std::array<char, prefix.size() + name.size() + 1> text{};
  std::copy(name.begin(), name.end(), std::copy(prefix.begin(), prefix.end(), text.begin()));
  return text;
}();

}  // namespace detail

/// The debug mode of any allocator: the same interface, and everything that is done wrong with the heap is
/// found, counted and told; nothing traps. Costs time, up to 79 bytes a block, and 1/64 of the pool.
///
/// Found when a block is given back: that it was given back before or never given out, and writes in front of
/// it or behind it. Found when memory is given out again: writes since it was given back, if the allocator
/// keeps nothing of its own there (no header; blocks freed alone). At the end: what was not given back. With
/// KernelNames errors say which kernel found them.
template <DeviceAllocator A>
class Checked {
  using Bits = detail::GranuleBits<lanes::Platform>;

 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::CheckedHandle<lanes::Platform, typename A::Handle>;
  static constexpr const char* name = detail::checked_name<A>.data();
  static constexpr const char* help = "finds double frees, foreign pointers, overruns and leaks";

  /// @throws UsageError for an allocator without a pool of its own
  Checked(const Exec& exec, const HeapConfig& config) : heap_(std::make_unique<Heap>(exec, config)) {}

  Handle handle() const { return {heap_->under.handle(), heap_->metadata()}; }
  void reset(const Exec& exec) {
    heap_->under.reset(exec);
    heap_->start(exec);
  }
  HeapStatistics statistics(const Exec& exec) const {
    HeapStatistics result = heap_->under.statistics(exec);
    result.metadata += 2 * heap_->starts.size() * sizeof(Bits::Word) + ErrorMetadata::bytes;
    return result;
  }
  static Promises promises(const HeapConfig& config) {
    Promises result = A::promises(aligned(config));
    const std::size_t front = front_of(result),
                      guards = front + detail::BlockGuard<lanes::Platform>::min_back;
    result.largest = (result.largest - std::min(result.largest, guards)) / Bits::granule * Bits::granule;
    result.alignment = result.alignment_from_16;
    result.header += front;
    return result;
  }

  /// Those that kernels met since the last reset; at most ErrorLog::kept.
  std::vector<HeapError> errors(const Exec& exec) const {
    heap_->told = error_count(exec);
    return heap_->errors.errors(exec);
  }
  /// All of them.
  std::uint64_t error_count(const Exec& exec) const { return heap_->errors.count(exec); }
  /// What is out now; at most ErrorLog::kept.
  std::vector<HeapError> leaks(const Exec& exec) const { return heap_->leaks(exec).errors(exec); }

 private:
  /// What is known of blocks is a bit for each 16 bytes.
  static HeapConfig aligned(HeapConfig config) {
    config.alignment = Bits::granule;
    return config;
  }

  static std::size_t front_of(const Promises& promises) {
    return std::max(detail::BlockGuard<lanes::Platform>::min_front, promises.alignment_from_16);
  }

  /// Says what was wrong when it ends.
  struct Heap {
    Heap(const Exec& exec, const HeapConfig& given)
        : config(aligned(detail::require_pool(A::name, given, A::promises(given)))),
          finder(std::make_shared<detail::PoolFinder>(config.resource())),
          under(exec, detail::with_finder(config, finder)),
          promises(A::promises(config)),
          starts(config.resource(), config.label + "_starts", Bits::words(finder->pool().size())),
          freed(config.resource(), config.label + "_freed", Bits::words(finder->pool().size())),
          errors(exec, config) {
      start(exec);
    }
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;
    ~Heap() {
      detail::tell(config.label, errors, told, [this](const Exec& exec) { return leaks(exec); });
    }

    void start(const Exec& exec) {
      Kokkos::deep_copy(exec, starts.view(), Bits::Word{0});
      Kokkos::deep_copy(exec, freed.view(), Bits::Word{0});
      errors.reset(exec);
      told = 0;
    }

    detail::CheckedMetadata<lanes::Platform> metadata() const {
      const auto pool = finder->pool();
      return {pool.data(),
              pool.size(),
              Bits(starts.view().data()),
              Bits(freed.view().data()),
              errors.log(),
              front_of(promises),
              promises.header == 0 && promises.frees_alone};
    }

    ErrorMetadata leaks(const Exec& exec) const {
      return detail::find_leaks(exec, config, starts, metadata());
    }

    HeapConfig config;
    std::shared_ptr<detail::PoolFinder> finder;
    A under;
    Promises promises;
    memory::Array<typename Bits::Word> starts, freed;
    detail::NamedErrors errors;
    std::uint64_t told = 0;  // errors that somebody has asked for
  };

  std::unique_ptr<Heap> heap_;
};

}  // namespace haloheap::allocators

#endif
