# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# The dependencies of haloheap, one after the other.
include(HaloheapBackend)
include(HaloheapPackages)

# --- MPI ----------------------------------------------------------------------------------------------------------
if(HALOHEAP_ENABLE_COMM)
  find_package(MPI 3.1 QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(FATAL_ERROR "No MPI 3.1 or later was found, and comm needs one. Install an MPI library or point MPI_HOME at it; "
                        "core and allocators alone need none: HALOHEAP_ENABLE_COMM=OFF and HALOHEAP_ENABLE_MINIAPP=OFF.")
  endif()
  # What not every MPI library has; each is used in one source file of comm/.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  check_cxx_source_compiles("
#include <mpi.h>
int main() { MPI_Request r; return MPI_Psend_init(nullptr, 1, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &r) + MPI_Pready(0, r); }"
    HALOHEAP_HAVE_MPI_PARTITIONED)
  check_cxx_source_compiles("
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
int main() { return MPIX_Query_cuda_support(); }"
    HALOHEAP_HAVE_MPIX_QUERY_CUDA_SUPPORT)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

# --- Kokkos -------------------------------------------------------------------------------------------------------
haloheap_refuse_devices()  # before a Kokkos that is built here looks for the device's compiler
set(HALOHEAP_CUDA_LANGUAGE OFF)
if(Kokkos_ENABLE_CUDA)
  # CMake's own CUDA language: only the files that use Kokkos meet nvcc.
  set(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE ON CACHE BOOL "")
  set(Kokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC OFF CACHE BOOL "CUDA IPC needs memory from cudaMalloc")
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "")
  endif()
  enable_language(CUDA)
  # Not -isystem=FOLDER, whose folder ccache takes for a part of the command: no clone would know another's objects.
  set(CMAKE_INCLUDE_SYSTEM_FLAG_CUDA "-isystem ")
  include(${CMAKE_CURRENT_LIST_DIR}/haloheap-cuda.cmake)
  find_package(CUDAToolkit REQUIRED)
  set(HALOHEAP_CUDA_LANGUAGE ON)
endif()
haloheap_kokkos_package(Kokkos kokkos 4.7...<6)
haloheap_choose_backend()
if(Kokkos_EMBEDDED)
  FetchContent_GetProperties(Kokkos SOURCE_DIR _kokkos_source)
  file(STRINGS ${_kokkos_source}/CMakeLists.txt _kokkos_patch REGEX "set\\(Kokkos_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3" Kokkos_VERSION "${_kokkos_patch}")
  if(HALOHEAP_CUDA_LANGUAGE AND Kokkos_VERSION VERSION_LESS 4.7.1 AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13)
    # Kokkos 4.7.0 predates CUDA 13; the header says what it mends. Every file that includes Kokkos must see it.
    set(HALOHEAP_KOKKOS_MENDED ${PROJECT_SOURCE_DIR}/cmake/kokkos_4_7_0_cuda_13.hpp)
    target_compile_options(
      kokkoscore PUBLIC $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-include ${HALOHEAP_KOKKOS_MENDED}>>
                        $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-include $<INSTALL_PREFIX>/include/haloheap/cmake/kokkos_4_7_0_cuda_13.hpp>>)
  endif()
endif()

# --- Kokkos-Kernels -----------------------------------------------------------------------------------------------
if(HALOHEAP_ENABLE_KOKKOS_KERNELS OR HALOHEAP_MINIAPP_KOKKOS_KERNELS)
  # SPARSE needs all others but ODE. Without instantiations ahead of time they are headers, and cost who includes them.
  set(KokkosKernels_ENABLE_ALL_COMPONENTS OFF CACHE BOOL "")
  set(KokkosKernels_ENABLE_COMPONENT_ODE OFF CACHE BOOL "")
  foreach(part BLAS BATCHED LAPACK GRAPH SPARSE)
    set(KokkosKernels_ENABLE_COMPONENT_${part} ON CACHE BOOL "" FORCE)  # an older build folder has other values
  endforeach()
  set(KokkosKernels_ADD_DEFAULT_ETI OFF CACHE BOOL "")
  set(KokkosKernels_ENABLE_TPL_BLAS OFF CACHE BOOL "")
  set(KokkosKernels_ENABLE_TPL_CUBLAS OFF CACHE BOOL "")
  set(KokkosKernels_ENABLE_TPL_CUSPARSE OFF CACHE BOOL "")
  set(KokkosKernels_ENABLE_TPL_CUSOLVER OFF CACHE BOOL "")
  haloheap_kokkos_package(KokkosKernels kokkos-kernels 4.5...<6)
  if(KokkosKernels_EMBEDDED)
    # Built for the targets that link it and for nothing else.
    FetchContent_GetProperties(KokkosKernels SOURCE_DIR _kernels_source)
    set_property(DIRECTORY ${_kernels_source} PROPERTY EXCLUDE_FROM_ALL ON)
    if(HALOHEAP_CUDA_LANGUAGE)
      get_target_property(_sources kokkoskernels SOURCES)
      list(FILTER _sources INCLUDE REGEX "\\.cpp$")
      list(TRANSFORM _sources PREPEND ${_kernels_source}/ REGEX "^[^/]")
      set_source_files_properties(${_sources} TARGET_DIRECTORY kokkoskernels PROPERTIES LANGUAGE CUDA)
    endif()
  endif()
endif()

# --- Header libraries -----------------------------------------------------------------------------------------------
# One file compiles what fmt is made of, and core carries it along: an installed haloheap asks its users for no fmt, and
# in a namespace of its own it meets no other fmt that their programs link.
haloheap_header_library(haloheap_fmt_headers fmt fmt::fmt-header-only "")
add_library(haloheap_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt.cpp)
target_include_directories(haloheap_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:haloheap_fmt_headers,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(
  haloheap_fmt PUBLIC "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace of_haloheap {" "FMT_END_NAMESPACE=}}"
  # fmt 9.1 takes nvcc 13 for a compiler whose compile-time checks of format strings it could use; it cannot.
  $<$<COMPILE_LANGUAGE:CUDA>:FMT_CONSTEVAL=> $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
if(HALOHEAP_ENABLE_MINIAPP)
  haloheap_header_library(haloheap_CLI11 CLI11 CLI11::CLI11 "")
  haloheap_header_library(haloheap_nlohmann_json nlohmann_json nlohmann_json::nlohmann_json "")
  haloheap_header_library(haloheap_tomlplusplus tomlplusplus tomlplusplus::tomlplusplus TOML_HEADER_ONLY=1)
endif()

# --- GoogleTest ---------------------------------------------------------------------------------------------------
if(HALOHEAP_ENABLE_TESTS)
  haloheap_googletest()
endif()

# --- NCCL: for one transport ----------------------------------------------------------------------------------------
if(HALOHEAP_ENABLE_NCCL)
  if(NOT HALOHEAP_BACKEND STREQUAL "cuda")
    message(FATAL_ERROR "HALOHEAP_ENABLE_NCCL is ON, and NCCL passes messages between NVIDIA GPUs only. "
                        "Configure with the preset cuda, or leave the option off.")
  endif()
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES include DOC "Folder of nccl.h")
  # Packages for Python have no link libnccl.so.
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES lib DOC "libnccl")
  if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
    message(FATAL_ERROR "HALOHEAP_ENABLE_NCCL is ON, and nccl.h or libnccl was not found (NCCL_INCLUDE_DIR: "
                        "${NCCL_INCLUDE_DIR}, NCCL_LIBRARY: ${NCCL_LIBRARY}). Point NCCL_ROOT at the folder that holds "
                        "include/nccl.h and lib/, or leave the option off.")
  endif()
endif()
