// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/copy_team.hpp>
#include <haloheap/core/transfer/modes/staged.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

#include <algorithm>
#include <array>

namespace haloheap::transfer::detail {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{2} << 20;

/// Calls f(host, offset, bytes) for each run of bytes of the host in a slice: `bytes` bytes of a piece from
/// `offset` on, counted as on the device.
template <class F>
void for_runs(const Piece& piece, std::size_t offset, std::size_t bytes, const F& f) {
  const std::size_t row_bytes = piece.contiguous() ? piece.bytes() : piece.row_bytes;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t row = (offset + done) / row_bytes, in_row = (offset + done) % row_bytes;
    const std::size_t run = std::min(bytes - done, row_bytes - in_row);
    f(piece.host + row * piece.host_pitch + in_row, done, run);
    done += run;
  }
}

class Staged final : public TwoSided {
 public:
  explicit Staged(const ResourceMaker& resources) : TwoSided(resources, "pageable") {
    for (auto* buffers : {&h2d_, &d2h_})
      for (memory::Buffer& buffer : *buffers)
        buffer = memory::Buffer(resources("pinned"), buffer_bytes, "haloheap::transfer::staged");
  }

  bool host_waits() const override { return true; }
  void to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    for (const Piece& piece : pieces)
      for (std::size_t offset = 0; copied_to_device(piece.intent) && offset < piece.bytes();
           offset += buffer_bytes)
        send(streams, stream, chunk, piece, offset);
  }

  void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    for (const Piece& piece : pieces)
      for (std::size_t offset = 0; copied_to_host(piece.intent) && offset < piece.bytes();
           offset += buffer_bytes)
        fetch(streams, stream, chunk, piece, offset);
  }

  void end(Streams& streams) override {
    for (unsigned i = 0; i < 2; ++i) empty(streams, next_d2h_++ % 2);
  }

 private:
  /// On its way to the host: what a buffer will hold when its mark is reached.
  struct Fetched {
    Piece piece;
    std::size_t offset = 0, bytes = 0;
  };
  static int h2d_slot(unsigned i) { return static_cast<int>(i); }
  static int d2h_slot(unsigned i) { return static_cast<int>(2 + i); }

  void send(Streams& streams, int stream, int chunk, const Piece& piece, std::size_t offset) {
    const unsigned i = next_h2d_++ % 2;
    const std::size_t bytes = std::min(buffer_bytes, piece.bytes() - offset);
    std::byte *const buffer = h2d_[i].data(), *const device = piece.device + offset;
    streams.await(h2d_slot(i));
    streams.on_host(bytes, [&] {
      for_runs(piece, offset, bytes, [&](const std::byte* host, std::size_t done, std::size_t run) {
        team_.copy(buffer + done, host, run);
      });
    });
    streams.enqueue(
        stream,
        {.engine = Engine::h2d,
         .enqueue = [=](const backend::Exec& exec) { backend::copy_async(exec, device, buffer, bytes); },
         .bytes = bytes,
         .chunk = chunk});
    streams.mark(stream, h2d_slot(i));
  }

  void fetch(Streams& streams, int stream, int chunk, const Piece& piece, std::size_t offset) {
    const unsigned i = next_d2h_++ % 2;
    empty(streams, i);
    const std::size_t bytes = std::min(buffer_bytes, piece.bytes() - offset);
    std::byte *const buffer = d2h_[i].data(), *const device = piece.device + offset;
    streams.enqueue(
        stream,
        {.engine = Engine::d2h,
         .enqueue = [=](const backend::Exec& exec) { backend::copy_async(exec, buffer, device, bytes); },
         .bytes = bytes,
         .chunk = chunk});
    streams.mark(stream, d2h_slot(i));
    fetched_[i] = {piece, offset, bytes};
  }

  void empty(Streams& streams, unsigned i) {
    const auto [piece, offset, bytes] = fetched_[i];
    if (bytes == 0) return;
    const std::byte* const buffer = d2h_[i].data();
    streams.await(d2h_slot(i));
    streams.on_host(bytes, [&, &piece = piece, &offset = offset, &bytes = bytes] {
      for_runs(piece, offset, bytes, [&](std::byte* host, std::size_t done, std::size_t run) {
        team_.copy(host, buffer + done, run);
      });
    });
    fetched_[i] = {};
  }

  base::CopyTeam team_;
  std::array<memory::Buffer, 2> h2d_, d2h_;
  std::array<Fetched, 2> fetched_;
  unsigned next_h2d_ = 0, next_d2h_ = 0;
};

}  // namespace

std::unique_ptr<Mode> make_staged(const ResourceMaker& resources) {
  return std::make_unique<Staged>(resources);
}

}  // namespace haloheap::transfer::detail
