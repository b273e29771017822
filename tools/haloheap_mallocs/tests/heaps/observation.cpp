// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "observation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

/// Who calls: threads of a host have one part each of a team at a time.
struct Here {
  Team* team = nullptr;
  int thread = 0;
  Record& record() const { return team->record(thread); }
};
thread_local Here here;

[[noreturn]] void fail(int thread, const char* what) {
  std::printf("thread %d %s what another one of its team says that all ask for\n", thread, what);
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

void* Heap::allocate(std::size_t bytes) const {
  return observation->allocate(bytes);
}
void* Heap::allocate(const Member& member, std::size_t bytes, haloheap::allocators::detail::AllAlike) const {
  return observation->allocate_alike(member, bytes);
}
void Heap::deallocate(void* pointer) const {
  observation->deallocate(pointer);
}
std::size_t Heap::bytes_of(void* pointer) const {
  return observation->bytes_of(pointer);
}
void Heap::note(std::span<const std::byte> stored) const {
  observation->note(stored);
}

Thread::Thread(const Heap& heap, const Member& member) {
  heap.observation->begin(member);
}
Thread::~Thread() {
  here.record().read_back_all();
  here.team->end(here.thread);
}

void Record::fill(void* block, std::size_t bytes) {
  add(bytes);
  add(block != nullptr ? 1 : 0);
  const std::uint64_t request = ++requests_;
  if (block == nullptr) return;
  ++served_;
  blocks_[block] = bytes;
  auto* const data = static_cast<unsigned char*>(block);
  for (std::size_t i = 0; i < bytes; ++i)
    data[i] = static_cast<unsigned char>(101 * thread_ + 37 * request + i);
}

void Record::read_back(void* block) {
  const auto found = blocks_.find(block);
  add(found != blocks_.end() ? 1 : 0);
  if (found == blocks_.end()) return;
  const auto* const data = static_cast<const unsigned char*>(block);
  for (std::size_t i = 0; i < found->second; ++i) add(data[i]);
  blocks_.erase(found);
}

void Record::read_back_all() {
  // In the order of their addresses, which is another one in another heap.
  std::uint64_t sum = 0;
  const std::uint64_t before = checksum_;
  while (!blocks_.empty()) {
    checksum_ = empty_checksum;
    read_back(blocks_.begin()->first);
    sum += checksum_;
  }
  checksum_ = mixed(before, sum);
}

void Record::note(std::span<const std::byte> stored) {
  for (const std::byte byte : stored) add(std::to_integer<std::uint64_t>(byte));
}

Team::Team(int number, int threads)
    : asked_(static_cast<std::size_t>(threads)), ended_(static_cast<std::size_t>(threads), false) {
  for (int i = 0; i < threads; ++i) records_.emplace_back(static_cast<unsigned>(number * threads + i));
}

void Team::require_all(int thread, std::size_t bytes) {
  std::unique_lock lock(mutex_);
  auto& own = asked_[static_cast<std::size_t>(thread)];
  own.push_back(bytes);
  const std::size_t times = own.size();
  changed_.notify_all();
  for (std::size_t other = 0; other < asked_.size(); ++other) {
    changed_.wait(lock, [&] { return has_come(other, times) || ended_[other]; });
    if (!has_come(other, times)) fail(static_cast<int>(other), "does not ask for");
    if (asked_[other][times - 1] != bytes) fail(static_cast<int>(other), "asks for something else than");
  }
}

void Team::end(int thread) {
  const std::lock_guard lock(mutex_);
  ended_[static_cast<std::size_t>(thread)] = true;
  // They may come again, in another kernel.
  if (std::all_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; }))
    ended_.assign(ended_.size(), false);
  changed_.notify_all();
}

void Observation::begin(const Member& member) {
  const std::lock_guard lock(mutex_);
  const int number = member.league_rank();
  here = {&teams_.try_emplace(number, number, member.team_size()).first->second, member.team_rank()};
}

void* Observation::allocate(std::size_t bytes) {
  void* const block = requests_.allocate(bytes);
  here.record().fill(block, bytes);
  return block;
}

void* Observation::allocate_alike(const Member& member, std::size_t bytes) {
  if (guarded_) here.team->require_all(here.thread, bytes);
  void* const block = requests_.allocate_alike(member, bytes);
  here.record().fill(block, bytes);
  return block;
}

void Observation::deallocate(void* pointer) {
  if (pointer != nullptr) here.record().read_back(pointer);
  requests_.deallocate(pointer);
}

std::size_t Observation::bytes_of(void* pointer) {
  return here.record().bytes_of(pointer);
}

void Observation::note(std::span<const std::byte> stored) {
  here.record().note(stored);
}

template <class Number, class Value>
Number Observation::over_threads(Number number, const Value& value) const {
  for (const auto& [_, team] : teams_)
    for (const Record& record : team.records()) number = value(number, record);
  return number;
}

std::uint64_t Observation::checksum() const {
  return over_threads(empty_checksum,
                      [](std::uint64_t sum, const Record& record) { return mixed(sum, record.checksum()); });
}

std::uint64_t Observation::served() const {
  return over_threads(std::uint64_t{0},
                      [](std::uint64_t sum, const Record& record) { return sum + record.served(); });
}

std::size_t Observation::together() const {
  std::size_t sum = 0;
  for (const auto& [_, team] : teams_) sum += team.together();
  return sum;
}
