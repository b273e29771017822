// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_VECTOR_ADD_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_VECTOR_ADD_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// The validation of [Bhimani2016]: two arrays to the device, their sum back.
std::unique_ptr<Problem> make_vector_add();

}  // namespace haloheap

#endif
