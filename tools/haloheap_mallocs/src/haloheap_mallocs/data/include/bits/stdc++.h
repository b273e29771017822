/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* haloheap_cuda.h has included what programs use most of it by then. */
