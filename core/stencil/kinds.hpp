// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_KINDS_HPP
#define HALOHEAP_CORE_STENCIL_KINDS_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap::stencil {

enum class StencilShape { star, box };

constexpr auto names_of(StencilShape) {
  return name_table<StencilShape>("stencil shape",
                                  {{StencilShape::star, "star"}, {StencilShape::box, "box"}});
}

enum class InitialKind {
  sine,      ///< one discrete eigenmode of the boundary, product of one factor a dimension
  random,    ///< a hash of the global cell number: [0, 1)
  ones,      ///< 1 everywhere ([Valen2023])
  gaussian,  ///< a hill in the middle
};

constexpr auto names_of(InitialKind) {
  return name_table<InitialKind>("initial field", {{InitialKind::sine, "sine"},
                                                   {InitialKind::random, "random"},
                                                   {InitialKind::ones, "ones"},
                                                   {InitialKind::gaussian, "gaussian"}});
}

}  // namespace haloheap::stencil

#endif
