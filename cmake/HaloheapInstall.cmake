# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# find_package(haloheap COMPONENTS core allocators comm)
include(CMakePackageConfigHelpers)

set(HALOHEAP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/haloheap)
foreach(part IN LISTS HALOHEAP_LIBRARIES HALOHEAP_HOST_LIBRARIES)
  install(TARGETS haloheap_${part} EXPORT haloheap_${part}_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT haloheap_${part}_targets NAMESPACE haloheap:: FILE haloheap-${part}-targets.cmake
          DESTINATION ${HALOHEAP_PACKAGE_DIR})
endforeach()
install(TARGETS haloheap_equal_bits EXPORT haloheap_core_targets)
foreach(part IN LISTS HALOHEAP_LIBRARIES)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${part} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/haloheap
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
# Public headers reach the chosen backend as <haloheap/backend/...>.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/backend/${HALOHEAP_BACKEND}/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/haloheap/backend FILES_MATCHING PATTERN "*.hpp")
if(HALOHEAP_HOST_LIBRARIES)
  install(TARGETS haloheap_host_backend EXPORT haloheap_host_core_targets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/backend/host/
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/haloheap_host/haloheap/backend FILES_MATCHING PATTERN "*.hpp")
endif()
if("allocators" IN_LIST HALOHEAP_LIBRARIES)
  install(FILES ${PROJECT_SOURCE_DIR}/allocators/heap.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/haloheap)
endif()
if(HALOHEAP_ENABLE_MINIAPP)
  install(TARGETS haloheap RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/haloheap-config.cmake.in
                              ${PROJECT_BINARY_DIR}/haloheap-config.cmake INSTALL_DESTINATION ${HALOHEAP_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/haloheap-config-version.cmake COMPATIBILITY SameMajorVersion)
if(HALOHEAP_CUDA_LANGUAGE)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/haloheap-cuda.cmake DESTINATION ${HALOHEAP_PACKAGE_DIR})
endif()
if(HALOHEAP_KOKKOS_MENDED)
  install(FILES ${HALOHEAP_KOKKOS_MENDED} DESTINATION include/haloheap/cmake)
endif()
install(FILES ${PROJECT_BINARY_DIR}/haloheap-config.cmake ${PROJECT_BINARY_DIR}/haloheap-config-version.cmake
        DESTINATION ${HALOHEAP_PACKAGE_DIR})
