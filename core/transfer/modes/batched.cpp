// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/transfer/modes/batched.hpp>
#include <haloheap/core/transfer/modes/copied.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

void add(std::vector<backend::Copy>& copies, Engine direction, const Piece& piece) {
  const std::size_t bytes = piece.contiguous() ? piece.bytes() : piece.row_bytes;
  for (std::size_t done = 0, row = 0; done < piece.bytes(); done += bytes, ++row) {
    std::byte *const host = piece.host + row * piece.host_pitch, *const device = piece.device + done;
    copies.push_back(direction == Engine::h2d ? backend::Copy{device, host, bytes}
                                              : backend::Copy{host, device, bytes});
  }
}

class Batched final : public TwoSided {
 public:
  explicit Batched(const ResourceMaker& resources) : TwoSided(resources, "pinned") {}

  void to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    enqueue_copies(streams, stream, chunk, pieces, Engine::h2d);
  }
  void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    enqueue_copies(streams, stream, chunk, pieces, Engine::d2h);
  }

 private:
  static void enqueue_copies(Streams& streams, int stream, int chunk, std::span<const Piece> pieces,
                             Engine direction) {
    std::vector<backend::Copy> copies;
    std::size_t bytes = 0;
    for (const Piece& piece : pieces) {
      if (direction == Engine::h2d ? !copied_to_device(piece.intent) : !copied_to_host(piece.intent))
        continue;
      add(copies, direction, piece);
      bytes += piece.bytes();
    }
    if (copies.empty()) return;
    streams.enqueue(
        stream, {.engine = direction,
                 .enqueue = [copies](const backend::Exec& exec) { backend::copy_batch_async(exec, copies); },
                 .bytes = bytes,
                 .chunk = chunk});
  }
};

}  // namespace

std::unique_ptr<Mode> make_batched(const ResourceMaker& resources) {
  return std::make_unique<Batched>(resources);
}

std::string batched_missing() {
  const std::string pinned = pinned_missing();
  return pinned.empty() ? backend::copy_batch_unavailable_reason() : pinned;
}

}  // namespace haloheap::transfer::detail
