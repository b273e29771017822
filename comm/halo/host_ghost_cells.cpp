// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/host_ghost_cells.hpp>
#include <haloheap/comm/lost_peer.hpp>
#include <haloheap/core/base/deadline.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace haloheap::comm {
namespace {

constexpr int tag = 27;

/// visit(place in the array of the first cell, number of cells) for each row of some boxes, in one order.
template <class Visit>
void for_each_row(const grid::FieldLayout& layout, const std::vector<grid::Box>& boxes, const Visit& visit) {
  for (const grid::Box& box : boxes)
    for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
      for (grid::Index y = box.lo.y; y < box.hi.y; ++y) visit(layout.at({box.lo.x, y, z}), box.extent(0));
}

}  // namespace

HostGhostCells::HostGhostCells(const Communicator& communicator, const Topology& topology,
                               const grid::FieldLayout& layout, const grid::Triple& cells, double timeout)
    : communicator_(communicator), layout_(layout), timeout_(timeout) {
  const HaloPlan plan = HaloPlan::make(topology, layout, cells, Exchange::sync);
  for (const HaloRound& planned : plan.rounds) {
    Round round;
    round.copies = planned.copies;
    for (const HaloMessage& message : planned.messages)
      round.trades.push_back(
          {.peer = message.peer,
           .send = message.send,
           .receive = message.receive,
           .sent = std::vector<double>(static_cast<std::size_t>(message.send_cells())),
           .received = std::vector<double>(static_cast<std::size_t>(message.receive_cells()))});
    rounds_.push_back(std::move(round));
  }
}

void HostGhostCells::start(Trade& trade, const double* field) {
  check_mpi(MPI_Irecv(trade.received.data(), static_cast<int>(trade.received.size()), MPI_DOUBLE, trade.peer,
                      tag, communicator_.get(), &trade.receiving),
            "MPI_Irecv");
  double* next = trade.sent.data();
  for_each_row(layout_, trade.send,
               [&](grid::Index at, grid::Index count) { next = std::copy_n(field + at, count, next); });
  check_mpi(MPI_Isend(trade.sent.data(), static_cast<int>(trade.sent.size()), MPI_DOUBLE, trade.peer, tag,
                      communicator_.get(), &trade.sending),
            "MPI_Isend");
}

void HostGhostCells::wait(Trade& trade) {
  base::Deadline deadline(timeout_);
  for (MPI_Request* request : {&trade.receiving, &trade.sending}) {
    int done = 0;
    while (true) {
      check_mpi(MPI_Test(request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done) break;
      if (deadline.passed()) {
        const auto lost = detail::lost_peer(communicator_.rank(), timeout_, std::to_string(trade.peer));
        communicator_.leave_open();
        abandon();
        throw lost;
      }
      deadline.rest();
    }
  }
}

/// MPI may still read and write messages that are under way: they stay until the program ends.
void HostGhostCells::abandon() {
  static auto* const all = new std::vector<std::vector<Round>>;
  all->push_back(std::move(rounds_));
}

void HostGhostCells::finish(Trade& trade, double* field) {
  wait(trade);
  const double* next = trade.received.data();
  for_each_row(layout_, trade.receive, [&](grid::Index at, grid::Index count) {
    std::copy_n(next, count, field + at);
    next += count;
  });
}

void HostGhostCells::fill(double* field) {
  for (Round& round : rounds_) {
    for (Trade& trade : round.trades) start(trade, field);
    for (const HaloCopy& copy : round.copies) {
      std::vector<grid::Index> from;
      for_each_row(layout_, {copy.from}, [&](grid::Index at, grid::Index /*count*/) { from.push_back(at); });
      std::size_t row = 0;
      for_each_row(layout_, {copy.to}, [&](grid::Index at, grid::Index count) {
        std::copy_n(field + from[row++], count, field + at);
      });
    }
    for (Trade& trade : round.trades) finish(trade, field);
  }
}

}  // namespace haloheap::comm
