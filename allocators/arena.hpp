// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_ARENA_HPP
#define HALOHEAP_ALLOCATORS_ARENA_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/memory/array.hpp>

#include <map>
#include <mutex>

namespace haloheap::allocators {

/// What all arenas have in common: alignment beyond the heap's, messages, one request at a time.
class Arena : public memory::MemoryResource {
 public:
  backend::Properties properties() const override { return properties_; }
  std::string name() const override { return name_; }

 protected:
  Arena(std::string name, HeapConfig config, const Promises& promises);

 private:
  struct Block {
    void* data;
    std::size_t bytes;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) final;
  void do_deallocate(const memory::Allocation& allocation) noexcept final;
  void require_servable(std::size_t bytes, std::size_t room, std::string_view label);
  [[noreturn]] void throw_out_of_memory(std::size_t bytes, std::string_view label);
  std::size_t in_use(const HeapStatistics& statistics) const;

  virtual void* take(std::size_t bytes) = 0;  ///< nullptr if there is none
  virtual void give_back(void* block) = 0;
  virtual void reset() = 0;
  virtual HeapStatistics statistics() = 0;

  std::string name_;
  HeapConfig config_;
  Promises promises_;
  backend::Properties properties_;
  std::mutex mutex_;
  std::map<const void*, Block> live_;  // by the aligned address that was given out
};

struct ArenaAnswer {
  void* block;
};

template <class Handle>
struct ArenaTake {
  Handle heap;
  std::size_t bytes;
  ArenaAnswer* answer;
  KOKKOS_FUNCTION void operator()(int) const { answer->block = heap.allocate(bytes); }
};

template <class Handle>
struct ArenaGiveBack {
  Handle heap;
  void* block;
  KOKKOS_FUNCTION void operator()(int) const { heap.deallocate(block); }
};

/// A heap of kernels as a memory resource of the host, so that Views and Arrays stand in it. The host asks by
/// a kernel of one thread and waits for its answer: a few microseconds a block. Blocks that the host holds
/// and those that kernels take come from the same pool; see heap().
template <DeviceAllocator A>
class ArenaOf final : public Arena {
 public:
  using Exec = HeapConfig::Exec;

  /// \throws OutOfMemory; UsageError for a configuration that A cannot have
  explicit ArenaOf(const HeapConfig& config)
      : Arena(A::name, config, A::promises(config)),
        heap_(exec_, config),
        answer_(config.resource(), config.label + "_answer", 1) {
    exec_.fence("haloheap::allocators::arena");  // requests may come from other instances' threads
  }

  const A& heap() const { return heap_; }

 private:
  using Handle = typename A::Handle;

  // A kernel of one thread of the host is a call, which any thread may make.
  template <class Kernel>
  void run(const char* name, const Kernel& kernel) {
    if constexpr (backend::kernels_on_host)
      kernel(0);
    else
      Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec>(exec_, 0, 1), kernel);
  }

  void* take(std::size_t bytes) override {
    ArenaAnswer* const answer = answer_.view().data();
    run("haloheap::allocators::arena::take", ArenaTake<Handle>{heap_.handle(), bytes, answer});
    if constexpr (backend::kernels_on_host) return answer->block;
    return fetch(exec_, answer, 1).front().block;
  }

  void give_back(void* block) override {
    // As cudaFree does: kernels that were launched before may still use the block.
    if constexpr (!backend::kernels_on_host) Kokkos::fence("haloheap::allocators::arena::give_back");
    run("haloheap::allocators::arena::give_back", ArenaGiveBack<Handle>{heap_.handle(), block});
  }

  void reset() override { heap_.reset(exec_); }
  HeapStatistics statistics() override { return heap_.statistics(exec_); }

  Exec exec_;
  A heap_;
  memory::Array<ArenaAnswer> answer_;
};

}  // namespace haloheap::allocators

#endif
