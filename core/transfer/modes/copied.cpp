// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/transfer/modes/copied.hpp>
#include <haloheap/core/transfer/modes/two_sided.hpp>

namespace haloheap::transfer::detail {
namespace {

class Pageable final : public TwoSided {
 public:
  explicit Pageable(const ResourceMaker& resources) : TwoSided(resources, "pageable") {}
  bool host_waits() const override { return true; }
};

class Pinned : public TwoSided {
 public:
  explicit Pinned(const ResourceMaker& resources) : TwoSided(resources, "pinned") {}
};

class WriteCombined final : public Pinned {
 public:
  using Pinned::Pinned;
  std::string host_resource(Intent intent) const override {
    return copied_to_host(intent) ? "pinned" : "write_combined";  // the host is to read the rest
  }
};

class Recorded final : public Pinned {
 public:
  using Pinned::Pinned;
  bool recorded() const override { return true; }
};

}  // namespace

std::unique_ptr<Mode> make_pageable(const ResourceMaker& resources) {
  return std::make_unique<Pageable>(resources);
}
std::unique_ptr<Mode> make_pinned(const ResourceMaker& resources) {
  return std::make_unique<Pinned>(resources);
}
std::unique_ptr<Mode> make_write_combined(const ResourceMaker& resources) {
  return std::make_unique<WriteCombined>(resources);
}
std::unique_ptr<Mode> make_graph(const ResourceMaker& resources) {
  return std::make_unique<Recorded>(resources);
}

std::string pinned_missing() {
  return backend::unavailable_reason(backend::MemoryKind::pinned);
}

}  // namespace haloheap::transfer::detail
