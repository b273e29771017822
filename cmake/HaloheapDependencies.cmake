# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# The dependencies of haloheap, one after the other.
include(HaloheapBackend)
include(HaloheapPackages)

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
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows no C++20 for nvcc
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
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
    target_compile_options(
      kokkoscore PUBLIC $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/kokkos_4_7_0_cuda_13.hpp>>)
  endif()
endif()

# --- Kokkos-Kernels -----------------------------------------------------------------------------------------------
foreach(part BATCHED GRAPH ODE SPARSE LAPACK)
  set(KokkosKernels_ENABLE_COMPONENT_${part} OFF CACHE BOOL "")
endforeach()
set(KokkosKernels_ENABLE_COMPONENT_BLAS ON CACHE BOOL "")
set(KokkosKernels_ADD_DEFAULT_ETI OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_BLAS OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_CUBLAS OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_CUSPARSE OFF CACHE BOOL "")
set(KokkosKernels_ENABLE_TPL_CUSOLVER OFF CACHE BOOL "")
option(HALOHEAP_ENABLE_KOKKOS_KERNELS "Make Kokkos-Kernels available" ON)
if(HALOHEAP_ENABLE_KOKKOS_KERNELS)
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

# --- MPI ----------------------------------------------------------------------------------------------------------
find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
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

# --- Header libraries of the mini-app: installed packages, else the headers in HALOHEAP_DEPS_DIR ---------------------
# haloheap_header_library(package installed_target definition): an interface target haloheap_<package>.
function(haloheap_header_library package installed_target definition)
  haloheap_policy(headers)
  add_library(haloheap_${package} INTERFACE)
  if(NOT _policy STREQUAL "EMBEDDED")
    find_package(${package} QUIET)
  endif()
  if(${package}_FOUND)
    target_link_libraries(haloheap_${package} INTERFACE ${installed_target})
  elseif(EXISTS ${HALOHEAP_DEPS_DIR}/include AND NOT _policy STREQUAL "INSTALLED")
    target_include_directories(haloheap_${package} SYSTEM INTERFACE ${HALOHEAP_DEPS_DIR}/include)
    target_compile_definitions(haloheap_${package} INTERFACE ${definition})
  else()
    message(FATAL_ERROR "${package} is neither installed nor in ${HALOHEAP_DEPS_DIR}/include. "
                        "Install it, or run scripts/fetch-deps.")
  endif()
endfunction()
# Header-only, so that an installed haloheap does not ask its users for a library of fmt.
haloheap_header_library(fmt fmt::fmt-header-only FMT_HEADER_ONLY=1)
# fmt 9.1 takes nvcc 13 for a compiler whose compile-time checks of format strings it could use; it cannot.
target_compile_definitions(haloheap_fmt INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:FMT_CONSTEVAL=> $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
if(HALOHEAP_ENABLE_MINIAPP)
  haloheap_header_library(CLI11 CLI11::CLI11 "")
  haloheap_header_library(nlohmann_json nlohmann_json::nlohmann_json "")
  haloheap_header_library(tomlplusplus tomlplusplus::tomlplusplus TOML_HEADER_ONLY=1)
endif()

# --- GoogleTest ---------------------------------------------------------------------------------------------------
if(HALOHEAP_ENABLE_TESTS)
  haloheap_policy(GTest)
  if(NOT _policy STREQUAL "EMBEDDED")
    find_package(GTest QUIET)
  endif()
  if(NOT GTest_FOUND)
    if(NOT EXISTS ${HALOHEAP_DEPS_DIR}/googletest/CMakeLists.txt OR _policy STREQUAL "INSTALLED")
      message(FATAL_ERROR "GoogleTest is neither installed nor in ${HALOHEAP_DEPS_DIR}/googletest. "
                          "Install it, run scripts/fetch-deps, or set HALOHEAP_ENABLE_TESTS=OFF.")
    endif()
    set(INSTALL_GTEST OFF)
    FetchContent_Declare(googletest SOURCE_DIR ${HALOHEAP_DEPS_DIR}/googletest SYSTEM)
    FetchContent_MakeAvailable(googletest)
  endif()
endif()

# --- NCCL: for one transport ----------------------------------------------------------------------------------------
option(HALOHEAP_ENABLE_NCCL "Build the transport nccl" OFF)
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
