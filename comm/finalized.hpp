// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_FINALIZED_HPP
#define HALOHEAP_COMM_FINALIZED_HPP

#include <mpi.h>

namespace haloheap::comm::detail {

/// Whether MPI has ended, so that nothing can be given back to it any more.
inline bool finalized() {
  int result = 0;
  MPI_Finalized(&result);
  return result != 0;
}

}  // namespace haloheap::comm::detail

#endif
