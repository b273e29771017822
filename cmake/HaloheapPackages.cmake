# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# Where each dependency comes from. Policy per package, HALOHEAP_<PACKAGE>_POLICY:
#   AUTO       installed if found, else built from source (the default)
#   INSTALLED  installed, or an error
#   EMBEDDED   built from source: the tree in HALOHEAP_DEPS_DIR (see scripts/fetch-deps) if it is there, else the
#              release tarball
include(FetchContent)

set(HALOHEAP_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps CACHE PATH "Folder that scripts/fetch-deps fills")
set(HALOHEAP_KOKKOS_URL https://github.com/kokkos CACHE STRING "Where the release tarballs are, or a mirror with their paths")
set(HALOHEAP_KOKKOS_VERSION 4.7.04 CACHE STRING "Kokkos release to embed when HALOHEAP_DEPS_DIR has none")
set(HALOHEAP_KOKKOS_HASH_4.7.04 4213b248c39e112299fa94ee08817e51126fc02996ed6e2ab56aec4cdb80ee1f)
set(HALOHEAP_KOKKOS_KERNELS_HASH_4.7.04 dc357de6f57c42ad6dd45228d38da65dc835788f66309aaed6feeb65cae62210)
set(HALOHEAP_KOKKOS_HASH_5.1.1 8bdbee0f0ac383436743ad8a9e3e928705b34b31a25a92dc5179c52a3aa98519)
set(HALOHEAP_KOKKOS_KERNELS_HASH_5.1.1 4415c2a6e14e2bba9aa978917d2ffbcbe32760d3aba3a33bf7a267d50e7e20c9)

# haloheap_policy(package): declares the cache variable and leaves its value in _policy.
macro(haloheap_policy package)
  string(TOUPPER ${package} _upper)
  set(HALOHEAP_${_upper}_POLICY AUTO CACHE STRING "AUTO, INSTALLED or EMBEDDED")
  set_property(CACHE HALOHEAP_${_upper}_POLICY PROPERTY STRINGS AUTO INSTALLED EMBEDDED)
  set(_policy ${HALOHEAP_${_upper}_POLICY})
  if(NOT _policy MATCHES "^(AUTO|INSTALLED|EMBEDDED)$")
    message(FATAL_ERROR "HALOHEAP_${_upper}_POLICY is '${_policy}': use AUTO, INSTALLED or EMBEDDED")
  endif()
endmacro()

# haloheap_kokkos_package(package folder versions): finds or embeds one of the two; sets <package>_EMBEDDED.
macro(haloheap_kokkos_package package folder)
  haloheap_policy(${package})
  set(${package}_EMBEDDED OFF)
  if(NOT _policy STREQUAL "EMBEDDED")
    find_package(${package} ${ARGN} QUIET)
    if(NOT ${package}_FOUND AND _policy STREQUAL "INSTALLED")
      message(FATAL_ERROR "${package} is not installed where CMake looks (CMAKE_PREFIX_PATH) and "
                          "HALOHEAP_${_upper}_POLICY is INSTALLED. Point CMAKE_PREFIX_PATH at it, or use EMBEDDED.")
    endif()
  endif()
  if(NOT ${package}_FOUND)
    set(${package}_EMBEDDED ON)
    if(EXISTS ${HALOHEAP_DEPS_DIR}/${folder}/CMakeLists.txt)
      set(_from SOURCE_DIR ${HALOHEAP_DEPS_DIR}/${folder})
    else()
      string(REPLACE "-" "_" _hash_name ${folder})
      string(TOUPPER ${_hash_name} _hash_name)
      set(_from URL ${HALOHEAP_KOKKOS_URL}/${folder}/releases/download/${HALOHEAP_KOKKOS_VERSION}/${folder}-${HALOHEAP_KOKKOS_VERSION}.tar.gz
                URL_HASH SHA256=${HALOHEAP_${_hash_name}_HASH_${HALOHEAP_KOKKOS_VERSION}} DOWNLOAD_EXTRACT_TIMESTAMP ON)
    endif()
    # CMake 3.25 takes FetchContent's own SYSTEM for a part of the checksum. A subdirectory that does not exist stops it
    # from adding the package; it is added here.
    FetchContent_Declare(${package} ${_from} SOURCE_SUBDIR added-below)
    FetchContent_MakeAvailable(${package})
    FetchContent_GetProperties(${package} SOURCE_DIR _source BINARY_DIR _binary)
    # Where the project around this one has made the package available, its targets are there.
    string(TOLOWER ${package} _target)
    if(NOT TARGET Kokkos::${_target})
      add_subdirectory(${_source} ${_binary} SYSTEM)
    endif()
  endif()
endmacro()

# haloheap_header_library(target package installed_target definition): an interface target, of the installed package or
# of the headers in HALOHEAP_DEPS_DIR, which get the definition.
function(haloheap_header_library target package installed_target definition)
  haloheap_policy(headers)
  add_library(${target} INTERFACE)
  if(NOT _policy STREQUAL "EMBEDDED")
    find_package(${package} QUIET)
  endif()
  if(${package}_FOUND)
    target_link_libraries(${target} INTERFACE ${installed_target})
  elseif(EXISTS ${HALOHEAP_DEPS_DIR}/include AND NOT _policy STREQUAL "INSTALLED")
    target_include_directories(${target} SYSTEM INTERFACE ${HALOHEAP_DEPS_DIR}/include)
    target_compile_definitions(${target} INTERFACE ${definition})
  elseif(_policy STREQUAL "INSTALLED")
    message(FATAL_ERROR "${package} is not installed where CMake looks (CMAKE_PREFIX_PATH) and HALOHEAP_HEADERS_POLICY is "
                        "INSTALLED. Point CMAKE_PREFIX_PATH at it, or use EMBEDDED.")
  else()
    message(FATAL_ERROR "${package} is neither installed nor in ${HALOHEAP_DEPS_DIR}/include. "
                        "Install it, or run scripts/fetch-deps.")
  endif()
endfunction()

# haloheap_googletest(): GTest::gtest and GTest::gtest_main.
macro(haloheap_googletest)
  haloheap_policy(GTest)
  if(NOT _policy STREQUAL "EMBEDDED")
    find_package(GTest QUIET)
  endif()
  if(NOT GTest_FOUND)
    if(_policy STREQUAL "INSTALLED")
      message(FATAL_ERROR "GoogleTest is not installed where CMake looks (CMAKE_PREFIX_PATH) and HALOHEAP_GTEST_POLICY is "
                          "INSTALLED. Point CMAKE_PREFIX_PATH at it, use EMBEDDED, or set HALOHEAP_ENABLE_TESTS=OFF.")
    endif()
    if(NOT EXISTS ${HALOHEAP_DEPS_DIR}/googletest/CMakeLists.txt)
      message(FATAL_ERROR "GoogleTest is neither installed nor in ${HALOHEAP_DEPS_DIR}/googletest. "
                          "Install it, run scripts/fetch-deps, or set HALOHEAP_ENABLE_TESTS=OFF.")
    endif()
    set(INSTALL_GTEST OFF)
    FetchContent_Declare(googletest SOURCE_DIR ${HALOHEAP_DEPS_DIR}/googletest SYSTEM)
    FetchContent_MakeAvailable(googletest)
  endif()
endmacro()
