// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/comm/shuffled_messages.hpp>

#include <mpi.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace haloheap::testing {
namespace {

/// A request that the program has started and does not know to be complete.
struct Open {
  MPI_Request request = MPI_REQUEST_NULL;
  int peer = 0;
  bool receives = false;
  bool once = false;      // the program asked for one that ends with its completion, and got a persistent one
  bool started = false;   // with MPI
  bool complete = false;  // and seen to be
  int denials = 0;        // still to be uttered
};

struct Kind {
  int peer;
  bool receives;
};

bool shuffling = false;
std::mt19937 dice;
Shuffled counts;
std::map<MPI_Request, Kind> persistent;
std::vector<Open> open_requests;  // in the order in which they were asked for
std::vector<int> arrivals;        // peers, since there was no open request
std::set<std::vector<int>> arrival_orders;

void add(MPI_Request request, const Kind& kind, bool once, bool started = false) {
  if (open_requests.empty() && !arrivals.empty()) {
    arrival_orders.insert(arrivals);
    arrivals.clear();
  }
  ++counts.requests;
  open_requests.push_back(
      {request, kind.peer, kind.receives, once, started, false, static_cast<int>(dice() % 4)});
}

/// Lets some of what waits go, and looks at what has come.
int progress() {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < open_requests.size(); ++i)
    if (!open_requests[i].started) waiting.push_back(i);
  if (!waiting.empty() && dice() % 2 == 0) {
    const std::size_t next = waiting[dice() % waiting.size()];
    if (next != waiting.front()) ++counts.out_of_order;
    open_requests[next].started = true;
    if (const int status = PMPI_Start(&open_requests[next].request); status != MPI_SUCCESS) return status;
  }
  for (Open& open : open_requests) {
    if (!open.started || open.complete) continue;
    int complete = 0;
    PMPI_Request_get_status(open.request, &complete, MPI_STATUS_IGNORE);
    open.complete = complete != 0;
    if (open.complete && open.receives) arrivals.push_back(open.peer);
  }
  return MPI_SUCCESS;
}

}  // namespace

ShuffleMessages::ShuffleMessages(unsigned seed) {
  dice.seed(seed);
  shuffling = true;
}

ShuffleMessages::~ShuffleMessages() {
  shuffling = false;
}

std::size_t persistent_requests() {
  return persistent.size();
}

Shuffled shuffled() {
  std::set<std::vector<int>> sets;
  for (std::vector<int> order : arrival_orders) {
    std::sort(order.begin(), order.end());
    sets.insert(order);
  }
  Shuffled result = counts;
  result.arrival_orders = arrival_orders.size() - sets.size();
  return result;
}

}  // namespace haloheap::testing

using namespace haloheap::testing;

extern "C" int MPI_Send_init(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                             MPI_Request* request) {
  const int status = PMPI_Send_init(data, count, type, peer, tag, comm, request);
  persistent[*request] = {peer, false};
  return status;
}

extern "C" int MPI_Recv_init(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                             MPI_Request* request) {
  const int status = PMPI_Recv_init(data, count, type, peer, tag, comm, request);
  persistent[*request] = {peer, true};
  return status;
}

extern "C" int MPI_Request_free(MPI_Request* request) {
  persistent.erase(*request);
  return PMPI_Request_free(request);
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  if (!shuffling) return PMPI_Startall(count, requests);
  for (int i = 0; i < count; ++i) {
    const auto found = persistent.find(requests[i]);
    if (found != persistent.end())
      add(requests[i], found->second, false);
    else if (const int status = PMPI_Start(&requests[i]); status != MPI_SUCCESS)
      return status;
  }
  return MPI_SUCCESS;
}

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  if (!shuffling) return PMPI_Isend(data, count, type, peer, tag, comm, request);
  const int status = PMPI_Send_init(data, count, type, peer, tag, comm, request);
  if (status == MPI_SUCCESS) add(*request, {peer, false}, true);
  return status;
}

extern "C" int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  if (!shuffling) return PMPI_Irecv(data, count, type, peer, tag, comm, request);
  const int status = PMPI_Recv_init(data, count, type, peer, tag, comm, request);
  if (status == MPI_SUCCESS) add(*request, {peer, true}, true);
  return status;
}

// Collectives are not held back: all of a communicator have to be started in the same order.
extern "C" int MPI_Ineighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets,
                                       MPI_Datatype send_type, void* receive, const int* receive_counts,
                                       const int* receive_offsets, MPI_Datatype receive_type, MPI_Comm comm,
                                       MPI_Request* request) {
  const int status = PMPI_Ineighbor_alltoallv(send, send_counts, send_offsets, send_type, receive,
                                              receive_counts, receive_offsets, receive_type, comm, request);
  if (shuffling && status == MPI_SUCCESS) add(*request, {0, false}, false, true);
  return status;
}

extern "C" int MPI_Ineighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                                       const MPI_Datatype* send_types, void* receive,
                                       const int* receive_counts, const MPI_Aint* receive_offsets,
                                       const MPI_Datatype* receive_types, MPI_Comm comm,
                                       MPI_Request* request) {
  const int status = PMPI_Ineighbor_alltoallw(send, send_counts, send_offsets, send_types, receive,
                                              receive_counts, receive_offsets, receive_types, comm, request);
  if (shuffling && status == MPI_SUCCESS) add(*request, {0, false}, false, true);
  return status;
}

extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* result) {
  if (const int status = progress(); status != MPI_SUCCESS) return status;
  const auto open = std::find_if(open_requests.begin(), open_requests.end(),
                                 [&](const Open& one) { return one.request == *request; });
  if (open == open_requests.end()) return PMPI_Test(request, done, result);
  *done = 0;
  if (!open->complete) return MPI_SUCCESS;
  if (open->denials > 0) {
    --open->denials;
    ++counts.kept;
    return MPI_SUCCESS;
  }
  const bool once = open->once;
  open_requests.erase(open);
  const int status = PMPI_Test(request, done, result);
  return status == MPI_SUCCESS && once ? PMPI_Request_free(request) : status;
}
