// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Listing 1 of [Blach2022]: the calls that all threads make, the one that four of them make, and a function
// that both call.
__device__ int MPI_Alltoall(const void* sent, int count, void* received, int expected);

__device__ void f() {
  void* ptr = malloc(sizeof(int));  // who=part same=grid bytes=4 freed advice=local ways=grid,part
  free(ptr);
}

__global__ void mpi_main(int argc, char** argv) {
  void* ptr = malloc(sizeof(int));  // who=grid same=grid bytes=4 escapes freed advice=block
  f();
  int recv;
  MPI_Alltoall(ptr, 4, &recv, 4);
  free(ptr);
  if (threadIdx.x < 4) {
    void* ptr2 = malloc(sizeof(int));  // who=part same=grid bytes=4 freed advice=local
    f();
    free(ptr2);
  }
}
