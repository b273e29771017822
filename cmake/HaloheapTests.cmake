# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# How tests are declared. Kinds of test program:
#   haloheap_plain_test(name source... [LIBRARIES lib...])   no Kokkos, compiled by the host compiler
#   haloheap_kokkos_test(name source... [LIBRARIES lib...] [GPU] [STARTS_KOKKOS] [TOGETHER])   one process, Kokkos
#                                                            initialised by the main of all, or by the test itself
#                                                            (STARTS_KOKKOS)
#   haloheap_mpi_test(name source... RANKS n... [LIBRARIES lib...] [GPU])   once for each number of ranks
#   haloheap_python_test(name file [ARGUMENTS a...] [LABEL l] [PROCESSORS n] [ENVIRONMENT e=v...])
# GPU marks tests that also run where a device is: they get the label `gpu` in device builds and a line in
# bin/gpu_tests.txt, which scripts/gpu-test reads. PROCESSORS is how many processes or threads a test keeps busy; ctest
# starts as many at a time as it is told, and knows those of ranks by itself. TOGETHER compiles a program's sources as
# those of a library are (see haloheap_sources): they must not give the same name to two things.
include(CMakeParseArguments)

# No test is judged by its time. The one limit is there so that a test that hangs ends: many times what the slowest test
# takes on a machine that has three times as many busy processes as cores.
set(HALOHEAP_TEST_LIMIT 1800 CACHE STRING "Seconds after which a test counts as hanging and is ended")
mark_as_advanced(HALOHEAP_TEST_LIMIT)
set(HALOHEAP_TIME_LIMIT ${HALOHEAP_TEST_LIMIT})
if(HALOHEAP_SANITIZER)
  math(EXPR HALOHEAP_TIME_LIMIT "4 * ${HALOHEAP_TEST_LIMIT}")  # instrumented programs are that much slower
endif()

# One thread a rank; two where races are looked for.
set(threads 1)
if(HALOHEAP_SANITIZER STREQUAL "thread")
  set(threads 2)
endif()
set(HALOHEAP_MPI_ENVIRONMENT OMP_NUM_THREADS=${threads} KOKKOS_NUM_THREADS=${threads} OMP_PROC_BIND=false
    KOKKOS_DISABLE_WARNINGS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
    # Ranks share the cores with other tests and programs: one that waits lets others work.
    OMPI_MCA_hwloc_base_binding_policy=none
    # All ranks are on one machine: Open MPI need not look for fabrics, which takes longer than most programs of the tests.
    OMPI_MCA_pml=ob1)
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

# That of scripts/bootstrap first, then the system's own: both have the packages that pictures and schemas need.
find_program(HALOHEAP_PYTHON python3 HINTS ${PROJECT_SOURCE_DIR}/.venv/bin /usr/bin REQUIRED DOC "Python that runs the tests")

# A device build is tested where its device is: here it is only compiled and linked.
set(HALOHEAP_DEVICE_BUILD OFF)
if(NOT HALOHEAP_BACKEND STREQUAL "host")
  set(HALOHEAP_DEVICE_BUILD ON)
endif()

function(haloheap_test_properties test label processors)
  set_tests_properties(${test} PROPERTIES LABELS "${label}" TIMEOUT ${HALOHEAP_TIME_LIMIT} PROCESSORS ${processors}
                                          ENVIRONMENT "${HALOHEAP_MPI_ENVIRONMENT}")
endfunction()

function(haloheap_plain_test name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${HALOHEAP_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main haloheap_options)
  add_test(NAME ${name} COMMAND ${name})
  haloheap_test_properties(${name} unit ${threads})
endfunction()

# The mains of test programs, compiled once: kokkos and mpi.
function(haloheap_test_main name libraries)
  add_library(haloheap_${name}_main OBJECT)
  haloheap_sources(haloheap_${name}_main ${PROJECT_SOURCE_DIR}/unit/${name}_main.cpp)
  target_link_libraries(haloheap_${name}_main PRIVATE ${libraries} GTest::gtest haloheap_options)
endfunction()

function(_haloheap_kokkos_program name main)
  cmake_parse_arguments(arg "TOGETHER" "" "LIBRARIES" ${ARGN})
  add_executable(${name})
  if(NOT arg_TOGETHER)
    set(HALOHEAP_UNITY_BUILD OFF)
  endif()
  set(HALOHEAP_ONE_UNIT ON)
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  haloheap_sources(${name} ${arg_UNPARSED_ARGUMENTS})
  if(main)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:haloheap_${main}_main>)
  endif()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest haloheap_options haloheap_fmt)
  # Nobody waits for the speed of a test, everybody for its compilation, of which -O3 is up to half. The mini-app, which
  # the decks test, and the libraries are compiled as users compile them.
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O2>)
endfunction()

# What runs on hosts only says nothing in a device build: it is there to be built by name.
function(_haloheap_leave_out_of_device_builds name)
  if(HALOHEAP_DEVICE_BUILD)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

function(haloheap_kokkos_test name)
  cmake_parse_arguments(arg "GPU;STARTS_KOKKOS" "" "LIBRARIES" ${ARGN})
  set(main kokkos)
  if(arg_STARTS_KOKKOS)
    set(main "")
    list(APPEND arg_LIBRARIES GTest::gtest_main)
  endif()
  _haloheap_kokkos_program(${name} "${main}" ${arg_UNPARSED_ARGUMENTS} LIBRARIES haloheap::core ${arg_LIBRARIES})
  if(NOT HALOHEAP_DEVICE_BUILD OR arg_GPU)
    add_test(NAME ${name} COMMAND ${name})
    haloheap_test_properties(${name} "unit$<$<BOOL:${HALOHEAP_DEVICE_BUILD}>:;gpu>" ${threads})
  endif()
  if(arg_GPU)
    file(APPEND ${HALOHEAP_GPU_TEST_LIST} "./${name}\n")
  else()
    _haloheap_leave_out_of_device_builds(${name})
  endif()
endfunction()

function(haloheap_mpi_test name)
  cmake_parse_arguments(arg "GPU" "" "LIBRARIES;RANKS" ${ARGN})
  _haloheap_kokkos_program(${name} mpi ${arg_UNPARSED_ARGUMENTS}
                           LIBRARIES haloheap::comm ${arg_LIBRARIES})
  if(NOT arg_GPU)
    _haloheap_leave_out_of_device_builds(${name})
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    if(NOT ranks MATCHES "^[0-9]+$")
      message(FATAL_ERROR "${name}: '${ranks}' is no number of ranks")
    endif()
    set(test ${name}_ranks_${ranks})
    math(EXPR processors "${ranks} * ${threads}")
    if(NOT HALOHEAP_DEVICE_BUILD OR arg_GPU)
      add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                                    $<TARGET_FILE:${name}> ${MPIEXEC_POSTFLAGS})
      haloheap_test_properties(${test} "ranks-${ranks}$<$<BOOL:${HALOHEAP_DEVICE_BUILD}>:;gpu>" ${processors})
    endif()
    if(arg_GPU)
      file(APPEND ${HALOHEAP_GPU_TEST_LIST} "mpirun -n ${ranks} ./${name}\n")
    endif()
  endforeach()
endfunction()

function(haloheap_python_test name file)
  cmake_parse_arguments(arg "" "LABEL;PROCESSORS" "ARGUMENTS;ENVIRONMENT" LABEL unit PROCESSORS 1 ${ARGN})
  add_test(NAME ${name} COMMAND ${HALOHEAP_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${arg_ARGUMENTS})
  haloheap_test_properties(${name} "${arg_LABEL}" ${arg_PROCESSORS})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PYTHONDONTWRITEBYTECODE=1
                                       PYTHONPATH=${PROJECT_SOURCE_DIR}/tools/haloheap_results/src ${arg_ENVIRONMENT})
  set_property(TEST ${name} PROPERTY FIXTURES_REQUIRED python_packages)
endfunction()
