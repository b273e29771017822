// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/vti_writer.hpp>
#include <haloheap/unit/miniapp/report/scratch.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

// files_test.py parses files of several ranks with an XML reader and compares every value.
namespace haloheap::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(VtiWriter, appends_the_bytes_of_each_quantity_behind_their_count) {
  const Scratch scratch;
  std::vector<float> u(6), v(6);
  std::iota(u.begin(), u.end(), 1.5F);
  std::iota(v.begin(), v.end(), -3.0F);
  write_vti<float>(scratch / "a.vti", {{7, 5, 1}, {0, 0, 0}, {0.5, 0.25, 1}}, {{2, 1, 0}, {5, 3, 1}},
                   {{"u", u}, {"v", v}});
  const std::string text = content_of(scratch / "a.vti");
  EXPECT_TRUE(has(text, R"(WholeExtent="0 7 0 5 0 0" Origin="0 0 0" Spacing="0.5 0.25 1")")) << text;
  EXPECT_TRUE(has(text, R"(<Piece Extent="2 5 1 3 0 0">)"));
  EXPECT_TRUE(has(text, R"(type="Float32" Name="v" format="appended" offset="32")"));
  const std::size_t data = text.find("<AppendedData encoding=\"raw\">\n_") + 31;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + data, 8);
  EXPECT_EQ(bytes, 24U);
  std::vector<float> read(6);
  std::memcpy(read.data(), text.data() + data + 32 + 8, 24);
  EXPECT_EQ(read, v);
}

TEST(VtiWriter, counts_layers_of_points_in_3d) {
  const Scratch scratch;
  const std::vector<double> u(24);
  write_vti<double>(scratch / "a.vti", {{2, 3, 8}}, {{0, 0, 4}, {2, 3, 8}}, {{"u", u}});
  EXPECT_TRUE(has(content_of(scratch / "a.vti"), R"(<Piece Extent="0 2 0 3 4 8">)"));
  EXPECT_TRUE(has(content_of(scratch / "a.vti"), "Float64"));
}

TEST(VtiWriter, names_the_pieces_of_all_ranks) {
  const Scratch scratch;
  write_pvti<float>(scratch / "a.pvti", {{4, 1, 1}},
                    {{"a_0.vti", {{0, 0, 0}, {2, 1, 1}}}, {"a_1.vti", {{2, 0, 0}, {4, 1, 1}}}}, {"u", "a<b"});
  const std::string text = content_of(scratch / "a.pvti");
  EXPECT_TRUE(has(text, R"(<Piece Extent="2 4 0 1 0 0" Source="a_1.vti"/>)")) << text;
  EXPECT_TRUE(has(text, R"(<PDataArray type="Float32" Name="a&lt;b"/>)"));
}

TEST(VtiWriter, writes_bytes) {
  const Scratch scratch;
  const std::vector<std::uint8_t> alive{0, 1, 255};
  write_vti<std::uint8_t>(scratch / "a.vti", {{3, 1, 1}}, {{0, 0, 0}, {3, 1, 1}}, {{"alive", alive}});
  write_pvti<std::uint8_t>(scratch / "a.pvti", {{3, 1, 1}}, {{"a.vti", {{0, 0, 0}, {3, 1, 1}}}}, {"alive"});
  const std::string text = content_of(scratch / "a.vti");
  EXPECT_TRUE(has(text, R"(<DataArray type="UInt8" Name="alive")")) << text;
  EXPECT_TRUE(has(text, std::string("_\x03\0\0\0\0\0\0\0\0\x01\xff\n", 13)));
  EXPECT_TRUE(has(content_of(scratch / "a.pvti"), R"(<PDataArray type="UInt8" Name="alive"/>)"));
}

TEST(VtiWriter, lists_the_times_of_a_series) {
  const Scratch scratch;
  write_pvd(scratch / "a.pvd", {{"a_0.pvti", 0}, {"a&1.pvti", 250}});
  const std::string text = content_of(scratch / "a.pvd");
  EXPECT_TRUE(has(text, R"(<VTKFile type="Collection")")) << text;
  EXPECT_TRUE(has(text, R"(<DataSet timestep="0" part="0" file="a_0.pvti"/>)"));
  EXPECT_TRUE(has(text, R"(<DataSet timestep="250" part="0" file="a&amp;1.pvti"/>)"));
}

TEST(VtiWriter, refuses_a_box_outside_the_grid_and_a_wrong_number_of_values) {
  const Scratch scratch;
  const std::vector<float> u(4);
  const auto write = [&](VtiBox box) { write_vti<float>(scratch / "a.vti", {{4, 4, 1}}, box, {{"u", u}}); };
  EXPECT_THROW(write({{2, 0, 0}, {6, 1, 1}}), InternalError);
  EXPECT_THROW(write({{2, 0, 0}, {2, 1, 1}}), InternalError);
  EXPECT_THROW(write({{-1, 0, 0}, {3, 1, 1}}), InternalError);
  EXPECT_THROW(write({{0, 0, 0}, {3, 1, 1}}), InternalError);
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.vti"));
}

TEST(VtiWriter, says_which_file_it_cannot_write) {
  const Scratch scratch;
  const std::vector<float> u(1);
  const auto path = scratch / "none" / "a.vti";
  const std::string message = io_error_of([&] {
    write_vti<float>(path, {{1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}, {{"u", u}});
  });
  EXPECT_TRUE(has(message, "cannot write '" + path.string() + "'")) << message;
}

}  // namespace
}  // namespace haloheap::report
