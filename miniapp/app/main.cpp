// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/base/build_info.hpp>
#include <haloheap/core/base/error_kind_of.hpp>
#include <haloheap/miniapp/app/app.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

namespace {

using haloheap::ErrorKind;
using haloheap::base::error_kind_of;

void say(const std::string& text) {
  std::fprintf(stderr, "haloheap: %s\n", text.c_str());
}

/// For errors of one rank, most of which name it already.
void say_of_rank(int rank, const std::string& text) {
  say(text.starts_with("rank ") ? text : "rank " + std::to_string(rank) + ": " + text);
}

std::string join(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i ? " " : "") + std::string(argv[i]);
  return line;
}

/// A rank that is missed keeps its neighbours from others, who miss those in turn: all wait equally long, and
/// only together they tell which rank it is that says nothing.
void let_others_speak() {
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

bool asks_for_kokkos_help(int argc, char** argv) {
  return std::find(argv, argv + argc, std::string_view("--kokkos-help")) != argv + argc;
}

void require_device() {
  if (haloheap::backend::device_count() > 0) return;
  throw haloheap::CapabilityError("this build runs on a device, and this process sees none",
                                  "nothing was started",
                                  "run it where the driver shows a device, or use a build for the CPU");
}

/// Everything between MPI_Init and MPI_Finalize. Errors that all ranks share end the program in order; an
/// error of one rank has to end the others by force, or they would wait for it.
int run(int argc, char** argv, int rank) {
  const std::string command_line = join(argc, argv);
  try {
    haloheap::allocators::add_arenas();
    const auto command = haloheap::deck::parse_command_line(argc, argv, haloheap::build_info().version);
    if (haloheap::run_offline(command, rank == 0)) return 0;
    require_device();
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const haloheap::comm::Communicator communicator(MPI_COMM_WORLD);
    try {
      return haloheap::run_deck(command, communicator, command_line);
    } catch (const haloheap::comm::AgreedError&) {
      throw;
    } catch (const std::exception& error) {
      const ErrorKind kind = error_kind_of(error);
      say_of_rank(rank, error.what());
      if (kind == ErrorKind::communication) let_others_speak();
      MPI_Abort(MPI_COMM_WORLD, static_cast<int>(kind));
    }
  } catch (const std::exception& error) {
    if (rank == 0) say(error.what());
    return static_cast<int>(error_kind_of(error));
  }
  return static_cast<int>(ErrorKind::internal);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (asks_for_kokkos_help(argc, argv)) {
    // Kokkos prints it and ends the process: one rank is enough, and MPI has to be left before.
    MPI_Finalize();
    if (rank == 0) Kokkos::initialize(argc, argv);
    return 0;
  }
  const int code = run(argc, argv, rank);
  MPI_Finalize();
  return code;
}
