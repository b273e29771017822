// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_ERROR_KIND_OF_HPP
#define HALOHEAP_CORE_BASE_ERROR_KIND_OF_HPP

#include <haloheap/core/base/error.hpp>

#include <exception>

namespace haloheap::base {

/// What kind of error an exception is of. Views of Kokkos whose memory cannot be had throw a plain
/// std::runtime_error, which is known by its words alone; others that are not haloheap's are internal.
ErrorKind error_kind_of(const std::exception& error);

}  // namespace haloheap::base

#endif
