// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error_kind_of.hpp>

#include <new>
#include <string_view>

namespace haloheap::base {

ErrorKind error_kind_of(const std::exception& error) {
  if (const auto* const own = dynamic_cast<const Error*>(&error)) return own->kind();
  const bool of_view = std::string_view(error.what()).find("failed to allocate") != std::string_view::npos;
  if (of_view || dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return ErrorKind::out_of_memory;
  return ErrorKind::internal;
}

}  // namespace haloheap::base
