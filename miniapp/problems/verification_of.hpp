// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_VERIFICATION_OF_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_VERIFICATION_OF_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <string>

namespace haloheap {

/// `wrong` of `all`, which are `what`, are not what the host computed; verified if none is.
report::Verification verification_of(std::size_t wrong, std::size_t all, const std::string& what);

/// What differs from what the host computed; verified if nothing does.
report::Verification verification_of(const std::string& differs);

}  // namespace haloheap

#endif
