// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_COPY_TEAM_HPP
#define HALOHEAP_CORE_BASE_COPY_TEAM_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace haloheap::base {

/// Threads that copy host memory together: one core does not fill a memory bus, nor a link of today. One
/// caller at a time.
class CopyTeam {
 public:
  /// The caller and `helpers` threads, which sleep between copies.
  explicit CopyTeam(int helpers = default_helpers());
  ~CopyTeam();
  CopyTeam(const CopyTeam&) = delete;
  CopyTeam& operator=(const CopyTeam&) = delete;

  /// Like memcpy; small copies stay with the caller.
  void copy(void* to, const void* from, std::size_t bytes);

  int helpers() const { return static_cast<int>(threads_.size()); }
  /// Up to three, and never more than the CPUs besides the caller's that this process may use.
  static int default_helpers();

 private:
  void help(int part);
  void copy_part(int part) const;

  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
  std::size_t bytes_ = 0;
  std::atomic<std::uint32_t> job_{0};   // its number
  std::atomic<std::uint32_t> busy_{0};  // helpers that are not done with it
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace haloheap::base

#endif
