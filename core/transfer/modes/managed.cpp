// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/migration.hpp>
#include <haloheap/core/transfer/modes/managed.hpp>
#include <haloheap/core/transfer/modes/one_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

constexpr std::size_t page = 4096;

/// From the first row to the last.
std::size_t extent(const Piece& piece) {
  return (piece.rows - 1) * piece.host_pitch + piece.row_bytes;
}

void touch(const Piece& piece) {
  const volatile std::byte* const data = piece.host;
  for (std::size_t at = 0; at < extent(piece); at += page) (void)data[at];
  (void)data[extent(piece) - 1];
}

class Managed final : public OneSided {
 public:
  explicit Managed(const ResourceMaker& resources) : OneSided(resources, "managed") {}

  /// The host fetches the result, page by page, when the kernel is through.
  void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    for (const Piece& piece : pieces)
      if (copied_to_host(piece.intent))
        streams.enqueue(stream, {.engine = Engine::d2h,
                                 .enqueue =
                                     [piece](const backend::Exec& exec) {
                                       backend::fence(exec, "haloheap::transfer::managed");
                                       touch(piece);
                                     },
                                 .bytes = piece.bytes(),
                                 .blocks = true,
                                 .chunk = chunk});
  }
  bool host_waits() const override { return true; }
  bool kernels_write_host() const override { return false; }
};

class ManagedPrefetch final : public OneSided {
 public:
  explicit ManagedPrefetch(const ResourceMaker& resources) : OneSided(resources, "managed") {}

  /// Also what kernels only write: its pages would move on their first use.
  void to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    for (const Piece& piece : pieces) send(streams, stream, chunk, piece, Engine::h2d, backend::Side::device);
  }
  void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override {
    for (const Piece& piece : pieces)
      if (copied_to_host(piece.intent)) send(streams, stream, chunk, piece, Engine::d2h, backend::Side::host);
  }
  bool kernels_read_host() const override { return false; }
  bool kernels_write_host() const override { return false; }

 private:
  static void send(Streams& streams, int stream, int chunk, const Piece& piece, Engine engine,
                   backend::Side side) {
    streams.enqueue(stream, {.engine = engine,
                             .enqueue =
                                 [piece, side](const backend::Exec& exec) {
                                   backend::prefetch_async(exec, piece.host, extent(piece), side);
                                 },
                             .bytes = piece.bytes(),
                             .chunk = chunk});
  }
};

class ManagedAdvise final : public OneSided {
 public:
  explicit ManagedAdvise(const ResourceMaker& resources) : OneSided(resources, "managed") {}

  const OperandMemory& place(const Layout& layout, Intent intent, const std::string& label) override {
    const OperandMemory& place = OneSided::place(layout, intent, label);
    if (layout.host_bytes() > 0) backend::keep_on_host(place.host, layout.host_bytes());
    return place;
  }
};

}  // namespace

std::unique_ptr<Mode> make_managed(const ResourceMaker& resources) {
  return std::make_unique<Managed>(resources);
}
std::unique_ptr<Mode> make_managed_prefetch(const ResourceMaker& resources) {
  return std::make_unique<ManagedPrefetch>(resources);
}
std::unique_ptr<Mode> make_managed_advise(const ResourceMaker& resources) {
  return std::make_unique<ManagedAdvise>(resources);
}

std::string managed_missing() {
  return backend::unavailable_reason(backend::MemoryKind::managed);
}

std::string prefetch_missing() {
  const std::string managed = managed_missing();
  return managed.empty() ? backend::prefetch_unavailable_reason() : managed;
}

}  // namespace haloheap::transfer::detail
