// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/containers/mandelbrot_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <string>

namespace haloheap {
namespace {

/// Iterations of all pixels that the host computes again.
constexpr std::int64_t max_iterations = std::int64_t{1} << 27;

/// Well inside of the two largest parts of the set, whose boundaries are known: the cardioid of the points
/// with a fixed point that attracts, and the disc of those with a cycle of two.
bool surely_inside(const MandelbrotPicture::Point& c) {
  constexpr double margin = 1e-9;
  const std::complex<double> point(c.x, c.y);
  const double multiplier = std::abs(1.0 - std::sqrt(1.0 - 4.0 * point));
  return multiplier < 1 - margin || std::abs(point + 1.0) < 0.25 - margin;
}

bool surely_outside(const MandelbrotPicture::Point& c) {
  return std::hypot(c.x, c.y) > 2 + 1e-9;
}

MandelbrotCount count_on_host(const MandelbrotPicture::Point& c, MandelbrotCount limit) {
  double x = c.x, y = c.y;  // z after one iteration
  for (MandelbrotCount count = 1; count < limit; ++count) {
    const double xx = x * x, yy = y * y;
    if (xx + yy > 4) return count;
    const double next = xx - yy + c.x;
    y = 2 * x * y + c.y;
    x = next;
  }
  return limit;
}

std::string wrong(const MandelbrotPicture& picture, std::int64_t pixel, MandelbrotCount is,
                  const std::string& should) {
  return fmt::format("pixel ({}, {}) has {} iterations instead of {}", pixel % picture.width,
                     pixel / picture.width, is, should);
}

}  // namespace

std::string compare_mandelbrot(const MandelbrotPicture& picture, const MandelbrotCount* counts) {
  const std::int64_t all = picture.pixels() * picture.iterations;
  // Odd, so that a sample is of all columns.
  const std::int64_t every = all <= max_iterations ? 1 : all / max_iterations | 1;
  for (std::int64_t pixel = 0; pixel < picture.pixels(); ++pixel) {
    const MandelbrotPicture::Point c = picture.point(pixel);
    if (surely_inside(c) && counts[pixel] != picture.iterations)
      return wrong(picture, pixel, counts[pixel], fmt::format("{}, within the set", picture.iterations));
    if (surely_outside(c) && counts[pixel] != 1) return wrong(picture, pixel, counts[pixel], "1, beyond 2");
    if (pixel % every != 0) continue;
    const MandelbrotCount expected = count_on_host(c, picture.iterations);
    if (counts[pixel] != expected) return wrong(picture, pixel, counts[pixel], std::to_string(expected));
  }
  return "";
}

void write_mandelbrot(const MandelbrotPicture& picture, const MandelbrotCount* counts,
                      const std::filesystem::path& path) {
  std::string bytes = fmt::format("P5\n{} {}\n65535\n", picture.width, picture.height);
  bytes.reserve(bytes.size() + 2 * static_cast<std::size_t>(picture.pixels()));
  for (std::int64_t pixel = 0; pixel < picture.pixels(); ++pixel) {
    bytes += static_cast<char>(counts[pixel] >> 8);
    bytes += static_cast<char>(counts[pixel] & 0xff);
  }
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw IoError("cannot write '" + path.string() + "'", "the picture is missing",
                  "see that there is room, or set output.fields = false");
}

}  // namespace haloheap
