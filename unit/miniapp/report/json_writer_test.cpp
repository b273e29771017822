// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/json_writer.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>
#include <haloheap/unit/miniapp/report/scratch.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

// That the file obeys docs/reference/results.schema.json and reads back is tested by files_test.py.
namespace haloheap::report {
namespace {

bool has(const std::string& json, const std::string& text) {
  return json.find(text) != std::string::npos;
}

Report one_point() {
  return {{}, {sample::point(4, "sync", "none", 2.5)}};
}

TEST(JsonWriter, keeps_types_and_the_order_of_the_deck) {
  const std::string json = to_json(one_point());
  EXPECT_TRUE(has(json, "\"format\": \"haloheap-results\"")) << json;
  EXPECT_TRUE(has(json, "\"halo.depth\": 4,"));
  EXPECT_TRUE(has(json, "\"verify\": true"));
  EXPECT_TRUE(has(json, "\"median\": 2.5"));
  EXPECT_LT(json.find("\"grid.size\""), json.find("\"halo.depth\""));
  EXPECT_LT(json.find("\"halo.depth\""), json.find("\"halo.exchange\""));
}

TEST(JsonWriter, says_how_far_the_run_came) {
  Report report = one_point();
  EXPECT_FALSE(has(to_json(report), "completion"));
  report.completion = Completion{.planned = 9};
  EXPECT_TRUE(has(to_json(report),
                  "  \"completion\": {\n    \"complete\": false,\n    \"planned_points\": 9,\n"
                  "    \"finished_points\": 1\n  },\n"))
      << to_json(report);
  report.completion = Completion{.planned = 1, .complete = true, .error = "a \"cause\"\n  and more"};
  EXPECT_TRUE(has(to_json(report), "\"complete\": true"));
  EXPECT_TRUE(has(to_json(report), "\"error\": \"a \\\"cause\\\"\\n  and more\"")) << to_json(report);
}

TEST(JsonWriter, of_a_report_that_grows_is_that_of_its_points) {
  Report report = sample::thesis();
  const std::vector<Point> points = std::move(report.points);
  report.points.clear();
  JsonDocument document;
  EXPECT_TRUE(has(document.text(report), "\"points\": []\n}\n"));
  for (const Point& point : points) {
    document.add(point);
    report.points.push_back(point);
    EXPECT_EQ(document.text(report), to_json(report));
  }
}

TEST(JsonWriter, leaves_out_what_is_absent) {
  sample::HeatPoint point = sample::point(4, "sync", "none", 2.5);
  point.result.copy_bandwidth.reset();
  const std::string json = to_json({{}, {point}});
  for (const char* key : {"speedup", "hidden_share", "phases", "verification", "copy_bandwidth", "exchange_s",
                          "overlap_terms", "residual", "mpi\"", "h2d_us", "d2h_us", "null"}) {
    EXPECT_FALSE(has(json, key)) << key;
  }
  point.result.phases = GridPhases{};
  EXPECT_TRUE(has(to_json({{}, {point}}), "\"primary_s\": 0.0"));
  EXPECT_FALSE(has(to_json({{}, {point}}), "desynchronisation")) << "a timer that was off is not zero";
}

TEST(JsonWriter, has_the_terms_of_an_overlap_the_residuals_and_the_path) {
  const std::string json = to_json({{}, {sample::measured_overlap()}});
  for (const char* text :
       {"\"serial_s\": 4.75", "\"overlapped_s\": 4.0", "\"exchange_s\": 1.5", "\"interior_s\": 1.0",
        "\"hidden\": 0.5", "\"efficiency\": 0.75", "\"first\": 0.5", "\"last\": 0.125", "\"steps\": 2048",
        "\"mpi\": \"isend\"", "\"h2d_us\": 2500.0", "\"d2h_us\": 1250.0", "\"graph\": true",
        "\"transport\": \"auto: peer_store 2, pinned 1\""})
    EXPECT_TRUE(has(json, text)) << text << "\n" << json;
}

TEST(JsonWriter, has_the_time_of_an_exchange_in_the_place_of_rates) {
  const std::string json = to_json({{}, {sample::exchange_alone()}});
  EXPECT_TRUE(has(json, "\"exchange_s\": 2.5e-05")) << json;
  EXPECT_FALSE(has(json, "gcells_per_s"));
  EXPECT_FALSE(has(json, "effective_bandwidth"));
}

TEST(JsonWriter, has_the_figures_of_a_problem) {
  const std::string json = to_json({{}, {sample::with_figures()}});
  EXPECT_TRUE(has(json, "\"allocate_us\": 12.5")) << json;
  EXPECT_FALSE(has(to_json(one_point()), "figures"));
}

TEST(JsonWriter, labels_what_was_measured) {
  const std::string json = to_json({{}, {sample::with_figures(), sample::exchange_alone()}});
  EXPECT_TRUE(has(json, "  \"quantities\": {\n    \"heat2d\": {\n      \"path.transport\": {\n")) << json;
  EXPECT_TRUE(
      has(json,
          "      \"figures.allocate_us\": {\n        \"title\": \"allocate\",\n        \"unit\": \"us\",\n"
          "        \"description\": \"Time of the kernel.\"\n      },\n"))
      << json;
  EXPECT_TRUE(has(json, "      \"exchange_s\": {\n        \"title\": \"exchange\",\n"));
  EXPECT_FALSE(has(json, "\"figures.relation\": {")) << "it was not measured";
}

TEST(JsonWriter, has_no_path_where_there_is_none) {
  EXPECT_FALSE(has(to_json({{}, {sample::with_figures()}}), "path"));
}

TEST(JsonWriter, says_what_differs) {
  Report report = one_point();
  report.points[0].verification = Verification{true, {}, {}};
  EXPECT_FALSE(has(to_json(report), "differs"));
  report.points[0].verification = Verification{false, {}, {}, "the residual of step 3"};
  EXPECT_TRUE(has(to_json(report), "\"differs\": \"the residual of step 3\""));
}

TEST(JsonWriter, makes_numbers_that_are_not_finite_null) {
  Report report = one_point();
  report.points[0].verification = Verification{true, std::numeric_limits<double>::quiet_NaN(), 1e-5};
  const std::string json = to_json(report);
  EXPECT_TRUE(has(json, "\"sine_error\": null"));
  EXPECT_TRUE(has(json, "\"passed\": false")) << "NaN is no small error";
}

TEST(JsonWriter, survives_bytes_that_are_no_utf8) {
  Report report = one_point();
  report.provenance.command_line = "haloheap caf\xe9";
  EXPECT_TRUE(has(to_json(report), "haloheap caf\xef\xbf\xbd"));
}

TEST(JsonWriter, escapes_what_json_must_escape) {
  Report report = one_point();
  report.provenance.command_line = "a \"b\" \\ \n";
  EXPECT_TRUE(has(to_json(report), R"("a \"b\" \\ \n")"));
}

TEST(JsonWriter, writes_an_empty_sweep) {
  EXPECT_TRUE(has(to_json({}), "\"points\": []"));
}

TEST(JsonWriter, writes_the_file_or_says_why_not) {
  const Scratch scratch;
  write_json(scratch / "results.json", one_point());
  EXPECT_EQ(content_of(scratch / "results.json"), to_json(one_point()));
  EXPECT_THROW(write_json(scratch / "none" / "results.json", one_point()), IoError);
}

TEST(Verification, passes_only_with_equal_bits_and_a_small_error) {
  EXPECT_TRUE((Verification{true, 1e-6, 1e-5}.passed()));
  EXPECT_TRUE((Verification{true, {}, {}}.passed())) << "no exact answer to compare with";
  EXPECT_FALSE((Verification{false, 1e-6, 1e-5}.passed()));
  EXPECT_FALSE((Verification{true, 1e-4, 1e-5}.passed()));
  EXPECT_FALSE((Verification{true, 1e-4, {}}.passed())) << "an error without a bound proves nothing";
}

}  // namespace
}  // namespace haloheap::report
