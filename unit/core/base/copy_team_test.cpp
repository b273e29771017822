// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/copy_team.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap {
namespace {

std::vector<unsigned char> numbered(std::size_t bytes, std::size_t first) {
  std::vector<unsigned char> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>((i + first) % 251);
  return data;
}

TEST(CopyTeam, CopiesAllBytesAndNoMore) {
  for (const int helpers : {0, 1, 3}) {
    base::CopyTeam team(helpers);
    EXPECT_EQ(team.helpers(), helpers);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, std::size_t{512} << 10,
                                    (std::size_t{2} << 20) + 13}) {
      const auto from = numbered(bytes, 7);
      std::vector<unsigned char> to(bytes + 64, 255);
      team.copy(to.data(), from.data(), bytes);
      EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin())) << bytes << " by 1 + " << helpers;
      EXPECT_TRUE(std::all_of(to.begin() + static_cast<std::ptrdiff_t>(bytes), to.end(),
                              [](unsigned char c) { return c == 255; }));
    }
  }
}

TEST(CopyTeam, ManyCopiesInARow) {
  base::CopyTeam team(2);
  std::vector<unsigned char> to(std::size_t{1} << 20);
  for (std::size_t i = 0; i < 200; ++i) {
    const auto from = numbered(to.size() - i, i);
    team.copy(to.data(), from.data(), from.size());
    ASSERT_TRUE(std::equal(from.begin(), from.end(), to.begin())) << i;
  }
}

TEST(CopyTeam, NeverMoreThanTheProcessMayUse) {
  EXPECT_GE(base::CopyTeam::default_helpers(), 0);
  EXPECT_LE(base::CopyTeam::default_helpers(), 3);
  EXPECT_LT(base::CopyTeam::default_helpers(),
            static_cast<int>(std::max(1U, std::thread::hardware_concurrency())) + 1);
}

}  // namespace
}  // namespace haloheap
