// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_COMMUNICATOR_HPP
#define HALOHEAP_COMM_COMMUNICATOR_HPP

#include <mpi.h>

#include <string>

namespace haloheap::comm {

/// Throws CommunicationError if an MPI call did not succeed.
void check_mpi(int status, const char* call);

/// A communicator of our own: duplicated, so that no message of the application can be mistaken for one of
/// ours, and with errors returned, so that they become exceptions.
class Communicator {
 public:
  /// Collective over `parent`.
  explicit Communicator(MPI_Comm parent);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// The ranks that share memory with this one. Collective.
  Communicator node() const;
  /// The ranks that gave the same colour. Collective.
  Communicator split(int colour) const;

  /// Never to be given back to MPI: for one that still holds messages which nobody will receive, as MPI could
  /// hand them to the next communicator.
  void abandon() { comm_ = MPI_COMM_NULL; }
  /// The same for who only borrows it, and has begun on it what not all ranks have come to: it may be used
  /// on, but is not given back in the end.
  void leave_open() const { open_ = true; }

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  void barrier() const;
  /// The same, in a run that a silent rank must not hold up for ever.
  /// @throws CommunicationError if not all ranks have come within `timeout` seconds
  void barrier(double timeout) const;
  double max(double value) const;
  double sum(double value) const;
  bool all(bool value) const;
  /// One line a rank, on rank 0 (empty elsewhere), joined by newlines.
  std::string gather_lines(const std::string& line) const;
  /// The text of `root` on all ranks.
  std::string broadcast(const std::string& text, int root) const;

 private:
  struct Owned {
    MPI_Comm comm;
  };
  explicit Communicator(Owned owned);
  double reduce(double value, MPI_Op operation) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  mutable bool open_ = false;
};

}  // namespace haloheap::comm

#endif
