// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_IPC_HPP
#define HALOHEAP_CORE_BACKEND_IPC_HPP

#include <array>
#include <cstddef>

/// Memory that several processes of one node share.
namespace haloheap::backend {

/// An address in a block of memory, for other processes of this node. Trivially copyable: it is sent
/// as bytes, through MPI for instance.
struct IpcHandle {
  std::array<std::byte, 128> bytes{};

  friend bool operator==(const IpcHandle&, const IpcHandle&) = default;
};

/// The handle of `data`, any address inside a block from allocate(MemoryKind::device or shared).
/// \throws CapabilityError when that memory cannot be shared
IpcHandle export_memory(const void* data);

/// Memory of another process, mapped for the device that is current here for as long as this object lives.
/// Handles of one block share one mapping. A handle of this process gives the address that was exported. The
/// exporter must keep the block until nobody maps it any more.
class IpcMapping {
 public:
  /// \throws CapabilityError when this process or device cannot reach the block, or when the block is gone;
  /// UsageError for bytes that are no handle
  explicit IpcMapping(const IpcHandle& handle);
  ~IpcMapping();
  IpcMapping(IpcMapping&& other) noexcept;
  IpcMapping& operator=(IpcMapping&& other) noexcept;
  IpcMapping(const IpcMapping&) = delete;
  IpcMapping& operator=(const IpcMapping&) = delete;

  /// What the exporter calls `data`.
  void* data() const { return data_; }

 private:
  struct Opened;
  friend struct OpenedBlocks;

  void* data_ = nullptr;
  Opened* opened_ = nullptr;  ///< null when the block is this process' own
};

/// For tests: mappings are closed once and shared.
struct IpcCounts {
  std::size_t open = 0;    ///< blocks of other processes that are mapped now
  std::size_t opened = 0;  ///< such blocks that were mapped since the process started
};
IpcCounts ipc_counts();

}  // namespace haloheap::backend

#endif
