// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/mandelbrot_picture.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace haloheap {

namespace {

void add_mandelbrot_keys(deck::Schema& schema) {
  deck::Section& mandelbrot = schema.section("mandelbrot", "Problem mandelbrot: a picture of the set");
  mandelbrot.integer("width", 1024).range(1, 1 << 20).unit("pixels");
  mandelbrot.integer("height", 768).range(1, 1 << 20).unit("pixels");
  mandelbrot.integer("iterations", 1000)
      .range(1, 65535)
      .help("Points that have not left the circle of radius 2 after so many count as points of the set");
  mandelbrot.reals("centre", {-0.75, 0.0}).length(2, 2).help("Of the picture, real and imaginary part");
  mandelbrot.real("scale", 3.5).range(1e-13, 16).help("Width of the picture, real part");
}

using coherence::all_devices;
using coherence::Context;
using coherence::ElementIndex;
using coherence::Vector;

struct MandelbrotResult {
  double area = 0;      ///< of the pixels that stay
  double a_second = 0;  ///< iterations
};

const report::Quantities<MandelbrotResult>& mandelbrot_quantities() {
  using M = MandelbrotResult;
  using report::Shown;
  static const report::Quantities<M> all = {
      {{"figures.area", "", "area",
        "Area of the pixels that stay; of the whole set it is 1.5065918849 (Foerstemann 2012, by counting "
        "pixels).",
        Shown{}},
       &M::area},
      {{"figures.giterations_per_s", "10^9 iterations/s", "rate", "1e9 iterations of pixels a second.",
        Shown{"10^9 iterations/s"}},
       [](const M& m) { return 1e-9 * m.a_second; }},
  };
  return all;
}

class MandelbrotApp final : public ContainerApp {
 public:
  /// `path`: of the picture, empty for none.
  MandelbrotApp(const MandelbrotPicture& picture, std::filesystem::path path)
      : picture_(picture), path_(std::move(path)) {}

  void prepare(Context& context) override { counts_.emplace(context, "iterations", picture_.pixels()); }

  void run(Context& /*context*/) override {
    map_index(all_devices, "haloheap::mandelbrot", *counts_, MandelbrotPixel{picture_});
    counts_->update_host();
  }

  report::Verification check() override {
    if (!path_.empty()) write_mandelbrot(picture_, counts(), path_);
    return report::verification_of(compare_mandelbrot(picture_, counts()));
  }

  void clear() override { counts_.reset(); }

  void measure(const report::Spread& wall, report::Point& point) const override {
    const ElementIndex inside = std::count(counts(), counts() + picture_.pixels(), picture_.iterations);
    ElementIndex all = 0;
    for (ElementIndex i = 0; i < picture_.pixels(); ++i) all += counts()[i];
    point.measure(mandelbrot_quantities(), {static_cast<double>(inside) * picture_.step * picture_.step,
                                            static_cast<double>(all) / wall.median});
  }
  report::Work work() const override {
    return {"", {picture_.width, picture_.height}, picture_.iterations, "double", 1};
  }
  std::size_t bytes() const override {
    return static_cast<std::size_t>(picture_.pixels()) * sizeof(MandelbrotCount);
  }

 private:
  const MandelbrotCount* counts() const { return &std::as_const(*counts_).unchecked(0); }

  MandelbrotPicture picture_;
  std::filesystem::path path_;
  std::optional<Vector<MandelbrotCount>> counts_;
};

MandelbrotPicture read_picture(const deck::Deck& deck) {
  MandelbrotPicture picture;
  picture.width = deck.get<std::int64_t>("mandelbrot.width");
  picture.height = deck.get<std::int64_t>("mandelbrot.height");
  picture.iterations = static_cast<MandelbrotCount>(deck.get<std::int64_t>("mandelbrot.iterations"));
  const auto centre = deck.get<std::vector<double>>("mandelbrot.centre");
  picture.centre_x = centre[0];
  picture.centre_y = centre[1];
  picture.step = deck.get<double>("mandelbrot.scale") / static_cast<double>(picture.width);
  return picture;
}

/// A picture of the Mandelbrot set, one call of which each element is made of its index alone: nothing may be
/// brought to the devices. (One of the applications of [Dastgeer2016], section 4.1.)
class Mandelbrot final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const auto options = read_coherence(deck, ranks);
    const MandelbrotPicture picture = read_picture(deck);
    return fmt::format("{} x {} pixels of up to {} iterations on {}\n", picture.width, picture.height,
                       picture.iterations, describe(options));
  }
  report::QuantityList quantities() const override { return container_quantities(mandelbrot_quantities()); }
  report::Point run(const RunContext& context) override {
    std::filesystem::path path;
    if (context.deck.get<bool>("output.fields"))
      path = context.folder / fmt::format("mandelbrot_{}.pgm", context.point_name);
    MandelbrotApp app(read_picture(context.deck), std::move(path));
    return run_container_point(context, app);
  }
};

}  // namespace

ProblemEntry mandelbrot_problem() {
  return {"mandelbrot",
          "a picture made of nothing: no byte goes to the device ([Dastgeer2016])",
          {add_coherence_keys, add_mandelbrot_keys},
          make_problem<Mandelbrot>};
}

}  // namespace haloheap
