// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_PICTURE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_PICTURE_HPP

#include <haloheap/backend/function.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace haloheap {

/// Iterations of a pixel, up to the limit.
using MandelbrotCount = std::int32_t;

struct MandelbrotPicture {
  struct Point {
    double x, y;  ///< real and imaginary part
  };

  std::int64_t width = 1, height = 1;
  MandelbrotCount iterations = 1;
  double centre_x = 0, centre_y = 0;
  double step = 1;  ///< from one pixel to the next

  std::int64_t pixels() const { return width * height; }

  /// Of the middle of a pixel. Rows go down.
  HALOHEAP_FUNCTION Point point(std::int64_t pixel) const {
    const auto column = static_cast<double>(pixel % width) - 0.5 * static_cast<double>(width - 1);
    const auto row = static_cast<double>(pixel / width) - 0.5 * static_cast<double>(height - 1);
    return {centre_x + step * column, centre_y - step * row};
  }
};

/// How often z = z^2 + c could be taken, from 0 on, before |z| was over 2.
struct MandelbrotPixel {
  MandelbrotPicture picture;

  HALOHEAP_FUNCTION MandelbrotCount operator()(std::int64_t pixel) const {
    const MandelbrotPicture::Point c = picture.point(pixel);
    double x = 0, y = 0, xx = 0, yy = 0;
    MandelbrotCount count = 0;
    while (count < picture.iterations && xx + yy <= 4) {
      y = 2 * x * y + c.y;
      x = xx - yy + c.x;
      xx = x * x;
      yy = y * y;
      ++count;
    }
    return count;
  }
};

/// What is not as it must be, or nothing: points of the main cardioid and of the disc left of it never leave
/// (the two regions are known exactly), those farther than 2 from the origin leave at once, and pixels have
/// the same numbers as if the host computes them, one by one: all of them, or of large pictures a sample.
std::string compare_mandelbrot(const MandelbrotPicture& picture, const MandelbrotCount* counts);

/// As a greymap, "P5" with two bytes a pixel, high byte first: netpbm.sourceforge.net/doc/pgm.html.
/// \throws IoError
void write_mandelbrot(const MandelbrotPicture& picture, const MandelbrotCount* counts,
                      const std::filesystem::path& path);

}  // namespace haloheap

#endif
