# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# What was configured, in one place.
set(_packages "")
foreach(package Kokkos KokkosKernels)
  set(_origin "not used")
  if(${package}_EMBEDDED)
    set(_origin "embedded")
  elseif(${package}_FOUND)
    set(_origin "installed: ${${package}_DIR}")
  endif()
  string(APPEND _packages "\n  ${package}: ${_origin}")
endforeach()
# An installed Kokkos has a list of its devices, one that is built here has an option for each.
set(_devices ${Kokkos_DEVICES})
if(NOT _devices)
  foreach(device CUDA OPENMP THREADS SERIAL)
    if(Kokkos_ENABLE_${device})
      list(APPEND _devices ${device})
    endif()
  endforeach()
endif()
set(_host_space "")
if(HALOHEAP_HOST_SPACE)
  set(_host_space ", and libraries for ${HALOHEAP_HOST_SPACE} beside those for the default one")
endif()
set(_mpi "not used")
if(HALOHEAP_ENABLE_COMM)
  set(_mpi "${MPI_CXX_LIBRARY_VERSION_STRING} ${MPI_CXX_VERSION}")
endif()
set(_nccl off)
if(HALOHEAP_ENABLE_NCCL)
  set(_nccl ${NCCL_LIBRARY})
endif()
message(STATUS "haloheap ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}"
               "\n  backend folder: core/backend/${HALOHEAP_BACKEND}"
               "\n  Kokkos devices: ${_devices}${_host_space}"
               "${_packages}"
               "\n  MPI: ${_mpi}"
               "\n  NCCL: ${_nccl}"
               "\n  sanitizer: ${HALOHEAP_SANITIZER}"
               "\n  tests: ${HALOHEAP_ENABLE_TESTS}, comm: ${HALOHEAP_ENABLE_COMM}, mini-app: ${HALOHEAP_ENABLE_MINIAPP}")
