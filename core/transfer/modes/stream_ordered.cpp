// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/stream_memory.hpp>
#include <haloheap/core/transfer/modes/copied.hpp>
#include <haloheap/core/transfer/modes/stream_ordered.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

/// The first stream takes the memory; the others wait for it, and it for them in the end.
class StreamOrdered final : public TwoSided {
 public:
  explicit StreamOrdered(const ResourceMaker& resources) : TwoSided(resources, "pinned") {}

  bool takes_device_memory() const override { return false; }

  void begin(Streams& streams) override {
    for (Held& held : operands())
      held.place.device = static_cast<std::byte*>(backend::allocate_async(
          streams.exec(0), held.layout.device_bytes(), "haloheap::transfer::stream_ordered"));
    for (int stream = 1; stream < streams.count(); ++stream) streams.order(0, stream);
  }
  void end(Streams& streams) override {
    for (int stream = 1; stream < streams.count(); ++stream) streams.order(stream, 0);
    for (const Held& held : operands())
      streams.after(0, [data = held.place.device, bytes = held.layout.device_bytes()](
                           const backend::Exec& exec) { backend::deallocate_async(exec, data, bytes); });
  }
};

}  // namespace

std::unique_ptr<Mode> make_stream_ordered(const ResourceMaker& resources) {
  return std::make_unique<StreamOrdered>(resources);
}

std::string stream_ordered_missing() {
  const std::string pinned = pinned_missing();
  return pinned.empty() ? backend::stream_memory_unavailable_reason() : pinned;
}

}  // namespace haloheap::transfer::detail
