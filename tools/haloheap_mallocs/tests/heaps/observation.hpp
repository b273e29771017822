// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MALLOCS_TESTS_OBSERVATION_HPP
#define HALOHEAP_MALLOCS_TESTS_OBSERVATION_HPP

#include "heap.hpp"
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

/// A sum of all that went into it, in its order (FNV-1a).
inline constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325;
constexpr std::uint64_t mixed(std::uint64_t checksum, std::uint64_t value) {
  return (checksum ^ value) * 0x100000001b3;
}

/// The three calls of a handle, of whichever type.
class Requests {
 public:
  virtual ~Requests() = default;
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void* allocate_alike(const Member& member, std::size_t bytes) const = 0;
  virtual void deallocate(void* pointer) const = 0;
};

/// What a thread asked for in a kernel, what was in its blocks at their ends, and what it still has. Where
/// memory came from, and who else asked, is not in it.
class Record {
 public:
  explicit Record(unsigned thread) : thread_(thread) {}

  void fill(void* block, std::size_t bytes);
  void read_back(void* block);
  void read_back_all();
  void note(std::span<const std::byte> stored);
  std::size_t bytes_of(void* block) const { return blocks_.at(block); }
  std::uint64_t checksum() const { return checksum_; }
  std::uint64_t served() const { return served_; }

 private:
  void add(std::uint64_t value) { checksum_ = mixed(checksum_, value); }

  unsigned thread_;
  std::uint64_t checksum_ = empty_checksum, served_ = 0, requests_ = 0;
  std::map<void*, std::size_t> blocks_;
};

/// The threads of a team, which must ask together where they say so. Who says so waits for the others: a heap
/// in whose barrier not all of them stand would wait for ever.
class Team {
 public:
  Team(int number, int threads);

  /// Comes back when all threads have come, and ended the program if one does not, or asks for something
  /// else.
  void require_all(int thread, std::size_t bytes);
  void end(int thread);
  Record& record(int thread) { return records_[static_cast<std::size_t>(thread)]; }
  const std::vector<Record>& records() const { return records_; }
  std::size_t together() const { return asked_[0].size(); }

 private:
  bool has_come(std::size_t thread, std::size_t times) const { return asked_[thread].size() >= times; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::size_t>> asked_;  // bytes, by each thread for each time
  std::vector<bool> ended_;
  std::vector<Record> records_;
};

/// One run of a kernel over a heap.
class Observation {
 public:
  /// `guarded`: end the program with a message where somebody says wrongly that all threads ask alike.
  Observation(const Requests& requests, bool guarded) : requests_(requests), guarded_(guarded) {}

  void begin(const Member& member);
  void* allocate(std::size_t bytes);
  void* allocate_alike(const Member& member, std::size_t bytes);
  void deallocate(void* pointer);
  static std::size_t bytes_of(void* pointer);
  static void note(std::span<const std::byte> stored);

  /// Of all threads' records.
  std::uint64_t checksum() const;
  std::uint64_t served() const;
  /// Requests that teams made together.
  std::size_t together() const;

 private:
  template <class Number, class Value>
  Number over_threads(Number number, const Value& value) const;

  const Requests& requests_;
  bool guarded_;
  std::mutex mutex_;
  std::map<int, Team> teams_;
};

#endif
