// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_TWO_SIDED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_TWO_SIDED_HPP

#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/core/transfer/mode.hpp>

#include <deque>

namespace haloheap::transfer::detail {

/// Modes whose operands have memory on either side, and are copied: whole pieces, on the stream that
/// they are for. Some are copied in another way.
class TwoSided : public Mode {
 public:
  /// `host` is the memory resource of the host's side.
  TwoSided(ResourceMaker resources, std::string host)
      : resources_(std::move(resources)), host_(std::move(host)) {}

  const OperandMemory& place(const Layout& layout, Intent intent, const std::string& label) override;
  void to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override;
  void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) override;

 protected:
  struct Held {
    OperandMemory place;
    Layout layout;
    memory::Buffer host, device;
  };
  std::deque<Held>& operands() { return operands_; }

  /// The host's memory for an operand.
  virtual std::string host_resource(Intent /*access*/) const { return host_; }
  /// Whether this object takes the device's side at once; else that is up to begin().
  virtual bool takes_device_memory() const { return true; }

 private:
  ResourceMaker resources_;
  std::string host_;
  std::deque<Held> operands_;  // a deque, so that places stay where they are
};

}  // namespace haloheap::transfer::detail

#endif
