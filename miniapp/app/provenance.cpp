// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/base/build_info.hpp>
#include <haloheap/miniapp/app/provenance.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <ctime>
#include <sstream>

namespace haloheap {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  comm::check_mpi(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  return name;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  comm::check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string all = text;
  return all.substr(0, all.find_first_of(",\n"));
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

}  // namespace

report::Provenance provenance(const comm::Communicator& communicator, const std::string& command_line) {
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  const BuildInfo& build = build_info();
  report::Provenance result;
  result.program_version = build.version;
  result.git_revision = build.git_revision;
  result.compiler = build.compiler;
  result.compiler_flags = build.flags;
  result.kokkos_version =
      fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100);
  result.kokkos_configuration = configuration.str();
  result.execution_space = fmt::format("{}, concurrency {}", Kokkos::DefaultExecutionSpace::name(),
                                       Kokkos::DefaultExecutionSpace().concurrency());
  result.mpi_library = mpi_library();
  result.devices = lines(communicator.gather_lines(backend::device_description()));
  result.hosts = lines(communicator.gather_lines(host_name()));
  result.ranks = communicator.size();
  result.start_time = now();
  result.command_line = command_line;
  return result;
}

}  // namespace haloheap
