// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_ONE_SIDED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_ONE_SIDED_HPP

#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/core/transfer/mode.hpp>

#include <deque>

namespace haloheap::transfer::detail {

/// Modes whose operands have one memory, which host and kernels use. Nothing is copied but by its use.
class OneSided : public Mode {
 public:
  OneSided(ResourceMaker resources, std::string memory)
      : resources_(std::move(resources)), memory_(std::move(memory)) {}

  const OperandMemory& place(const Layout& layout, Intent /*access*/, const std::string& label) override {
    memory::Buffer block(resources_(memory_), layout.host_bytes(), label);
    const OperandMemory place{block.data(), block.data(), layout.host_pitch};
    return operands_.emplace_back(place, std::move(block)).first;
  }
  void to_device(Streams&, int, int, std::span<const Piece>) override {}
  void to_host(Streams&, int, int, std::span<const Piece>) override {}
  bool kernels_read_host() const override { return true; }
  bool kernels_write_host() const override { return true; }

 private:
  ResourceMaker resources_;
  std::string memory_;
  std::deque<std::pair<OperandMemory, memory::Buffer>>
      operands_;  // a deque, so that places stay where they are
};

}  // namespace haloheap::transfer::detail

#endif
