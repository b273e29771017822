// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_MANDELBROT_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section mandelbrot, of problem mandelbrot.
void add_mandelbrot_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
