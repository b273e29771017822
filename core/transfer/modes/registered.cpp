// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/page_lock.hpp>
#include <haloheap/core/transfer/modes/registered.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

class Registered final : public TwoSided {
 public:
  explicit Registered(const ResourceMaker& resources) : TwoSided(resources, "pageable") {}

  void begin(Streams& streams) override {
    for (const Held& held : operands()) {
      if (held.host.bytes() == 0) continue;  // the driver refuses to lock nothing
      streams.on_host(held.host.bytes(), [&] {
        locks_.emplace_back(held.host.data(), held.host.bytes(), "haloheap::transfer::registered");
      });
    }
  }
  void end(Streams& streams) override {
    streams.finish();
    streams.on_host(0, [&] { locks_.clear(); });
  }

 private:
  std::deque<backend::PageLock> locks_;
};

}  // namespace

std::unique_ptr<Mode> make_registered(const ResourceMaker& resources) {
  return std::make_unique<Registered>(resources);
}

}  // namespace haloheap::transfer::detail
