# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# HALOHEAP_HOST_SPACE: the libraries once more, as haloheap::host_core and so on, whose kernels run in a space of the host
# beside Kokkos' default one. Who is compiled for them says haloheap:: as everybody does; the compiler reads
# haloheap_host::, so that a program may have both.
set_property(TARGET haloheap_core PROPERTY INTERFACE_HALOHEAP_SPACE default)
set_property(TARGET haloheap_core PROPERTY COMPATIBLE_INTERFACE_STRING HALOHEAP_SPACE)
if(NOT HALOHEAP_HOST_SPACE)
  return()
endif()

set(_spaces Serial OpenMP Threads)
string(TOUPPER "${HALOHEAP_HOST_SPACE}" _device)
if(NOT HALOHEAP_HOST_SPACE IN_LIST _spaces)
  message(FATAL_ERROR "HALOHEAP_HOST_SPACE is ${HALOHEAP_HOST_SPACE}, and the spaces of Kokkos' host are Serial, OpenMP and Threads.")
endif()
if(NOT Kokkos_ENABLE_${_device} AND NOT _device IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "HALOHEAP_HOST_SPACE is ${HALOHEAP_HOST_SPACE}, which this Kokkos does not have. "
                      "Take one that was configured with Kokkos_ENABLE_${_device}=ON.")
endif()

# What they are compiled with, and who uses them. An installed folder of headers is given as the user's own, so that it
# comes before all of the system's: one of these may have the device's backend.
add_library(haloheap_host_backend INTERFACE)
set_target_properties(haloheap_host_backend PROPERTIES EXPORT_NAME host_backend EXPORT_NO_SYSTEM ON)
target_include_directories(haloheap_host_backend INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/haloheap_host>)
target_compile_definitions(haloheap_host_backend INTERFACE haloheap=haloheap_host HALOHEAP_HOST_SPACE=${HALOHEAP_HOST_SPACE})

block()
  set(HALOHEAP_PREFIX host_)
  set(HALOHEAP_BACKEND host)
  foreach(library IN LISTS HALOHEAP_LIBRARIES)
    add_subdirectory(${library} host_${library})
  endforeach()
endblock()
target_link_libraries(haloheap_host_core PUBLIC haloheap_host_backend)
# Object libraries are not looked at by CMake: there a header says so.
target_compile_definitions(haloheap_core INTERFACE HALOHEAP_DEVICE_SPACE)
set_property(TARGET haloheap_host_core PROPERTY INTERFACE_HALOHEAP_SPACE ${HALOHEAP_HOST_SPACE})
set_property(TARGET haloheap_host_core PROPERTY COMPATIBLE_INTERFACE_STRING HALOHEAP_SPACE)
list(TRANSFORM HALOHEAP_LIBRARIES PREPEND host_ OUTPUT_VARIABLE HALOHEAP_HOST_LIBRARIES)
