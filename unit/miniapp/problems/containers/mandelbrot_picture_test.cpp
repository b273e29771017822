// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/containers/mandelbrot_picture.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace haloheap {
namespace {

MandelbrotCount count(double x, double y, MandelbrotCount limit = 1000) {
  return MandelbrotPixel{{1, 1, limit, x, y, 1.0}}(0);
}

std::vector<MandelbrotCount> counts_of(const MandelbrotPicture& picture) {
  std::vector<MandelbrotCount> counts;
  for (std::int64_t pixel = 0; pixel < picture.pixels(); ++pixel)
    counts.push_back(MandelbrotPixel{picture}(pixel));
  return counts;
}

constexpr MandelbrotPicture whole_set{60, 40, 500, -0.75, 0.0, 3.5 / 60};

TEST(MandelbrotPicture, CountsByHand) {
  EXPECT_EQ(count(0, 0), 1000);
  EXPECT_EQ(count(-2, 0), 1000);  // 0, -2, 2, 2, ...
  EXPECT_EQ(count(0, 1), 1000);   // 0, i, -1 + i, -i, -1 + i, ...
  EXPECT_EQ(count(1, 0), 3);      // 1, 2, 5
  EXPECT_EQ(count(2, 0), 2);      // 2, 6
  EXPECT_EQ(count(3, 0), 1);
  EXPECT_EQ(count(3, 0, 1), 1);
  // Through the gap at 0.25 + e it takes close to pi / sqrt(e).
  EXPECT_NEAR(count(0.25 + 1e-6, 0, 10000), 3141.59, 3);
}

TEST(MandelbrotPicture, MiddlesOfPixels) {
  const MandelbrotPicture picture{4, 2, 1, 1.0, 2.0, 0.5};
  EXPECT_EQ(picture.point(0).x, 0.25);
  EXPECT_EQ(picture.point(0).y, 2.25);
  EXPECT_EQ(picture.point(7).x, 1.75);
  EXPECT_EQ(picture.point(7).y, 1.75);
}

TEST(MandelbrotPicture, EveryWrongPixelIsSeen) {
  std::vector<MandelbrotCount> counts = counts_of(whole_set);
  EXPECT_EQ(compare_mandelbrot(whole_set, counts.data()), "");
  for (MandelbrotCount& is : counts) {
    ++is;
    EXPECT_NE(compare_mandelbrot(whole_set, counts.data()), "");
    --is;
  }
}

TEST(MandelbrotPicture, WhatIsWrongIsSaid) {
  std::vector<MandelbrotCount> counts = counts_of(whole_set);
  counts[20 * 60 + 30] -= 1;
  EXPECT_EQ(compare_mandelbrot(whole_set, counts.data()),
            "pixel (30, 20) has 499 iterations instead of 500, within the set");
  counts[0] = 4;
  EXPECT_EQ(compare_mandelbrot(whole_set, counts.data()),
            "pixel (0, 0) has 4 iterations instead of 1, beyond 2");
}

TEST(MandelbrotPicture, LargeOnesAreSampled) {
  MandelbrotPicture picture{1000, 1000, 65535, 0.5, 0.5, 1e-7};  // all of them leave
  std::vector<MandelbrotCount> counts = counts_of(picture);
  EXPECT_EQ(compare_mandelbrot(picture, counts.data()), "");
  for (MandelbrotCount& is : counts) ++is;
  EXPECT_NE(compare_mandelbrot(picture, counts.data()), "");
}

TEST(MandelbrotPicture, FoldersThatAreNotThereAreAnError) {
  const std::vector<MandelbrotCount> counts = counts_of(whole_set);
  EXPECT_THROW(write_mandelbrot(whole_set, counts.data(), "/nowhere/at/all.pgm"), IoError);
}

}  // namespace
}  // namespace haloheap
