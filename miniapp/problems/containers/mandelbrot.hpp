// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// A picture of the Mandelbrot set, one call of which each element is made of its index alone: nothing may
/// be brought to the devices. (One of the paper's applications, section 4.1.)
std::unique_ptr<Problem> make_mandelbrot();

}  // namespace haloheap

#endif
