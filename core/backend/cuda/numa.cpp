// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/numa.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace haloheap::backend {

int device_numa_node() {
  char name[32] = {};
  check(cudaDeviceGetPCIBusId(name, sizeof(name), current_device()), "cudaDeviceGetPCIBusId");
  std::string folder = name;  // sysfs has it in lower case
  std::transform(folder.begin(), folder.end(), folder.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  int node = -1;
  std::ifstream("/sys/bus/pci/devices/" + folder + "/numa_node") >> node;
  return node;
}

}  // namespace haloheap::backend
