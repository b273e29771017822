// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/host_threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace haloheap {
namespace {

TEST(HostThreads, ThereIsAtLeastOneCpu) {
  EXPECT_GE(base::allowed_cpus(), 1);
}

TEST(HostThreads, VisitEachNumberOnceInEvenParts) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000})
    for (const int threads : {-1, 0, 1, 2, 3, 16}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      std::mutex mutex;
      std::vector<std::int64_t> lengths;
      std::set<std::thread::id> ids;
      base::share_among_threads(count, threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
        const std::lock_guard lock(mutex);
        lengths.push_back(end - begin);
        ids.insert(std::this_thread::get_id());
      });
      for (const auto& times : visits) EXPECT_EQ(times, 1) << count << " by " << threads;
      const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
      EXPECT_LE(*longest - *shortest, 1);
      EXPECT_EQ(lengths.size(),
                std::clamp<std::size_t>(std::max(threads, 1), 1, std::max<std::size_t>(visits.size(), 1)));
      EXPECT_TRUE(ids.count(std::this_thread::get_id())) << "the caller takes a part";
    }
}

TEST(HostThreads, WhatAPartThrowsComesToTheCaller) {
  for (const std::int64_t bad : {0, 3, 7}) {
    std::atomic<int> finished = 0;
    const auto part = [&](std::int64_t begin, std::int64_t end) {
      if (begin <= bad && bad < end) throw std::runtime_error("of part " + std::to_string(bad));
      ++finished;
    };
    try {
      base::share_among_threads(8, 4, part);
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "of part " + std::to_string(bad));
    }
    EXPECT_EQ(finished, 3) << "the other parts are not left behind";
  }
}

}  // namespace
}  // namespace haloheap
