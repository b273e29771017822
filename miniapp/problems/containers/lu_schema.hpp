// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_SCHEMA_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// How a matrix is taken apart (deck: lu.method).
enum class LuMethod { blocked, whole };

template <>
inline constexpr auto names_of<LuMethod> = name_table<LuMethod>("method", {{LuMethod::blocked, "blocked"},
                                                                           {LuMethod::whole, "whole"}});

/// Adds the section lu, of problem lu.
void add_lu_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
