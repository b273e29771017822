// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/device_state.hpp>
#include <haloheap/core/base/build_info.hpp>
#include <haloheap/miniapp/app/provenance.hpp>
#include <haloheap/miniapp/report/host_state.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <sstream>
#include <thread>

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

/// What each rank has to tell, on rank 0; nothing where a rank has nothing.
std::vector<std::string> told_by_all(const comm::Communicator& communicator, const std::string& own) {
  std::vector<std::string> all = lines(communicator.gather_lines(own));
  const bool complete = static_cast<int>(all.size()) == communicator.size() &&
                        std::none_of(all.begin(), all.end(), [](const auto& text) { return text.empty(); });
  return complete ? all : std::vector<std::string>{};
}

/// How busy and how fast the machine is now. Collective.
void fill_machine_state(report::Provenance& result, const comm::Communicator& communicator) {
  const report::HostState host = report::host_state();
  const backend::DeviceState device = backend::device_state();
  for (const std::string& load : told_by_all(communicator, host.load ? fmt::format("{}", *host.load) : ""))
    result.loads.push_back(std::stod(load));
  const auto cores = told_by_all(communicator, fmt::format("{}", std::thread::hardware_concurrency()));
  if (!result.loads.empty())
    for (const std::string& number : cores) result.cores.push_back(std::stoll(number));
  result.cpu_clocks = told_by_all(communicator, host.clocks);
  result.drivers = told_by_all(communicator, device.driver);
  result.device_clocks = told_by_all(communicator, device.clocks);
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
  fill_machine_state(result, communicator);
  return result;
}

}  // namespace haloheap
