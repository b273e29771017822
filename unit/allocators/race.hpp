// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_RACE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_RACE_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace haloheap::allocators {

/// Threads that allocate, write, check and free blocks of all sizes, their own and, through a board where
/// blocks are left and taken, those of others. All is free at the end.
template <class Heap>
class Race {
 public:
  explicit Race(const Heap& heap) : heap_(heap), sizes_(heap.sizes()) { sizes_.push_back(heap.large()); }

  /// How many blocks had been written to by others.
  unsigned run(unsigned threads, unsigned rounds) {
    std::vector<std::thread> all;
    for (unsigned thread = 0; thread < threads; ++thread)
      all.emplace_back([this, thread, rounds] { churn(thread, rounds); });
    for (std::thread& thread : all) thread.join();
    for (auto& place : board_) free(std::unique_ptr<Block>(place.exchange(nullptr)));
    return wrong_;
  }

 private:
  struct Block {
    std::byte* data;
    std::size_t bytes;
    std::byte stamp;
  };

  void churn(unsigned thread, unsigned rounds) {
    std::minstd_rand random(thread + 1);
    for (unsigned round = 0; round < rounds; ++round) {
      auto block = std::make_unique<Block>();
      block->bytes = sizes_[random() % sizes_.size()];
      block->data = static_cast<std::byte*>(heap_.handle().allocate(block->bytes));
      block->stamp = static_cast<std::byte>(random() & 255U);
      if (block->data != nullptr) std::fill_n(block->data, block->bytes, block->stamp);
      auto& place = board_[random() % board_.size()];
      free(std::unique_ptr<Block>(place.exchange(block.release())));
    }
  }

  void free(std::unique_ptr<Block> block) {
    if (block == nullptr || block->data == nullptr) return;
    const auto is_stamp = [&](std::byte byte) { return byte == block->stamp; };
    if (!std::all_of(block->data, block->data + block->bytes, is_stamp)) ++wrong_;
    heap_.handle().deallocate(block->data);
  }

  const Heap& heap_;
  std::vector<std::size_t> sizes_;
  std::array<std::atomic<Block*>, 16> board_{};
  std::atomic<unsigned> wrong_ = 0;
};

}  // namespace haloheap::allocators

#endif
