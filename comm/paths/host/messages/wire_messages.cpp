// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/finalized.hpp>
#include <haloheap/comm/paths/host/messages/wire_messages.hpp>

namespace haloheap::comm::detail {
namespace {

/// Takes the place of a type that it is made of.
void replace(MPI_Datatype& type, MPI_Datatype by) {
  if (type != MPI_BYTE) check_mpi(MPI_Type_free(&type), "MPI_Type_free");
  type = by;
}

MPI_Datatype type_of(const TypedBox& box) {
  grid::Index row = box.element;
  std::size_t dim = 0;
  // What lies in a row is a row of bytes.
  for (; dim < 4 && (box.count[dim] == 1 || box.stride[dim] == row); ++dim) row *= box.count[dim];
  MPI_Datatype type = MPI_BYTE, next = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(row), MPI_BYTE, &next), "MPI_Type_contiguous");
  replace(type, next);
  for (; dim < 4; ++dim) {
    if (box.count[dim] == 1) continue;
    check_mpi(MPI_Type_create_hvector(static_cast<int>(box.count[dim]), 1,
                                      static_cast<MPI_Aint>(box.stride[dim]), type, &next),
              "MPI_Type_create_hvector");
    replace(type, next);
  }
  return type;
}

}  // namespace

Datatype::Datatype(const std::vector<TypedBox>& boxes) {
  std::vector<int> ones(boxes.size(), 1);
  std::vector<MPI_Aint> firsts;
  std::vector<MPI_Datatype> types;
  for (const TypedBox& box : boxes) {
    firsts.push_back(static_cast<MPI_Aint>(box.first));
    types.push_back(type_of(box));
  }
  check_mpi(MPI_Type_create_struct(static_cast<int>(boxes.size()), ones.data(), firsts.data(), types.data(),
                                   &type_),
            "MPI_Type_create_struct");
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  for (MPI_Datatype& type : types) check_mpi(MPI_Type_free(&type), "MPI_Type_free");
}

Datatype::~Datatype() {
  if (type_ != MPI_DATATYPE_NULL && !finalized()) MPI_Type_free(&type_);
}

WireMessages::WireMessages(const MessageSetup& setup)
    : messages_(setup.messages), send_(setup.send), receive_(setup.receive) {
  for (const TypedMessage& message : setup.typed) {
    send_types_.emplace_back(message.send);
    receive_types_.emplace_back(message.receive);
  }
}

WirePart WireMessages::send(std::size_t message) const {
  if (!send_types_.empty()) return {send_, 1, send_types_[message].get()};
  const MessageBytes& bytes = messages_[message];
  return {send_ + bytes.send_offset, static_cast<int>(bytes.send_bytes), MPI_BYTE};
}

WirePart WireMessages::receive(std::size_t message) const {
  if (!receive_types_.empty()) return {receive_, 1, receive_types_[message].get()};
  const MessageBytes& bytes = messages_[message];
  return {receive_ + bytes.receive_offset, static_cast<int>(bytes.receive_bytes), MPI_BYTE};
}

}  // namespace haloheap::comm::detail
