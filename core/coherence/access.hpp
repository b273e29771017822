// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ACCESS_HPP
#define HALOHEAP_CORE_COHERENCE_ACCESS_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/rect.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace haloheap::coherence {

/// A memory of the node: the host's, or that of a device.
using Memory = int;
inline constexpr Memory host = 0;
constexpr Memory memory_of_device(int device) {
  return device + 1;
}
constexpr int device_of(Memory memory) {
  return memory - 1;
}

/// Of a device: as many queues of kernels at most.
inline constexpr int max_instances = 8;

/// What is done with the elements. `write` promises that every element is written: what was in them before is
/// not brought. Who writes some of them only asks for read_write.
enum class Access { read, write, read_write };

constexpr bool reads(Access access) {
  return access != Access::write;
}
constexpr bool writes(Access access) {
  return access != Access::read;
}
constexpr std::string_view to_string(Access access) {
  return access == Access::read ? "read" : access == Access::write ? "write" : "read_write";
}

/// There is no room for a device copy, whatever else is removed.
class DeviceFull : public OutOfMemory {
 public:
  DeviceFull(std::size_t needed, std::size_t freeable, const std::string& cause,
             const std::string& consequence, const std::string& remedy)
      : OutOfMemory(needed, cause, consequence, remedy), freeable_(freeable) {}

  std::size_t needed() const noexcept { return bytes(); }
  std::size_t freeable() const noexcept { return freeable_; }  ///< bytes that no use holds

 private:
  std::size_t freeable_;
};

namespace detail {

using ObjectId = int;  ///< a container
using CopyId = int;    ///< a copy of a container, or of a part of it, in one memory
inline constexpr CopyId no_copy = -1;

/// A wish to use the elements of `rect` in a memory.
struct Request {
  ObjectId object = 0;
  Rect rect;
  Memory memory = host;
  Access access = Access::read;
  int instance = 0;  ///< of the device: in whose queue the kernels stand that use them
};

}  // namespace detail
}  // namespace haloheap::coherence

#endif
