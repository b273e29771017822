// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/cuda/device_guard.hpp>
#include <haloheap/core/backend/cuda/page_lock.hpp>
#include <haloheap/core/backend/memory_file.hpp>

#include <fmt/format.h>

#include <cstring>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <string>

namespace haloheap::backend {
namespace {

static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof IpcBlock::key);

/// A function of the driver, which programs are not linked to: they start where there is none.
template <class Function>
Function driver_function(const char* name) {
  constexpr unsigned int version = 12000;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &result), name);
  check(result == cudaDriverEntryPointSuccess ? cudaSuccess : cudaErrorSymbolNotFound, name);
  return reinterpret_cast<Function>(function);
}

CUdeviceptr device_pointer(const void* data) {
  return reinterpret_cast<CUdeviceptr>(data);
}

/// False if the driver does not know the address.
template <class T>
bool pointer_attribute(T& value, CUpointer_attribute attribute, CUdeviceptr data) {
  static const auto get = driver_function<PFN_cuPointerGetAttribute_v4000>("cuPointerGetAttribute");
  return get(&value, attribute, data) == CUDA_SUCCESS;
}

/// Domain, bus and device of the PCI address in one number: device numbers differ between processes.
std::uint32_t pci_address(int device) {
  int domain = 0, bus = 0, slot = 0;
  check(cudaDeviceGetAttribute(&domain, cudaDevAttrPciDomainId, device), "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, device), "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&slot, cudaDevAttrPciDeviceId, device), "cudaDeviceGetAttribute");
  return static_cast<std::uint32_t>(domain) << 16 | static_cast<std::uint32_t>(bus) << 8 |
         static_cast<std::uint32_t>(slot);
}

std::string pci_name(std::uint32_t address) {
  return fmt::format("PCI {:04x}:{:02x}:{:02x}", address >> 16, address >> 8 & 0xff, address & 0xff);
}

[[noreturn]] void refuse_export(const void* data, std::string_view kind) {
  throw CapabilityError(fmt::format("the memory at {} is {} memory, which cannot be shared", data, kind),
                        "other processes cannot map it", "use memory 'device', of Views memory::DeviceSpace");
}

/// Of memory that could be shared, by a driver that shares none: in containers and virtual machines, for
/// example.
[[noreturn]] void refuse_handle(const void* data, int device, cudaError_t status) {
  (void)cudaGetLastError();  // the next unrelated call would report it
  throw CapabilityError(
      fmt::format("device {} ({}) gives the memory at {} no handle for other processes: {}, {}", device,
                  pci_name(pci_address(device)), data, cudaGetErrorName(status), cudaGetErrorString(status)),
      "other processes cannot map it", "use transport pinned, or auto");
}

/// The device of shareable memory. \throws CapabilityError
int device_of(const void* data) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, data);
  if (status == cudaErrorInvalidValue) {
    (void)cudaGetLastError();
    refuse_export(data, "pageable");
  }
  check(status, "cudaPointerGetAttributes");
  if (attributes.type == cudaMemoryTypeHost) refuse_export(data, "pinned");
  if (attributes.type == cudaMemoryTypeManaged) refuse_export(data, "managed");
  if (attributes.type != cudaMemoryTypeDevice) refuse_export(data, "pageable");
  int shareable = 0;
  if (!pointer_attribute(shareable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, device_pointer(data)) ||
      shareable == 0)
    refuse_export(data, "pooled, virtual or foreign device");
  return attributes.device;
}

/// 0 for memory that is not there; real ones are not 0.
std::uint64_t buffer_id(CUdeviceptr data) {
  unsigned long long id = 0;
  return pointer_attribute(id, CU_POINTER_ATTRIBUTE_BUFFER_ID, data) ? id : 0;
}

/// Memory of another process, page-locked for this one's devices.
void* open_file(const IpcBlock& block) {
  void* const base = memory_file::open(block);
  const cudaError_t status = page_lock(base, block.bytes);
  if (status == cudaSuccess) return base;
  memory_file::close(base, block.bytes);
  throw CapabilityError(
      fmt::format("the {} bytes that process {} shares cannot be page-locked here: {}, {}", block.bytes,
                  block.pid, cudaGetErrorName(status), cudaGetErrorString(status)),
      "devices cannot copy from and to them", "use message mode persistent");
}

[[noreturn]] void refuse_mapping(const IpcBlock& block, int device, cudaError_t status) {
  throw CapabilityError(
      fmt::format("device {} ({}) cannot map the memory of process {} on the device {}: {}, {}", device,
                  pci_name(pci_address(device)), block.pid, pci_name(block.device), cudaGetErrorName(status),
                  cudaGetErrorString(status)),
      "its halo cannot be read or written directly",
      "use transport pinned for that neighbour, or auto; keep the block while others use its handle");
}

}  // namespace

IpcBlock find_block(const void* data) {
  if (const auto shared = memory_file::find(data)) return memory_file::describe(*shared, data);
  static const auto address_range = driver_function<PFN_cuMemGetAddressRange_v3020>("cuMemGetAddressRange");
  const int device = device_of(data);
  const DeviceGuard guard(device);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  // Handles are of whole blocks, also when an inner address is asked for.
  check(address_range(&base, &bytes, device_pointer(data)) == CUDA_SUCCESS ? cudaSuccess
                                                                           : cudaErrorInvalidValue,
        "cuMemGetAddressRange");
  cudaIpcMemHandle_t handle{};
  if (const cudaError_t status = cudaIpcGetMemHandle(&handle, reinterpret_cast<void*>(base));
      status != cudaSuccess)
    refuse_handle(data, device, status);
  IpcBlock block;
  block.device = pci_address(device);
  block.id = buffer_id(base);
  block.base = base;
  block.offset = device_pointer(data) - base;
  block.bytes = bytes;
  std::memcpy(block.key.data(), &handle, sizeof handle);
  return block;
}

bool exists(const IpcBlock& block) {
  if (block.in_file != 0) return memory_file::exists(block);
  return block.id != 0 && buffer_id(block.base) == block.id;
}

void* open_block(const IpcBlock& block) {
  if (block.in_file != 0) return open_file(block);
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, block.key.data(), sizeof handle);
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  void* base = nullptr;
  const cudaError_t status = cudaIpcOpenMemHandle(&base, handle, cudaIpcMemLazyEnablePeerAccess);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();  // the next unrelated call would report it
    refuse_mapping(block, device, status);
  }
  return base;
}

void close_block(const IpcBlock& block, void* base, int device) noexcept {
  const DeviceGuard guard(device);
  if (block.in_file != 0) {
    page_unlock(base);
    memory_file::close(base, block.bytes);
    return;
  }
  // The status reports failures of earlier work, or that the program is ending.
  (void)cudaIpcCloseMemHandle(base);
  (void)cudaGetLastError();
}

}  // namespace haloheap::backend
