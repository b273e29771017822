// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_FUNCTION_HPP
#define HALOHEAP_BACKEND_FUNCTION_HPP

/// Marks small functions on plain data that kernels call too, in headers that know no Kokkos.
#define HALOHEAP_FUNCTION

#endif
