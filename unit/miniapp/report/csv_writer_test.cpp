// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/csv_writer.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>
#include <haloheap/unit/miniapp/report/scratch.hpp>

#include <gtest/gtest.h>

#include <sstream>

// files_test.py reads the file back with a CSV reader.
namespace haloheap::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(CsvWriter, has_a_header_and_one_row_a_point) {
  const auto lines = lines_of(to_csv(sample::thesis()));
  ASSERT_EQ(lines.size(), 15U);
  EXPECT_EQ(lines[0].find("grid.size,grid.steps,problem.coefficients,verify,halo.depth,"), 0U) << lines[0];
  EXPECT_NE(lines[0].find(",wall_s.median,wall_s.minimum,wall_s.maximum,wall_s.spread,"), std::string::npos);
  EXPECT_NE(lines[0].find(",phases.desynchronisation_s,"), std::string::npos);
  EXPECT_NE(lines[1].find(",5.9476,"), std::string::npos) << lines[1];
}

TEST(CsvWriter, quotes_commas_and_quotes) {
  const auto lines = lines_of(to_csv(sample::thesis()));
  EXPECT_EQ(lines[1].find("\"[35000, 35000]\",2048,"), 0U) << lines[1];
  EXPECT_NE(lines[1].find(",\"device times from events, read after the loop; a, \"\"quoted\"\" note\""),
            std::string::npos);
}

TEST(CsvWriter, leaves_absent_cells_empty_and_takes_all_keys) {
  Report report;
  report.points.resize(2);
  report.points[0].deck = {{"a", std::int64_t{1}}};
  report.points[1].deck = {{"b", std::string("x")}};
  const auto lines = lines_of(to_csv(report));
  EXPECT_EQ(lines[0].find("a,b,work.problem,"), 0U);
  EXPECT_EQ(lines[1].find("1,,"), 0U) << lines[1];
  EXPECT_EQ(lines[2].find(",x,"), 0U) << lines[2];
}

TEST(CsvWriter, has_no_column_that_no_point_fills) {
  const std::string overlap = lines_of(to_csv({{}, {sample::measured_overlap()}}))[0];
  const std::string exchange = lines_of(to_csv({{}, {sample::exchange_alone()}}))[0];
  for (const char* column : {",overlap_terms.hidden", ",gcells_per_s", ",residual.last", ",path.mpi"}) {
    EXPECT_NE(overlap.find(column), std::string::npos) << column;
    EXPECT_EQ(exchange.find(column), std::string::npos) << column;
  }
  EXPECT_NE(exchange.find(",exchange_s"), std::string::npos);
  const auto both = lines_of(to_csv({{}, {sample::exchange_alone(), sample::measured_overlap()}}));
  EXPECT_TRUE(both[1].ends_with(",,")) << "what came later is empty: " << both[1];
}

TEST(CsvWriter, has_a_column_for_each_quantity) {
  const auto lines = lines_of(to_csv({{}, {sample::exchange_alone(), sample::with_figures()}}));
  EXPECT_NE(lines[0].find(",figures.allocate_us,figures.reset_us"), std::string::npos) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(",,")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(",12.5,3")) << lines[2];
}

TEST(CsvWriter, writes_the_file_or_says_why_not) {
  const Scratch scratch;
  write_csv(scratch / "results.csv", sample::thesis());
  EXPECT_EQ(content_of(scratch / "results.csv"), to_csv(sample::thesis()));
  EXPECT_THROW(write_csv(scratch / "none" / "results.csv", {}), IoError);
}

}  // namespace
}  // namespace haloheap::report
