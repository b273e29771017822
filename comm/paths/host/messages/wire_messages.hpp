// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_WIRE_MESSAGES_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_WIRE_MESSAGES_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

#include <utility>
#include <vector>

namespace haloheap::comm::detail {

/// An MPI datatype for boxes of a buffer: vectors of vectors, as [Valen2023] has them in section 3.3.1.
class Datatype {
 public:
  explicit Datatype(const std::vector<TypedBox>& boxes);
  ~Datatype();
  Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Datatype& operator=(Datatype&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// What MPI is told of the values of a message.
struct WirePart {
  std::byte* data;
  int count;
  MPI_Datatype type;
};

/// The messages of a round: rows of bytes, or datatypes.
class WireMessages {
 public:
  explicit WireMessages(const MessageSetup& setup);

  WirePart send(std::size_t message) const;
  WirePart receive(std::size_t message) const;

 private:
  RoundBytes messages_;
  std::byte *send_, *receive_;
  std::vector<Datatype> send_types_, receive_types_;  // none: bytes
};

}  // namespace haloheap::comm::detail

#endif
