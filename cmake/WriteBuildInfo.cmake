# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# Run at every build: writes the build information, and touches the file only when it changed.
execute_process(COMMAND git describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE HALOHEAP_GIT_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _status)
if(NOT _status EQUAL 0)
  set(HALOHEAP_GIT_REVISION unknown)
endif()
configure_file(${SOURCE_DIR}/core/base/build_info.cpp.in ${OUTPUT} @ONLY)
