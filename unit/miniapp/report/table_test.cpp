// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/report/settings.hpp>
#include <haloheap/miniapp/report/table.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace haloheap::report {
namespace {

std::vector<std::string> titles(const Table& table) {
  std::vector<std::string> result;
  for (const Column& column : table) result.push_back(column.title);
  return result;
}

const Column& column(const Table& table, const std::string& title) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Column& c) { return c.title == title; });
  if (found == table.end()) throw InternalError("no column " + title);
  return *found;
}

TEST(TableText, is_aligned_without_trailing_spaces) {
  const Table table = {{"name", {"a", "long name"}, false}, {"n", {"1", "100"}, true}};
  EXPECT_EQ(to_text(table),
            "name         n\n"
            "---------  ---\n"
            "a            1\n"
            "long name  100\n");
}

TEST(TableText, counts_characters_not_bytes) {
  const Table table = {{"a", {"\u00e9\u00e9", "xx"}, false}, {"b", {"1", "2"}, true}};
  EXPECT_EQ(to_text(table), "a   b\n--  -\n\u00e9\u00e9  1\nxx  2\n");
}

TEST(TableMarkdown, has_alignment_and_escapes_bars) {
  const Table table = {{"name", {"a|b"}, false}, {"n", {"1"}, true}};
  EXPECT_EQ(to_markdown(table), "| name | n |\n| --- | ---: |\n| a\\|b | 1 |\n");
}

TEST(ResultTable, shows_what_varies_and_the_results) {
  const Table table = result_table(sample::thesis());
  EXPECT_EQ(titles(table),
            (std::vector<std::string>{"depth", "overlap", "time [s]", "spread [%]", "GCells/s", "GB/s",
                                      "% of copy", "speed-up", "hidden [%]", "verified"}));
  EXPECT_EQ(column(table, "time [s]").cells[0], "5.95");
  EXPECT_EQ(column(table, "hidden [%]").cells[0], "-");
  EXPECT_EQ(column(table, "hidden [%]").cells[1], "83.3");
  EXPECT_EQ(column(table, "speed-up").cells[0], "1.00");
  EXPECT_EQ(column(table, "verified").cells[0], "yes");
  EXPECT_EQ(column(table, "verified").cells[1], "-");
  EXPECT_EQ(column(table, "spread [%]").cells[0], "3.0");
}

TEST(ResultTable, fits_120_columns) {
  std::istringstream text(to_text(result_table(sample::thesis())));
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 120U) << line;
}

TEST(ResultTable, drops_columns_without_a_number) {
  sample::HeatPoint point;
  point.result.timing.wall = {1, 1, 1};
  point.head.swept = {{"halo.depth", std::int64_t{1}}};
  EXPECT_EQ(titles(result_table({{}, {point}})), std::vector<std::string>{"time [s]"});
  point.result.updates = 1e9;
  point.result.update_bytes = 8;
  EXPECT_EQ(titles(result_table({{}, {point}})), (std::vector<std::string>{"time [s]", "GCells/s", "GB/s"}));
}

TEST(ResultTable, says_loudly_that_a_verification_failed) {
  Report report;
  report.points.resize(1);
  report.points[0].verification = Verification{};
  EXPECT_EQ(column(result_table(report), "verified").cells[0], "NO");
}

TEST(ResultTable, keeps_whole_keys_where_short_ones_are_alike) {
  Report report;
  report.points.resize(2);
  report.points[0].swept = {{"halo.depth", std::int64_t{1}}, {"tree.depth", std::int64_t{1}}};
  report.points[1].swept = {{"halo.depth", std::int64_t{2}}, {"tree.depth", std::int64_t{3}}};
  const auto names = titles(result_table(report));
  EXPECT_EQ(names[0], "halo.depth");
  EXPECT_EQ(names[1], "tree.depth");
}

TEST(ResultTable, shows_three_digits_of_the_smallest_time) {
  sample::HeatPoint slow, fast;
  slow.result.timing.wall.median = 12;
  fast.result.timing.wall.median = 0.00456;
  const Table table = result_table({{}, {slow, fast}});
  EXPECT_EQ(column(table, "time [s]").cells, (std::vector<std::string>{"12.00000", "0.00456"}));
}

TEST(ResultTable, of_an_empty_report_has_no_rows) {
  EXPECT_TRUE(result_table({}).empty());
}

TEST(ResultTable, has_the_time_of_exchanges_and_the_residual) {
  const Table table = result_table({{}, {sample::exchange_alone(), sample::measured_overlap()}});
  EXPECT_EQ(column(table, "exchange [us]").cells, (std::vector<std::string>{"25.0", "-"}));
  EXPECT_EQ(column(table, "residual").cells, (std::vector<std::string>{"-", "1.250000e-01"}));
  EXPECT_EQ(column(table, "GCells/s").cells[0], "-");
}

TEST(ResultTable, has_the_ways_of_fields_where_there_are_any) {
  const Table table = result_table({{}, {sample::exchange_alone(), sample::measured_overlap()}});
  EXPECT_EQ(column(table, "H2D [us]").cells, (std::vector<std::string>{"-", "2500"}));
  EXPECT_EQ(column(table, "D2H [us]").cells, (std::vector<std::string>{"-", "1250"}));
  EXPECT_EQ(column(table, "time [s]").cells[1], "4.000");
  for (const std::string& title : titles(result_table(sample::thesis())))
    EXPECT_EQ(title.find("load"), std::string::npos) << title;
}

TEST(ResultTable, has_figures_with_a_title_in_the_place_of_the_time) {
  const Table table = result_table({{}, {sample::with_figures()}});
  EXPECT_EQ(titles(table), (std::vector<std::string>{"spread [%]", "allocate [us]"}));
  EXPECT_EQ(column(table, "allocate [us]").cells, std::vector<std::string>{"12.5"});
  const Table mixed = result_table({{}, {sample::exchange_alone(), sample::with_figures()}});
  EXPECT_EQ(column(mixed, "time [s]").cells, (std::vector<std::string>{"0.500", "-"}));
  EXPECT_EQ(column(mixed, "allocate [us]").cells, (std::vector<std::string>{"-", "12.5"}));
}

TEST(ResultTable, puts_columns_of_later_points_where_these_have_them) {
  const Table table = result_table({{}, {sample::exchange_alone(), sample::point(1, "sync", "none", 1)}});
  const auto all = titles(table);
  const auto spread = std::find(all.begin(), all.end(), "spread [%]");
  ASSERT_GE(all.end() - spread, 3);
  EXPECT_EQ(spread[1], "GCells/s") << "which the first point does not have";
  EXPECT_EQ(spread[2], "GB/s");
  EXPECT_EQ(column(table, "GB/s").cells[0], "-");
  EXPECT_EQ(column(table, "exchange [us]").cells[1], "-");
}

TEST(OverlapTable, has_the_terms_and_what_follows_from_them) {
  const auto tables = tables_apart({{}, {sample::exchange_alone(), sample::measured_overlap()}});
  ASSERT_EQ(tables.size(), 1U);
  const Table& table = tables[0];
  EXPECT_EQ(titles(table), (std::vector<std::string>{"serial [s]", "overlapped [s]", "exchange [s]",
                                                     "interior [s]", "hidden [%]", "efficiency [%]"}));
  EXPECT_EQ(column(table, "serial [s]").cells, std::vector<std::string>{"4.75"});
  EXPECT_EQ(column(table, "hidden [%]").cells, std::vector<std::string>{"50.0"});
  EXPECT_EQ(column(table, "efficiency [%]").cells, std::vector<std::string>{"75.0"});
}

TEST(Notes, stand_once_with_the_points_that_they_are_about) {
  Report report;
  for (const std::int64_t depth : {1, 2, 4})
    report.points.emplace_back(sample::point(depth, "sync", "none", 1));
  EXPECT_EQ(notes_text(report), "");
  for (Point& point : report.points) {
    point.swept = {{"halo.depth", *find(point.deck, "halo.depth")}};
    point.notes = {"all"};
  }
  report.points[2].notes.push_back("one");
  report.points[0].notes.push_back("two");
  report.points[1].notes.push_back("two");
  EXPECT_EQ(notes_text(report), "note: all\nnote (2 of 3 points): two\nnote (halo.depth=4): one\n");
}

TEST(PhaseTable, has_the_points_with_phases) {
  const auto tables = tables_apart(sample::thesis());
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(titles(tables[0]),
            (std::vector<std::string>{"depth", "pack [s]", "message [s]", "desync [s]", "unpack [s]",
                                      "inner [s]", "outer [s]", "primary [s]"}));
  EXPECT_EQ(column(tables[0], "desync [s]").cells.size(), 7U);
  EXPECT_EQ(column(tables[0], "desync [s]").cells[0], "0.2246");
}

TEST(TablesApart, are_none_without_their_branches) {
  EXPECT_TRUE(tables_apart({{}, {sample::exchange_alone(), sample::with_figures()}}).empty());
}

}  // namespace
}  // namespace haloheap::report
