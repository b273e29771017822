// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/launch_blocking.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <fstream>
#include <thread>

namespace haloheap::backend {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

}  // namespace

int device_count() {
  return 1;
}

void require_device(int device) {
  if (device >= 0) return;
  throw CapabilityError(fmt::format("there is no device {}: emulated devices are numbered from 0", device),
                        "nothing was made on it", "use device 0, or any higher number");
}

std::string launches_block_reason() {
  return "";
}

CurrentDeviceKeeper::CurrentDeviceKeeper() : device_(0) {}
CurrentDeviceKeeper::~CurrentDeviceKeeper() = default;

DeviceIdentity device_identity() {
  return {};
}

std::string device_description() {
  return fmt::format("emulated device on {}, {} hardware threads", processor_name(),
                     std::thread::hardware_concurrency());
}

}  // namespace haloheap::backend
