# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# How haloheap's own libraries, programs and tests are declared.

# Headers are included as <haloheap/core/...> in the source tree as well as from an installation.
set(HALOHEAP_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${HALOHEAP_INCLUDE_DIR}/haloheap)
foreach(part core allocators comm miniapp)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${part} ${HALOHEAP_INCLUDE_DIR}/haloheap/${part} SYMBOLIC)
endforeach()
# <haloheap/backend/...> is the folder of the chosen backend, so that no source file asks which one it is.
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/core/backend/${HALOHEAP_BACKEND} ${HALOHEAP_INCLUDE_DIR}/haloheap/backend SYMBOLIC)

# Whether a file, or a header of haloheap that it includes, includes what only the device's compiler can read. Read when
# configuring: a file that has begun to use Kokkos says so in Kokkos' words until the next time.
function(_haloheap_device_code file result)
  get_property(known GLOBAL PROPERTY "haloheap_device_code_${file}")
  if("${known}" STREQUAL "")
    set(known OFF)
    file(STRINGS ${file} includes REGEX "^#include [<\"]")
    foreach(include IN LISTS includes)
      if(include MATCHES "<(Kokkos|cuda|cooperative_groups|nccl)")
        set(known ON)
      elseif(include MATCHES "<haloheap/(.*)>")
        string(REGEX REPLACE "^backend/" "core/backend/${HALOHEAP_BACKEND}/" header ${CMAKE_MATCH_1})
        _haloheap_device_code(${PROJECT_SOURCE_DIR}/${header} known)
      endif()
      if(known)
        break()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY "haloheap_device_code_${file}" ${known})
  endif()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# haloheap_kokkos_sources(target file...): those that use Kokkos go through the device's compiler, which takes several
# times as long as the host's.
function(haloheap_kokkos_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  if(HALOHEAP_CUDA_LANGUAGE)
    foreach(file IN LISTS ARGN)
      _haloheap_device_code(${file} device_code)
      if(device_code)
        set_source_files_properties(${file} PROPERTIES LANGUAGE CUDA)
      endif()
    endforeach()
  endif()
endfunction()

# haloheap_library(name): a static library `haloheap_<name>` with the alias `haloheap::<name>`.
function(haloheap_library name)
  add_library(haloheap_${name} STATIC)
  add_library(haloheap::${name} ALIAS haloheap_${name})
  set_target_properties(haloheap_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_compile_features(haloheap_${name} PUBLIC cxx_std_20)
  target_include_directories(haloheap_${name} PUBLIC $<BUILD_INTERFACE:${HALOHEAP_INCLUDE_DIR}>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(haloheap_${name} PRIVATE $<BUILD_INTERFACE:haloheap_options>)
endfunction()
