// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device_state.hpp>

#include <fmt/format.h>

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace haloheap::backend {
namespace {

/// The driver's management library, opened while a program runs: it comes with the driver, so that no build
/// needs it. Names and numbers are those of nvml.h.
class Nvml {
 public:
  Nvml() : library_(::dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    if (!library_) return;
    ready_ = call<int()>("nvmlInit_v2");
  }
  ~Nvml() {
    if (ready_) call<int()>("nvmlShutdown");
    if (library_) ::dlclose(library_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Whether the library has the function and it succeeded.
  template <class Signature, class... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Signature*>(::dlsym(library_, name));
    return function && function(arguments...) == 0;
  }

  bool ready() const { return ready_; }

 private:
  void* library_;
  bool ready_ = false;
};

using Device = void*;
constexpr int sm = 1, memory = 2;
// Reasons for a lower clock: limits of power, heat and the power supply.
constexpr unsigned long long slowed = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

/// "SM 1980 of 1980 MHz"
std::string clock(const Nvml& nvml, Device device, const char* name, int kind) {
  unsigned now = 0, max = 0;
  if (!nvml.call<int(Device, int, unsigned*)>("nvmlDeviceGetClockInfo", device, kind, &now) ||
      !nvml.call<int(Device, int, unsigned*)>("nvmlDeviceGetMaxClockInfo", device, kind, &max))
    return "";
  return fmt::format("{} {} of {} MHz", name, now, max);
}

std::string clocks(const Nvml& nvml) {
  int ordinal = 0;
  char address[32] = "";
  Device device = nullptr;
  if (cudaGetDevice(&ordinal) != cudaSuccess ||
      cudaDeviceGetPCIBusId(address, sizeof address, ordinal) != cudaSuccess ||
      !nvml.call<int(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2",
                                            static_cast<const char*>(address), &device))
    return "";
  const std::string of_sm = clock(nvml, device, "SM", sm), of_memory = clock(nvml, device, "memory", memory);
  if (of_sm.empty() || of_memory.empty()) return "";
  unsigned long long reasons = 0;
  const bool known = nvml.call<int(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons",
                                                                 device, &reasons);
  return of_sm + ", " + of_memory + (known && reasons & slowed ? ", slowed by power or heat" : "");
}

}  // namespace

DeviceState device_state() {
  const Nvml nvml;
  DeviceState state;
  if (!nvml.ready()) return state;
  char version[96] = "";
  if (nvml.call<int(char*, unsigned)>("nvmlSystemGetDriverVersion", static_cast<char*>(version),
                                      static_cast<unsigned>(sizeof version)))
    state.driver = version;
  state.clocks = clocks(nvml);
  return state;
}

}  // namespace haloheap::backend
