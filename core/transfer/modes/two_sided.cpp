// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

void copy_h2d(const backend::Exec& exec, const Piece& piece) {
  if (piece.contiguous()) return backend::copy_async(exec, piece.device, piece.host, piece.bytes());
  backend::copy_rows_async(exec, piece.device, piece.row_bytes, piece.host, piece.host_pitch, piece.row_bytes,
                           piece.rows);
}

void copy_d2h(const backend::Exec& exec, const Piece& piece) {
  if (piece.contiguous()) return backend::copy_async(exec, piece.host, piece.device, piece.bytes());
  backend::copy_rows_async(exec, piece.host, piece.host_pitch, piece.device, piece.row_bytes, piece.row_bytes,
                           piece.rows);
}

}  // namespace

const OperandMemory& TwoSided::place(const Layout& layout, Intent intent, const std::string& label) {
  Held held{{}, layout, memory::Buffer(resources_(host_resource(intent)), layout.host_bytes(), label), {}};
  if (takes_device_memory())
    held.device = memory::Buffer(resources_("device"), layout.device_bytes(), label + " on the device");
  held.place = {held.host.data(), held.device.data(), layout.row_bytes};
  return operands_.emplace_back(std::move(held)).place;
}

void TwoSided::to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces)
    if (copied_to_device(piece.intent))
      streams.enqueue(stream, {.engine = Engine::h2d,
                               .enqueue = [piece](const backend::Exec& exec) { copy_h2d(exec, piece); },
                               .bytes = piece.bytes(),
                               .blocks = host_waits(),
                               .chunk = chunk});
}

void TwoSided::to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces)
    if (copied_to_host(piece.intent))
      streams.enqueue(stream, {.engine = Engine::d2h,
                               .enqueue = [piece](const backend::Exec& exec) { copy_d2h(exec, piece); },
                               .bytes = piece.bytes(),
                               .blocks = host_waits(),
                               .chunk = chunk});
}

}  // namespace haloheap::transfer::detail
