/* SPDX-FileCopyrightText: 2026 the haloheap contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * A network with a long latency, on one machine: each round of messages and each sum of all ranks ends so
 * many microseconds later. Sums that do not block are late by what is left of that when they are waited for.
 * Built with the tests:
 *
 *   LATE_MPI_US=100 mpirun -n 4 -x LD_PRELOAD=$PWD/build/openmp/bin/late_mpi.so -x LATE_MPI_US \
 *     build/openmp/bin/haloheap DECK
 */
#define _GNU_SOURCE
#include <mpi.h>

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static MPI_Request sum = MPI_REQUEST_NULL;
static struct timespec due;

/* Now, and the latency later. */
static struct timespec later(void) {
  static long latency = -1;
  if (latency < 0) {
    const char* text = getenv("LATE_MPI_US");
    latency = text != NULL ? 1000 * atol(text) : 0;
    prctl(PR_SET_TIMERSLACK, 1UL);
  }
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  at.tv_nsec += latency;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}
static void sleep_until(struct timespec at) {
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
  }
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const struct timespec at = later();
  const int result = PMPI_Allreduce(from, to, count, type, op, comm);
  sleep_until(at);
  return result;
}
int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  due = later();
  const int result = PMPI_Iallreduce(from, to, count, type, op, comm, request);
  sum = *request;
  return result;
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const int late = *request == sum && sum != MPI_REQUEST_NULL;
  const int result = PMPI_Wait(request, status);
  if (late) sleep_until(due);
  return result;
}
int MPI_Startall(int count, MPI_Request requests[]) {
  const int result = PMPI_Startall(count, requests);
  if (count > 0) sleep_until(later());
  return result;
}
