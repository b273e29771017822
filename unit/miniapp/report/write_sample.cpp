// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writes every kind of output file into a folder, for files_test.py to read back.
#include <haloheap/miniapp/report/csv_writer.hpp>
#include <haloheap/miniapp/report/json_writer.hpp>
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/vti_writer.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <fmt/format.h>

namespace haloheap::report {
namespace {

/// What files_test.py expects in cell (x, y, z) of quantity q: exact in float for the sizes used here.
template <class Real>
Real value_at(std::int64_t x, std::int64_t y, std::int64_t z, int q) {
  return static_cast<Real>(x + 100 * y + 10000 * z) + static_cast<Real>(q) / 2;
}

template <class Real>
std::vector<Real> values_in(const VtiBox& box, int q) {
  std::vector<Real> values;
  for (std::int64_t z = box.lower[2]; z < box.upper[2]; ++z) {
    for (std::int64_t y = box.lower[1]; y < box.upper[1]; ++y) {
      for (std::int64_t x = box.lower[0]; x < box.upper[0]; ++x) values.push_back(value_at<Real>(x, y, z, q));
    }
  }
  return values;
}

template <class Real>
void write_fields(const std::filesystem::path& folder, const std::string& name, const VtiGrid& grid,
                  const std::vector<VtiBox>& boxes) {
  std::vector<VtiPiece> pieces;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const std::string file = fmt::format("{}_{}.vti", name, rank);
    const auto u = values_in<Real>(boxes[rank], 0);
    const auto v = values_in<Real>(boxes[rank], 1);
    write_vti<Real>(folder / file, grid, boxes[rank], {{"u", u}, {"v", v}});
    pieces.push_back({file, boxes[rank]});
  }
  write_pvti<Real>(folder / (name + ".pvti"), grid, pieces, {"u", "v"});
}

void write_all(const std::filesystem::path& folder) {
  prepare_output_folder(folder);
  Report report = sample::thesis();
  for (const Point& point : std::vector<Point>{sample::measured_overlap(), sample::exchange_alone()})
    report.points.push_back(point);
  report.completion = Completion{.planned = report.points.size(), .complete = true};
  write_json(folder / "results.json", report);
  write_csv(folder / "results.csv", report);
  write_fields<float>(
      folder, "flat", {{7, 5, 1}, {0, 0, 0}, {0.5, 0.25, 1}},
      {{{0, 0, 0}, {4, 3, 1}}, {{4, 0, 0}, {7, 3, 1}}, {{0, 3, 0}, {4, 5, 1}}, {{4, 3, 0}, {7, 5, 1}}});
  write_fields<double>(folder, "deep", {{3, 2, 5}}, {{{0, 0, 0}, {3, 2, 3}}, {{0, 0, 3}, {3, 2, 5}}});
}

}  // namespace
}  // namespace haloheap::report

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_sample FOLDER\n");
    return 2;
  }
  haloheap::report::write_all(argv[1]);
}
