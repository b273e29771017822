# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# Compiler-wide settings: ccache, sanitizers, warnings.

find_program(HALOHEAP_CCACHE ccache)
if(HALOHEAP_CCACHE)
  foreach(language C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${HALOHEAP_CCACHE})
    endif()
  endforeach()
endif()

# The whole program, Kokkos included, has to be instrumented: thread and address checks of half a program lie.
if(HALOHEAP_SANITIZER)
  add_compile_options(-fsanitize=${HALOHEAP_SANITIZER} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${HALOHEAP_SANITIZER})
  # ThreadSanitizer does not see the fences of Kokkos, only the atomics that go with them, and g++ says so wherever one
  # is compiled. Of Kokkos::MemoryPool they are all there is: kokkos_pool cannot be checked by it.
  if(HALOHEAP_SANITIZER STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
  if(HALOHEAP_SANITIZER STREQUAL "undefined")
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

# The same deck must give the same bits on every backend (CONTRIBUTING.md, Style). A fused
# multiply-add rounds once where a product and a sum round twice, so in haloheap's own sources there are none but those
# that are written. Users whose update rules are to have equal bits link this too.
add_library(haloheap_equal_bits INTERFACE)
add_library(haloheap::equal_bits ALIAS haloheap_equal_bits)
set_target_properties(haloheap_equal_bits PROPERTIES EXPORT_NAME equal_bits)
target_compile_options(haloheap_equal_bits INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                                                     $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -Xcompiler=-ffp-contract=off>)
add_library(haloheap_options INTERFACE)
target_link_libraries(haloheap_options INTERFACE haloheap_equal_bits)
target_compile_options(
  haloheap_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
                             $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in every std::string concatenation (GCC bug 105651).
  target_compile_options(haloheap_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  if(HALOHEAP_SANITIZER)
    # ... and, in instrumented code, members of std::regex that nobody set (GCC bug 105562).
    target_compile_options(haloheap_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # GCC 13 sees copies and stores beyond the end of the buffers in which fmt 9 makes long numbers.
  target_compile_options(haloheap_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow>)
endif()
if(HALOHEAP_WARNINGS_AS_ERRORS)
  target_compile_options(haloheap_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
