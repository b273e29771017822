// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_RACE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_RACE_HPP

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace haloheap {

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
    for (auto& place : board_) free(place.exchange(nullptr));
    return wrong_;
  }

 private:
  struct Header {
    std::size_t bytes;
    unsigned stamp;
  };

  void churn(unsigned thread, unsigned rounds) {
    std::minstd_rand random(thread + 1);
    for (unsigned round = 0; round < rounds; ++round) {
      const std::size_t bytes = sizes_[random() % sizes_.size()];
      auto* const block = static_cast<std::byte*>(heap_.handle().allocate(bytes));
      if (block != nullptr) {
        const auto stamp = static_cast<unsigned>(random());
        const Header header{bytes, stamp};
        std::memcpy(block, &header, sizeof(header));
        std::memset(block + sizeof(header), static_cast<int>(stamp & 255U), bytes - sizeof(header));
      }
      free(board_[random() % board_.size()].exchange(block));
    }
  }

  void free(std::byte* block) {
    if (block == nullptr) return;
    Header header{};
    std::memcpy(&header, block, sizeof(header));
    bool right = true;
    for (std::size_t i = sizeof(header); right && i < header.bytes; ++i)
      right = block[i] == static_cast<std::byte>(header.stamp & 255U);
    if (!right) ++wrong_;
    heap_.handle().deallocate(block);
  }

  const Heap& heap_;
  std::vector<std::size_t> sizes_;
  std::array<std::atomic<std::byte*>, 16> board_{};
  std::atomic<unsigned> wrong_ = 0;
};

}  // namespace haloheap

#endif
