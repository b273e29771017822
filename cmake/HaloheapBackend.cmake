# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# The folder of core/backend/ that stands for the device, by the devices that Kokkos has.

# haloheap_refuse_devices(): ends the configuration if Kokkos has, or is asked for, a device without a backend. Kernels
# would run on it, and haloheap would treat it as the host.
function(haloheap_refuse_devices)
  foreach(device HIP SYCL OPENMPTARGET OPENACC)
    if(Kokkos_ENABLE_${device} OR device IN_LIST Kokkos_DEVICES)
      string(TOLOWER ${device} _folder)
      message(FATAL_ERROR "Kokkos has the device ${device}, for which haloheap has no backend: memory, queues and signals of such "
                          "devices are unknown to it. Take a Kokkos with CUDA or one without a device, or write "
                          "core/backend/${_folder}/ (see CONTRIBUTING.md).")
    endif()
  endforeach()
endfunction()

# haloheap_choose_backend(): sets HALOHEAP_BACKEND, when Kokkos is there.
macro(haloheap_choose_backend)
  haloheap_refuse_devices()
  set(HALOHEAP_BACKEND host)
  if(Kokkos_ENABLE_CUDA OR "CUDA" IN_LIST Kokkos_DEVICES)
    set(HALOHEAP_BACKEND cuda)
  endif()
endmacro()
