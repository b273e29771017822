// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODE_HPP
#define HALOHEAP_CORE_TRANSFER_MODE_HPP

#include <haloheap/core/base/registry.hpp>
#include <haloheap/core/memory/resource.hpp>
#include <haloheap/core/transfer/streams.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace haloheap::transfer {

/// What kernels do with an operand.
enum class Intent { in, out, in_out };

inline bool copied_to_device(Intent intent) {
  return intent != Intent::out;
}
inline bool copied_to_host(Intent intent) {
  return intent != Intent::in;
}

/// Rows of bytes. On the host they may lie apart, as those of a sub-block of a matrix do; on the device they
/// are side by side, unless kernels use the host's memory.
struct Layout {
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  std::size_t host_pitch = 0;  ///< bytes from row to row on the host, at least row_bytes

  std::size_t host_bytes() const { return rows == 0 ? 0 : (rows - 1) * host_pitch + row_bytes; }
  std::size_t device_bytes() const { return rows * row_bytes; }
};

/// An operand's memory on both sides.
struct OperandMemory {
  std::byte* host = nullptr;
  std::byte* device = nullptr;  ///< what kernels use, from the mode's begin() to its end()
  std::size_t device_pitch = 0;
};

/// Rows of one operand that are copied together.
struct Piece {
  std::byte* host = nullptr;
  std::byte* device = nullptr;
  std::size_t rows = 0, row_bytes = 0, host_pitch = 0;
  Intent intent = Intent::in_out;

  std::size_t bytes() const { return rows * row_bytes; }
  bool contiguous() const { return host_pitch == row_bytes || rows == 1; }
};

/// Makes memory resources by name; none: make_memory_resource does (memory/registry.hpp).
using ResourceMaker = std::function<std::shared_ptr<memory::MemoryResource>(const std::string& name)>;

/// A way to copy operands between host and device: who takes which memory, and what is enqueued where.
class Mode {
 public:
  virtual ~Mode() = default;
  Mode() = default;
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

  /// Takes the memory of an operand. The answer stays, and with it the memory, until this object goes.
  /// \throws OutOfMemory
  virtual const OperandMemory& place(const Layout& layout, Intent intent, const std::string& label) = 0;

  /// Before a run, and in its time: what some modes must do each time, and others once.
  virtual void begin(Streams& /*streams*/) {}
  /// The pieces of one chunk, one of each operand. Those that are not copied in this direction are left out.
  virtual void to_device(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) = 0;
  virtual void to_host(Streams& streams, int stream, int chunk, std::span<const Piece> pieces) = 0;
  /// After the last operation was enqueued, in the run's time.
  virtual void end(Streams& /*streams*/) {}

  /// Whether to_device and to_host wait for what is enqueued before them, as copies from and to pageable
  /// memory do.
  virtual bool host_waits() const { return false; }
  /// What kernels themselves move over the link, of what is copied in that direction.
  virtual bool kernels_read_host() const { return false; }
  virtual bool kernels_write_host() const { return false; }
  /// Whether a run is recorded once, and replayed.
  virtual bool recorded() const { return false; }
};

/// How a mode's bytes move.
enum class Movement {
  copies,      ///< between the host's memory and a copy on the device
  pages_sent,  ///< pages of memory with one address are sent ahead
  on_touch,    ///< such pages move to who touches them
  in_place,    ///< not: kernels reach the host's memory
};

/// A mode as the registry knows it.
struct ModeEntry {
  std::string name;
  std::string help;
  std::string (*unavailable_reason)();  ///< asks the device: Kokkos must be initialised
  std::unique_ptr<Mode> (*make)(const ResourceMaker& resources);
  std::string nearest;        ///< what comes closest to it where it is missing
  std::string memory;         ///< the resource of the host's side, as a run's need of memory is counted
  bool kernels_reach = true;  ///< that memory
  bool whole_runs = false;    ///< what is particular about it belongs to whole runs, not to single copies
  Movement movement = Movement::copies;
};

/// All modes, also those that are missing here. A new one is a file pair in modes/ and a line in
/// mode_list.cpp.
const Registry<ModeEntry>& modes();

/// \throws UsageError for a name that there is not; CapabilityError for a mode that is missing here, with the
/// attribute that it needs and the nearest mode that works
std::unique_ptr<Mode> make_mode(std::string_view name, const ResourceMaker& resources = {});

}  // namespace haloheap::transfer

#endif
