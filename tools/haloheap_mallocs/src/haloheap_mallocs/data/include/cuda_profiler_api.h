/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
#include "haloheap_cuda.h"
