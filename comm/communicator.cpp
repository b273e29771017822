// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/finalized.hpp>
#include <haloheap/core/base/deadline.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <vector>

namespace haloheap::comm {

void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw CommunicationError(
      std::string(call) + " failed: " + std::string(text, static_cast<std::size_t>(length)),
      "the ranks no longer agree on what was sent",
      "look for the first rank that failed, and at the network's own log");
}

namespace {

MPI_Comm duplicate(MPI_Comm parent) {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(parent, &comm), "MPI_Comm_dup");
  return comm;
}

}  // namespace

Communicator::Communicator(MPI_Comm parent) : Communicator(Owned{duplicate(parent)}) {}

Communicator::Communicator(Owned owned) : comm_(owned.comm) {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Communicator::~Communicator() {
  if (!detail::finalized() && !open_ && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

Communicator Communicator::node() const {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm), "MPI_Comm_split_type");
  return Communicator(Owned{comm});
}

Communicator Communicator::split(int colour) const {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm_, colour, 0, &comm), "MPI_Comm_split");
  return Communicator(Owned{comm});
}

std::string Communicator::broadcast(const std::string& text, int root) const {
  int size = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&size, 1, MPI_INT, root, comm_), "MPI_Bcast");
  std::string result = text;
  result.resize(static_cast<std::size_t>(size));
  check_mpi(MPI_Bcast(result.data(), size, MPI_CHAR, root, comm_), "MPI_Bcast");
  return result;
}

void Communicator::barrier() const {
  check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
}

void Communicator::barrier(double timeout) const {
  base::Deadline deadline(timeout);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
  for (int done = 0; true;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return;
    if (deadline.passed()) {
      leave_open();
      throw CommunicationError(
          fmt::format("rank {} waited {:g} s at a barrier that not all ranks reached", rank_, timeout),
          "the run cannot go on without them",
          "see which rank died or hangs; the timeout says how long to wait");
    }
    deadline.rest();
  }
}

double Communicator::reduce(double value, MPI_Op operation) const {
  double result = value;
  check_mpi(MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, comm_), "MPI_Allreduce");
  return result;
}

double Communicator::max(double value) const {
  return reduce(value, MPI_MAX);
}
double Communicator::sum(double value) const {
  return reduce(value, MPI_SUM);
}
bool Communicator::all(bool value) const {
  return reduce(value ? 1 : 0, MPI_MIN) > 0;
}

std::string Communicator::gather_lines(const std::string& line) const {
  const int mine = static_cast<int>(line.size());
  std::vector<int> sizes(static_cast<std::size_t>(size_)), offsets(static_cast<std::size_t>(size_));
  check_mpi(MPI_Gather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm_), "MPI_Gather");
  int total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    offsets[i] = total + static_cast<int>(i);  // one byte for each newline
    total += sizes[i];
  }
  std::string all(rank_ == 0 ? static_cast<std::size_t>(total + size_ - 1) : 0, '\n');
  check_mpi(
      MPI_Gatherv(line.data(), mine, MPI_CHAR, all.data(), sizes.data(), offsets.data(), MPI_CHAR, 0, comm_),
      "MPI_Gatherv");
  return all;
}

}  // namespace haloheap::comm
