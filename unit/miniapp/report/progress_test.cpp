// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/progress.hpp>
#include <haloheap/unit/miniapp/report/scratch.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace haloheap::report {
namespace {

/// A progress line over a clock that the test moves, into a string.
struct Fixture {
  explicit Fixture(bool terminal)
      : progress([this](std::string_view text) { out += text; }, [this] { return now; }, terminal) {}

  std::string taken() { return std::exchange(out, ""); }

  double now = 1000;
  std::string out;
  Progress progress;
};

TEST(Progress, plain_lines_name_point_share_rate_and_time_left) {
  Fixture f(false);
  f.progress.begin_point(3, 28, "halo.depth=4", 100e9);
  EXPECT_EQ(f.taken(), "point 3/28 halo.depth=4   0 %\n");
  f.now += 6;
  f.progress.update(0.6);
  EXPECT_EQ(f.taken(), "point 3/28 halo.depth=4  60 %  10 GCells/s  4 s left\n");
}

TEST(Progress, without_cell_updates_there_is_no_rate) {
  Fixture f(false);
  f.progress.begin_point(1, 1, "a", 0);
  f.taken();
  f.now += 6;
  f.progress.update(0.6);
  EXPECT_EQ(f.taken(), "point 1/1 a  60 %  4 s left\n");
}

TEST(Progress, plain_lines_come_every_five_seconds_at_most) {
  Fixture f(false);
  f.progress.begin_point(1, 2, "a", 1e9);
  f.taken();
  for (int i = 1; i < 50; ++i) {
    f.now = 1000 + 0.1 * i;
    f.progress.update(0.01 * i);
  }
  f.progress.begin_point(2, 2, "b", 1e9);
  EXPECT_EQ(f.taken(), "") << "quick points of a sweep do not flood a log";
  f.now = 1005;
  f.progress.update(0.5);
  EXPECT_EQ(f.taken().find("point 2/2 b  50 %"), 0U);
}

TEST(Progress, a_terminal_shows_one_line_rewritten) {
  Fixture f(true);
  f.progress.begin_point(1, 1, "a long label", 1e9);
  EXPECT_EQ(f.taken(), "\rpoint 1/1 a long label   0 %");
  f.now += 0.05;
  f.progress.update(0.1);
  EXPECT_EQ(f.taken(), "") << "too early";
  f.now += 0.95;
  f.progress.update(0.25);
  EXPECT_EQ(f.taken(), "\rpoint 1/1 a long label  25 %  0.25 GCells/s  3 s left");
}

TEST(Progress, a_shorter_line_covers_the_longer_one) {
  Fixture f(true);
  f.progress.begin_point(1, 2, "a long label", 1e9);
  const std::size_t width = f.taken().size();
  f.now += 1;
  f.progress.begin_point(2, 2, "b", 1e9);
  EXPECT_EQ(f.taken().size(), width);
}

TEST(Progress, finish_cleans_a_terminal_once_and_leaves_a_log_alone) {
  Fixture terminal(true);
  terminal.progress.finish();
  EXPECT_EQ(terminal.taken(), "") << "nothing was shown";
  terminal.progress.begin_point(1, 1, "a", 1e9);
  const std::size_t width = terminal.taken().size() - 1;
  terminal.progress.finish();
  EXPECT_EQ(terminal.taken(), "\r" + std::string(width, ' ') + "\r");
  terminal.progress.finish();
  EXPECT_EQ(terminal.taken(), "");
  Fixture log(false);
  log.progress.begin_point(1, 1, "a", 1e9);
  log.taken();
  log.progress.finish();
  EXPECT_EQ(log.taken(), "");
}

TEST(Progress, a_long_label_does_not_wrap_a_terminal) {
  Fixture f(true);
  f.progress.begin_point(1, 1, std::string(500, 'x'), 1e9);
  EXPECT_EQ(f.taken().size(), 80U) << "79 columns and the return";
  f.now += 1;
  f.progress.update(0.5);
  const std::string line = f.taken();
  EXPECT_EQ(line.size(), 80U);
  EXPECT_NE(line.find("xxx...  50 %"), std::string::npos) << line;
  Fixture log(false);
  log.progress.begin_point(1, 1, std::string(500, 'x'), 1e9);
  EXPECT_GT(log.taken().size(), 500U) << "a log keeps it whole";
}

TEST(Progress, long_times_are_in_minutes_and_hours) {
  Fixture f(false);
  f.progress.begin_point(1, 1, "a", 1e9);
  f.now += 10;
  f.progress.update(0.01);  // 990 s left
  EXPECT_NE(f.taken().find("17 min left"), std::string::npos);
  f.now += 990;
  f.progress.update(0.1);  // 9000 s left
  EXPECT_NE(f.taken().find("3 h left"), std::string::npos);
}

TEST(Progress, a_fraction_beyond_its_range_is_cut) {
  Fixture f(false);
  f.progress.begin_point(1, 1, "a", 1e9);
  f.now += 10;
  f.taken();
  f.progress.update(1.5);
  EXPECT_NE(f.taken().find(" 100 %  0.1 GCells/s  0 s left"), std::string::npos);
}

TEST(Progress, to_a_file_writes_plain_lines) {
  const Scratch scratch;
  std::FILE* file = std::fopen((scratch / "log").c_str(), "w");
  ASSERT_NE(file, nullptr);
  Progress progress = progress_to(file);
  progress.begin_point(1, 1, "halo.depth=1", 1e9);
  EXPECT_EQ(content_of(scratch / "log"), "point 1/1 halo.depth=1   0 %\n") << "flushed at once";
  std::fclose(file);
}

}  // namespace
}  // namespace haloheap::report
