// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_DEVICE_MESSAGES_HPP
#define HALOHEAP_CORE_BACKEND_DEVICE_MESSAGES_HPP

#include <haloheap/core/backend/instance.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::backend {

/// Why this build has no DeviceMessages; empty if it has.
std::string device_messages_unavailable_reason();

/// Messages between the devices of several processes, by a library of the vendor (NCCL) that enqueues them as
/// kernels. Calls of one object must not overlap, `failure` and `abort` aside.
class DeviceMessages {
 public:
  /// What the ranks of one group have in common; one of them makes it.
  using Id = std::array<char, 128>;

  /// What this rank and another send each other; either part may be empty.
  struct Message {
    int peer;
    const std::byte* send;
    std::size_t send_bytes;
    std::byte* receive;
    std::size_t receive_bytes;
  };

  /// To be called before all others: the library reads the environment once, and NVLink multicast stays off.
  /// \throws CapabilityError if the environment switches it on
  static void keep_multicast_off();
  /// \throws CommunicationError if the library fails
  static Id make_id();

  /// Collective of so many ranks, each with a device of its own, which is the current one.
  /// \throws CapabilityError where device_messages_unavailable_reason(); CommunicationError if the library
  /// fails
  DeviceMessages(const Id& id, int ranks, int rank);
  /// Not before all messages have arrived, unless after `abort`.
  ~DeviceMessages();
  DeviceMessages(const DeviceMessages&) = delete;
  DeviceMessages& operator=(const DeviceMessages&) = delete;

  /// Enqueues all of them at once; all peers must enqueue theirs.
  /// \throws CommunicationError if the library fails
  void enqueue(const Exec& exec, const std::vector<Message>& messages);
  /// What has gone wrong since; empty if nothing has. Never blocks.
  std::string failure() const;
  /// Gives up messages that are under way. Nothing may be enqueued after this.
  void abort();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloheap::backend

#endif
