// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/device_guard.hpp>
#include <haloheap/core/backend/device_messages.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <nccl.h>

namespace haloheap::backend {
namespace {

void check(ncclResult_t status, const char* call) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  throw CommunicationError(
      fmt::format("{} failed: {} ({})", call, ncclGetErrorString(status), ncclGetLastError(nullptr)),
      "no halo can be exchanged", "set NCCL_DEBUG=WARN in the environment to see more");
}

}  // namespace

std::string device_messages_unavailable_reason() {
  return "";
}

struct DeviceMessages::Impl {
  int device = current_device();
  ncclComm_t comm = nullptr;
};

void DeviceMessages::keep_multicast_off() {
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const std::string value = std::getenv("NCCL_NVLS_ENABLE");
  if (value != "0")
    throw CapabilityError(
        fmt::format("NCCL_NVLS_ENABLE is '{}' in the environment, and transport 'nccl' runs only with NVLink "
                    "multicast off",
                    value),
        "", "unset NCCL_NVLS_ENABLE, or set it to 0");
}

DeviceMessages::Id DeviceMessages::make_id() {
  ncclUniqueId made{};
  check(ncclGetUniqueId(&made), "ncclGetUniqueId");
  Id id;
  static_assert(sizeof id == sizeof made);
  std::memcpy(id.data(), &made, sizeof made);
  return id;
}

DeviceMessages::DeviceMessages(const Id& id, int ranks, int rank) : impl_(std::make_unique<Impl>()) {
  ncclUniqueId common{};
  std::memcpy(&common, id.data(), sizeof common);
  check(ncclCommInitRank(&impl_->comm, ranks, common, rank), "ncclCommInitRank");
}

DeviceMessages::~DeviceMessages() {
  if (impl_->comm != nullptr) ncclCommDestroy(impl_->comm);
}

void DeviceMessages::enqueue(const Exec& exec, const std::vector<Message>& messages) {
  check(ncclGroupStart(), "ncclGroupStart");
  for (const Message& message : messages) {
    if (message.send_bytes > 0)
      check(
          ncclSend(message.send, message.send_bytes, ncclInt8, message.peer, impl_->comm, exec.cuda_stream()),
          "ncclSend");
    if (message.receive_bytes > 0)
      check(ncclRecv(message.receive, message.receive_bytes, ncclInt8, message.peer, impl_->comm,
                     exec.cuda_stream()),
            "ncclRecv");
  }
  check(ncclGroupEnd(), "ncclGroupEnd");
}

std::string DeviceMessages::failure() const {
  ncclResult_t status = ncclSuccess;
  ncclCommGetAsyncError(impl_->comm, &status);
  if (status == ncclSuccess || status == ncclInProgress) return "";
  return fmt::format("{} ({})", ncclGetErrorString(status), ncclGetLastError(impl_->comm));
}

void DeviceMessages::abort() {
  const DeviceGuard guard(impl_->device);
  ncclCommAbort(impl_->comm);
  impl_->comm = nullptr;
}

}  // namespace haloheap::backend
