// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device_messages.hpp>
#include <haloheap/core/base/error.hpp>

namespace haloheap::backend {
namespace {

[[noreturn]] void refuse() {
  throw CapabilityError(device_messages_unavailable_reason(), "devices cannot pass messages by themselves",
                        "configure a build for NVIDIA GPUs with -DHALOHEAP_ENABLE_NCCL=ON");
}

}  // namespace

std::string device_messages_unavailable_reason() {
  return "NCCL is not in this build";
}

struct DeviceMessages::Impl {};

void DeviceMessages::keep_multicast_off() {
  refuse();
}

DeviceMessages::Id DeviceMessages::make_id() {
  refuse();
}

DeviceMessages::DeviceMessages(const Id& /*id*/, int /*ranks*/, int /*rank*/) {
  refuse();
}

// None is ever made, so that none is asked for any of this.
DeviceMessages::~DeviceMessages() = default;

void DeviceMessages::enqueue(const Exec& /*exec*/, const std::vector<Message>& /*messages*/) {
  refuse();
}

std::string DeviceMessages::failure() const {
  return device_messages_unavailable_reason();
}

void DeviceMessages::abort() {
  refuse();
}

}  // namespace haloheap::backend
