// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_PATH_ALONE_HPP
#define HALOHEAP_UNIT_COMM_PATH_ALONE_HPP

#include <haloheap/comm/paths/halo_path.hpp>

#include <memory>
#include <utility>

namespace haloheap::testing {

/// A path between packed buffers, without the kernels of an exchange.
class PathAlone {
 public:
  using Exec = comm::detail::HaloPath::Exec;

  PathAlone(std::unique_ptr<comm::detail::HaloPath> path, std::size_t rounds)
      : path_(std::move(path)), steps_(rounds) {
    places_ = path_->places();
    path_->add_to(steps_);
  }

  void* send(int round) const { return places_.send[at(round)]; }
  const void* received(int round) const { return places_.receive[at(round)][0]; }

  void begin(int round, const Exec& exec) {
    comm::MessagePhases phases(timer_, exec, comm::Phase::unpack);
    for (const comm::detail::HaloSteps::Stage& stage : steps_.rounds[at(round)].stage) stage(exec);
    for (const comm::detail::HaloSteps::Post& post : steps_.rounds[at(round)].post) post(exec, phases, false);
    phases.end();
  }
  void end(int round, const Exec& exec) {
    comm::MessagePhases phases(timer_, exec, comm::Phase::unpack);
    for (const comm::detail::HaloSteps::End& end : steps_.rounds[at(round)].end) end(exec, phases);
    phases.end();
  }

 private:
  static std::size_t at(int round) { return static_cast<std::size_t>(round); }

  comm::PhaseTimer timer_{false};
  std::unique_ptr<comm::detail::HaloPath> path_;
  comm::detail::HaloSteps steps_;
  comm::detail::PathPlaces places_;
};

}  // namespace haloheap::testing

#endif
