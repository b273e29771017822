// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer {
namespace {

void copy_up(const backend::Exec& exec, const Piece& piece) {
  if (piece.contiguous()) return backend::copy_async(exec, piece.device, piece.host, piece.bytes());
  backend::copy_rows_async(exec, piece.device, piece.row_bytes, piece.host, piece.host_pitch, piece.row_bytes,
                           piece.rows);
}

void copy_down(const backend::Exec& exec, const Piece& piece) {
  if (piece.contiguous()) return backend::copy_async(exec, piece.host, piece.device, piece.bytes());
  backend::copy_rows_async(exec, piece.host, piece.host_pitch, piece.device, piece.row_bytes, piece.row_bytes,
                           piece.rows);
}

}  // namespace

const Place& TwoSided::place(const Layout& layout, Access access, const std::string& label) {
  Held held{{}, layout, Block(resources_(host_resource(access)), layout.host_bytes(), label), {}};
  if (takes_device_memory())
    held.device = Block(resources_("device"), layout.device_bytes(), label + " on the device");
  held.place = {held.host.data(), held.device.data(), layout.row_bytes};
  return operands_.emplace_back(std::move(held)).place;
}

void TwoSided::up(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces)
    if (travels_up(piece.access))
      streams.enqueue(stream, {.engine = Engine::up,
                               .enqueue = [piece](const backend::Exec& exec) { copy_up(exec, piece); },
                               .bytes = piece.bytes(),
                               .blocks = host_waits(),
                               .chunk = chunk});
}

void TwoSided::down(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces)
    if (travels_down(piece.access))
      streams.enqueue(stream, {.engine = Engine::down,
                               .enqueue = [piece](const backend::Exec& exec) { copy_down(exec, piece); },
                               .bytes = piece.bytes(),
                               .blocks = host_waits(),
                               .chunk = chunk});
}

}  // namespace haloheap::transfer
