# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# How tests are declared. Kinds of test program:
#   haloheap_plain_test(name source... [LIBRARIES lib...])   no Kokkos, compiled by the host compiler
#   haloheap_kokkos_test(name source... [LIBRARIES lib...] [GPU] [STARTS_KOKKOS])   one process, Kokkos initialised by the
#                                                            main of all, or by the test itself (STARTS_KOKKOS)
#   haloheap_mpi_test(name source... RANKS n... [LIBRARIES lib...] [GPU])   once for each number of ranks
#   haloheap_python_test(name file [ARGUMENTS a...] [LABEL l] [TIMEOUT s] [PROCESSORS n] [ENVIRONMENT e=v...])
# GPU marks tests that also run where a device is: they get the label `gpu` in device builds and a line in
# bin/gpu_tests.txt, which scripts/gpu-test reads.
include(CMakeParseArguments)

# One thread a rank; two where races are looked for.
set(threads 1)
if(HALOHEAP_SANITIZER STREQUAL "thread")
  set(threads 2)
endif()
set(HALOHEAP_MPI_ENVIRONMENT OMP_NUM_THREADS=${threads} KOKKOS_NUM_THREADS=${threads} OMP_PROC_BIND=false
    KOKKOS_DISABLE_WARNINGS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none)
if(HALOHEAP_SANITIZER)
  # MPI and its plugins are not instrumented: what they leak or race on is not haloheap's. Whole stacks are needed to see
  # that a leak is theirs: unloaded plugins have no names, and without frame pointers the stack ends in them.
  set(suppressions ${PROJECT_SOURCE_DIR}/unit/sanitizer)
  list(APPEND HALOHEAP_MPI_ENVIRONMENT ASAN_OPTIONS=detect_stack_use_after_return=1:fast_unwind_on_malloc=0
       LSAN_OPTIONS=suppressions=${suppressions}/leaks.supp:print_suppressions=0
       TSAN_OPTIONS=suppressions=${suppressions}/races.supp:ignore_noninstrumented_modules=1
       UBSAN_OPTIONS=print_stacktrace=1)
endif()
set(HALOHEAP_GPU_TEST_LIST ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/gpu_tests.txt)
file(WRITE ${HALOHEAP_GPU_TEST_LIST} "")

# Tests are included as <haloheap/unit/...>, as all of haloheap.
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/unit ${HALOHEAP_INCLUDE_DIR}/haloheap/unit SYMBOLIC)

# The system's own Python first: the packages that plots and schemas need come from the distribution.
find_program(HALOHEAP_PYTHON python3 HINTS /usr/bin REQUIRED DOC "Python that runs the tests")

# A device build is tested where its device is: here it is only compiled and linked.
set(HALOHEAP_DEVICE_BUILD OFF)
if(NOT HALOHEAP_BACKEND STREQUAL "host")
  set(HALOHEAP_DEVICE_BUILD ON)
endif()

function(haloheap_test_properties test label timeout processors)
  set_tests_properties(${test} PROPERTIES LABELS "${label}" TIMEOUT ${timeout} PROCESSORS ${processors}
                                          ENVIRONMENT "${HALOHEAP_MPI_ENVIRONMENT}")
endfunction()

function(haloheap_plain_test name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${HALOHEAP_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main haloheap_options)
  add_test(NAME ${name} COMMAND ${name})
  haloheap_test_properties(${name} unit 120 1)
endfunction()

function(_haloheap_kokkos_program name main)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${name})
  set(sources ${arg_UNPARSED_ARGUMENTS} ${main})
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  haloheap_kokkos_sources(${name} ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest haloheap_options haloheap_fmt)
endfunction()

function(haloheap_kokkos_test name)
  cmake_parse_arguments(arg "GPU;STARTS_KOKKOS" "" "LIBRARIES" ${ARGN})
  set(main ${PROJECT_SOURCE_DIR}/unit/kokkos_main.cpp)
  if(arg_STARTS_KOKKOS)
    set(main "")
    list(APPEND arg_LIBRARIES GTest::gtest_main)
  endif()
  _haloheap_kokkos_program(${name} "${main}" ${arg_UNPARSED_ARGUMENTS} LIBRARIES haloheap::core ${arg_LIBRARIES})
  if(NOT HALOHEAP_DEVICE_BUILD OR arg_GPU)
    add_test(NAME ${name} COMMAND ${name})
    haloheap_test_properties(${name} "unit$<$<BOOL:${HALOHEAP_DEVICE_BUILD}>:;gpu>" 300 1)
  endif()
  if(arg_GPU)
    file(APPEND ${HALOHEAP_GPU_TEST_LIST} "./${name}\n")
  endif()
endfunction()

function(haloheap_mpi_test name)
  cmake_parse_arguments(arg "GPU" "TIMEOUT" "LIBRARIES;RANKS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  _haloheap_kokkos_program(${name} ${PROJECT_SOURCE_DIR}/unit/mpi_main.cpp ${arg_UNPARSED_ARGUMENTS}
                           LIBRARIES haloheap::comm ${arg_LIBRARIES})
  foreach(ranks IN LISTS arg_RANKS)
    set(test ${name}_ranks_${ranks})
    if(NOT HALOHEAP_DEVICE_BUILD OR arg_GPU)
      add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                                    $<TARGET_FILE:${name}> ${MPIEXEC_POSTFLAGS})
      haloheap_test_properties(${test} "ranks-${ranks}$<$<BOOL:${HALOHEAP_DEVICE_BUILD}>:;gpu>" ${arg_TIMEOUT} ${ranks})
    endif()
    if(arg_GPU)
      file(APPEND ${HALOHEAP_GPU_TEST_LIST} "mpirun -n ${ranks} ./${name}\n")
    endif()
  endforeach()
endfunction()

function(haloheap_python_test name file)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT;PROCESSORS" "ARGUMENTS;ENVIRONMENT" LABEL unit TIMEOUT 120 PROCESSORS 1
                        ${ARGN})
  add_test(NAME ${name} COMMAND ${HALOHEAP_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${arg_ARGUMENTS})
  haloheap_test_properties(${name} "${arg_LABEL}" ${arg_TIMEOUT} ${arg_PROCESSORS})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PYTHONDONTWRITEBYTECODE=1 ${arg_ENVIRONMENT})
  set_property(TEST ${name} PROPERTY FIXTURES_REQUIRED python_packages)
endfunction()
