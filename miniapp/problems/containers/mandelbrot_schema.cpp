// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/mandelbrot_schema.hpp>

namespace haloheap {

void add_mandelbrot_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& mandelbrot = schema.section("mandelbrot", "Problem mandelbrot: a picture of the set");
  mandelbrot.integer("width", 1024).range(1, 1 << 20).unit("pixels");
  mandelbrot.integer("height", 768).range(1, 1 << 20).unit("pixels");
  mandelbrot.integer("iterations", 1000)
      .range(1, 65535)
      .help("Points that have not left the circle of radius 2 after so many count as points of the set");
  mandelbrot.reals("centre", {-0.75, 0.0}).length(2, 2).help("Of the picture, real and imaginary part");
  mandelbrot.real("scale", 3.5).range(1e-13, 16).help("Width of the picture, real part");
}

}  // namespace haloheap
