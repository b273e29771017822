// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_VECTOR_LOOP_HPP
#define HALOHEAP_BACKEND_VECTOR_LOOP_HPP

#include <haloheap/backend/pragma.hpp>

/// See the host's file: a thread of a device computes one cell after the other.
#define HALOHEAP_INDEPENDENT

#define HALOHEAP_UNROLL_WITHIN HALOHEAP_UNROLL

#endif
