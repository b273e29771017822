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

# haloheap_kokkos_sources(target file...): files that include Kokkos go through the device compiler, all others
# (deck, command line, report) never see it.
function(haloheap_kokkos_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  if(Kokkos_COMPILE_LANGUAGE STREQUAL "CUDA" OR HALOHEAP_CUDA_LANGUAGE)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
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
