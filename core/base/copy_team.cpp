// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/copy_team.hpp>
#include <haloheap/core/base/host_threads.hpp>

#include <algorithm>
#include <cstring>

namespace haloheap::base {
namespace {

// Waking a thread takes as long as copying some 100 KiB.
constexpr std::size_t worth_waking = std::size_t{512} << 10;

}  // namespace

int CopyTeam::default_helpers() {
  return std::clamp(allowed_cpus() - 1, 0, 3);
}

CopyTeam::CopyTeam(int helpers) {
  for (int i = 0; i < helpers; ++i) threads_.emplace_back([this, i] { help(i + 1); });
}

CopyTeam::~CopyTeam() {
  over_ = true;
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CopyTeam::help(int part) {
  for (std::uint32_t done = 0;;) {
    job_.wait(done, std::memory_order_acquire);
    ++done;  // the next job starts when all helpers are done with this one: none is missed
    if (over_) return;
    copy_part(part);
    if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
  }
}

/// Parts begin on cache lines.
void CopyTeam::copy_part(int part) const {
  const std::size_t parts = threads_.size() + 1, line = 64;
  const auto begin_of = [&](std::size_t i) {
    return std::min(bytes_, (bytes_ / parts * i + line - 1) / line * line);
  };
  const auto index = static_cast<std::size_t>(part);
  const std::size_t begin = begin_of(index), end = index + 1 == parts ? bytes_ : begin_of(index + 1);
  std::memcpy(to_ + begin, from_ + begin, end - begin);
}

void CopyTeam::copy(void* to, const void* from, std::size_t bytes) {
  if (threads_.empty() || bytes < worth_waking) {
    std::memcpy(to, from, bytes);
    return;
  }
  to_ = static_cast<std::byte*>(to);
  from_ = static_cast<const std::byte*>(from);
  bytes_ = bytes;
  busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  copy_part(0);
  for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;)
    busy_.wait(left, std::memory_order_acquire);
}

}  // namespace haloheap::base
