// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/layout.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <gtest/gtest.h>

// That the schema describes what runs write is tested by files_test.py and by the tests of whole runs.
namespace haloheap::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const Quantities<Timing>& own_quantities() {
  static const Quantities<Timing> all = {
      {{"figures.a", "us", "a", "Either a | or b."}, [](const Timing& t) { return t.wall.median; }}};
  return all;
}

std::vector<ProblemQuantities> three_problems() {
  return {{"one", list_of(timings())},
          {"two", list_of(timings())},
          {"three", list_of(own_quantities(), timings())}};
}

TEST(ResultsReference, groups_quantities_by_the_problems_that_have_them) {
  const std::string text = results_reference(three_problems());
  EXPECT_TRUE(
      has(text, "\n## All problems\n\n| name | unit | meaning |\n|---|---|---|\n| `wall_s.median` | s | "))
      << text;
  EXPECT_TRUE(has(text,
                  "\n## `three`\n\n| name | unit | meaning |\n|---|---|---|\n| `figures.a` | us | Either a "
                  "\\| or b. |\n"))
      << text;
  EXPECT_EQ(text.find("wall_s.median"), text.rfind("wall_s.median")) << "once for all";
}

TEST(ResultsSchema, has_each_quantity_with_its_label) {
  const std::string text = results_schema(three_problems());
  EXPECT_TRUE(has(
      text,
      R"("a": {"title":"a","unit":"us","description":"Either a | or b.","type":["number","null"],"minimum":0})"))
      << text;
  EXPECT_TRUE(has(text, R"("enum":["one","two","three"])")) << text;
}

}  // namespace
}  // namespace haloheap::report
