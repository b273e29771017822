// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace haloheap::comm {
namespace {

detail::RoundBytes round_bytes(const HaloRound& round, std::size_t bytes_per_cell) {
  detail::RoundBytes messages;
  std::size_t sent = 0, received = 0;
  for (const HaloMessage& message : round.messages) {
    const auto send = static_cast<std::size_t>(message.send_cells()) * bytes_per_cell;
    const auto receive = static_cast<std::size_t>(message.receive_cells()) * bytes_per_cell;
    messages.push_back({message.peer, sent, send, received, receive});
    sent += send;
    received += receive;
  }
  return messages;
}

void require_place(const Topology& topology, const Communicator& communicator) {
  const grid::Triple& ranks = topology.ranks;
  if (ranks.x * ranks.y * ranks.z != communicator.size())
    throw UsageError(fmt::format("a {} rank grid does not have the {} ranks of the communicator",
                                 detail::extent_text(ranks), communicator.size()),
                     "some neighbours would not exist", "use rank_grid(communicator.size(), ...)");
  if (topology.rank() != communicator.rank())
    throw UsageError(fmt::format("the topology is that of rank {}, but this is rank {} of the communicator",
                                 topology.rank(), communicator.rank()),
                     "halos would go to the wrong ranks",
                     "make it with Topology::make(communicator.rank(), ...)");
}

void require_room(const grid::FieldLayout& layout) {
  const auto& [own, halo] = std::tie(layout.own, layout.halo);
  const grid::Triple first{-halo.x, -halo.y, -halo.z},
      last{own.x + halo.x - 1, own.y + halo.y - 1, own.z + halo.z - 1};
  const bool positive = std::min({own.x, own.y, own.z}) > 0 && std::min({halo.x, halo.y, halo.z}) >= 0;
  if (positive && layout.at(first) >= 0 && layout.at(last) < layout.quantity_size &&
      layout.pitch >= own.x + 2 * halo.x && layout.plane >= layout.pitch * (own.y + 2 * halo.y))
    return;
  throw UsageError(fmt::format("a layout of {} x {} x {} own cells has no room for {} x {} x {} ghost cells "
                               "on each side",
                               own.x, own.y, own.z, halo.x, halo.y, halo.z),
                   "ghost cells would be read and written elsewhere",
                   "make the layout for the widest halo: make_field_layout");
}

/// Own cells and the ghost cells that come from a neighbour.
grid::Box filled_by(const HaloPlan& plan, const grid::FieldLayout& layout) {
  grid::Box filled = layout.own_box();
  const auto add = [&filled](const grid::Box& box) {
    for (int dim = 0; dim < 3; ++dim) {
      filled.lo[dim] = std::min(filled.lo[dim], box.lo[dim]);
      filled.hi[dim] = std::max(filled.hi[dim], box.hi[dim]);
    }
  };
  for (const HaloRound& round : plan.rounds) {
    for (const HaloMessage& message : round.messages)
      for (const grid::Box& box : message.receive) add(box);
    for (const HaloCopy& copy : round.copies) add(copy.to);
  }
  return filled;
}

std::string text(const grid::Box& box) {
  return fmt::format("[{}, {}) x [{}, {}) x [{}, {})", box.lo.x, box.hi.x, box.lo.y, box.hi.y, box.lo.z,
                     box.hi.z);
}

/// The plan of another depth or size leaves ghost cells as they are, or writes beside the field.
void require_fit(const HaloPlan& plan, const Topology& topology, const grid::FieldLayout& layout) {
  grid::Box wanted = layout.own_box();
  for (int dim = 0; dim < layout.dims; ++dim) {
    grid::Triple low, high;
    low[dim] = -1, high[dim] = 1;
    if (topology.neighbour(low) != Topology::none) wanted.lo[dim] -= layout.halo[dim];
    if (topology.neighbour(high) != Topology::none) wanted.hi[dim] += layout.halo[dim];
  }
  const grid::Box filled = filled_by(plan, layout);
  if (filled == wanted) return;
  throw UsageError(fmt::format("the halo plan fills the cells {}, but this layout and topology have {}",
                               text(filled), text(wanted)),
                   "ghost cells would be read and written elsewhere, or stay as they are",
                   "make the plan of the same topology and layout: HaloPlan::make");
}

std::vector<Terms::Item> items(const HaloExchangeConfig& config, const HaloPlan& plan,
                               const Topology& topology, const grid::FieldLayout& layout, std::size_t bytes) {
  const auto flag = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"transport", config.transport},
          {"mpi", config.mpi},
          {"force_gpu_aware", flag(config.force_gpu_aware)},
          {"ranks_per_node", std::to_string(config.ranks_per_node)},
          {"desynchronisation", flag(config.desynchronisation)},
          {"alternating", flag(config.alternating)},
          {"exchange", name_of(plan.exchange)},
          {"number of rounds", std::to_string(plan.rounds.size())},
          detail::rank_grid_term(topology),
          {"periodic", fmt::format("{}", fmt::join(topology.periodic, ", "))},
          {"dims", std::to_string(layout.dims)},
          {"halo", detail::extent_text(layout.halo)},
          {"quantities", std::to_string(layout.quantities)},
          {"bytes of a value", std::to_string(bytes)}};
}

std::string text(const std::vector<grid::Box>& boxes) {
  std::string result;
  for (const grid::Box& box : boxes)
    result += fmt::format("{}{} x {} x {}", result.empty() ? "" : " and ", box.extent(0), box.extent(1),
                          box.extent(2));
  return result + " cells";
}

std::vector<Terms::Trade> trades(const HaloPlan& plan) {
  std::vector<Terms::Trade> result;
  for (std::size_t round = 0; round < plan.rounds.size(); ++round)
    for (const HaloMessage& message : plan.rounds[round].messages)
      result.push_back({static_cast<int>(round), message.peer, text(message.send), text(message.receive)});
  return result;
}

}  // namespace

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const HaloPlan& plan,
                              const Topology& topology, const grid::FieldLayout& layout,
                              const FieldPair<T>& fields, const HaloExchangeConfig& given, PhaseTimer& timer)
    : communicator_(communicator),
      timer_(timer),
      desynchronisation_(given.desynchronisation),
      timeout_(given.timeout),
      rounds_(static_cast<int>(plan.rounds.size())),
      fields_{fields.first.data, fields.second.data},
      buffers_(given.buffers),
      steps_(plan.rounds.size()) {
  require_kokkos("HaloExchange");
  agree_on(communicator, "HaloExchange", set_up_timeout(timeout_), [&] {
    if (!buffers_) buffers_ = memory::make_memory_resource("device");
    fields.first.require(layout, "first");
    fields.second.require(layout, "second");
    memory::require_kernel_access(*buffers_);
    require_place(topology, communicator);
    require_room(layout);
    require_fit(plan, topology, layout);
    return Terms{items(given, plan, topology, layout, sizeof(T)), trades(plan)};
  });
  for (const Route& route : make_routes(communicator, plan, given.transport, given.mpi, given.ranks_per_node))
    add_leg(communicator, topology, layout, route, given);
  make_kernels(plan, layout, given.alternating);
}

template <class T>
void HaloExchange<T>::add_leg(const Communicator& communicator, const Topology& topology,
                              const grid::FieldLayout& layout, const Route& route,
                              const HaloExchangeConfig& config) {
  detail::PathSetup setup{.communicator = communicator,
                          .rounds = {},
                          .buffers = buffers_,
                          .timeout = timeout_,
                          .fields = {.data = {fields_[0], fields_[1]}, .layout = layout, .receive = {}},
                          .mpi = config.mpi,
                          .topology = topology,
                          .exchange = route.plan.exchange,
                          .force_gpu_aware = config.force_gpu_aware};
  for (const HaloRound& round : route.plan.rounds) {
    setup.rounds.push_back(round_bytes(round, sizeof(T) * static_cast<std::size_t>(layout.quantities)));
    auto& boxes = setup.fields.receive.emplace_back();
    for (const HaloMessage& message : round.messages) boxes.push_back(message.receive);
  }
  legs_.push_back({route.transport, route.plan, make_path(route.transport, std::move(setup))});
}

template <class T>
void HaloExchange<T>::make_kernels(const HaloPlan& plan, const grid::FieldLayout& layout, bool alternating) {
  detail::HaloBlocks blocks(layout, rounds_, {fields_[0], fields_[1]});
  for (const Leg& leg : legs_) {
    blocks.add(leg.plan, leg.path->places());
    leg.path->add_to(steps_);
  }
  blocks.add_copies(plan);
  const auto kernels_alone = [](const detail::HaloSteps::Round& round) {
    return round.begin.empty() && round.end.empty();
  };
  const bool alone =
      !desynchronisation_ && std::all_of(steps_.rounds.begin(), steps_.rounds.end(), kernels_alone);
  kernels_.emplace(blocks, layout.quantities, steps_.signals,
                   typename detail::HaloKernels<T>::Choices{.alternating = alternating, .alone = alone});
}

/// After an error it is not known which messages are under way.
template <class T>
template <class Work>
void HaloExchange<T>::fail_for_good(const Work& work) {
  try {
    work();
  } catch (...) {
    failed_ = true;
    throw;
  }
}

template <class T>
void HaloExchange<T>::require_sound(const char* call) const {
  if (failed_)
    throw UsageError(fmt::format("HaloExchange::{} was called after an exchange that failed", call),
                     "what has come from which neighbour is not known",
                     "see to the first error, and make another HaloExchange");
}

/// Before anything of `call` is done: a peer that was told of it could not be told otherwise.
template <class T>
void HaloExchange<T>::require_none_begun(const char* call, const T* field) const {
  require_sound(call);
  kernels_->require(field);
  if (begun_field_)
    throw UsageError(
        fmt::format("HaloExchange::{} was called for an exchange that has begun and not ended", call),
        "nothing was sent", "call HaloExchange::end first");
}

template <class T>
void HaloExchange<T>::require_begun(const T* field) const {
  require_sound("end");
  kernels_->require(field);
  if (!begun_field_)
    throw UsageError("HaloExchange::end was called for an exchange that has not begun",
                     "nothing was received", "call HaloExchange::begin first");
  if (field != begun_field_)
    throw UsageError("HaloExchange::end was given another field than HaloExchange::begin",
                     "nothing was received", "give both the same field");
}

template <class T>
void HaloExchange<T>::exchange(const Exec& exec, const T* field) {
  require_none_begun("exchange", field);
  if (!kernels_->whole())
    return fail_for_good([&] {
      begin(exec, field, true);
      finish(exec, field);
    });
  timer_.begin(Phase::message, exec);
  kernels_->exchange(exec, field);
  timer_.end(Phase::message, exec);
}

template <class T>
void HaloExchange<T>::begin(const Exec& exec, const T* field) {
  require_none_begun("begin", field);
  fail_for_good([&] { begin(exec, field, false); });
  begun_field_ = field;
}

template <class T>
void HaloExchange<T>::begin(const Exec& exec, const T* field, bool end_follows) {
  timer_.begin(Phase::pack, exec);
  kernels_->begin(exec, field);
  send(0, exec, end_follows);
  timer_.end(Phase::pack, exec);
}

template <class T>
void HaloExchange<T>::send(int round, const Exec& exec, bool end_follows) {
  for (const detail::HaloSteps::Begin& begin : steps_of(round).begin) begin(exec, end_follows);
}

/// So that the time of packing is not taken for that of slow ranks, nor theirs for that of messages.
template <class T>
void HaloExchange<T>::desynchronise(int round, const Exec& exec) {
  if (steps_of(round).host) {
    packed_.record(exec);
    packed_.wait_on_host();
  }
  const HostSpan span(timer_, Phase::desynchronisation);
  communicator_.barrier(timeout_);
}

template <class T>
void HaloExchange<T>::receive(int round, const Exec& exec, const T* field) {
  ArrivalPhases phases(timer_, exec, steps_.signals ? steps_.signals->unpacking : Phase::unpack);
  for (const detail::HaloSteps::End& end : steps_of(round).end) end(exec, phases);
  phases.unpack();
  kernels_->unpack(round, exec, field);
  phases.end();
}

template <class T>
void HaloExchange<T>::end(const Exec& exec, const T* field) {
  require_begun(field);
  fail_for_good([&] { finish(exec, field); });
  begun_field_ = nullptr;
}

template <class T>
void HaloExchange<T>::finish(const Exec& exec, const T* field) {
  for (int round = 0; round < rounds_; ++round) {
    if (round > 0) {
      timer_.begin(Phase::pack, exec);
      kernels_->forward(round, exec, field);
      send(round, exec, true);
      timer_.end(Phase::pack, exec);
    }
    if (desynchronisation_) desynchronise(round, exec);
    receive(round, exec, field);
  }
}

template <class T>
bool HaloExchange<T>::without_host() const {
  const auto host = [](const detail::HaloSteps::Round& round) { return round.host; };
  return !desynchronisation_ && std::none_of(steps_.rounds.begin(), steps_.rounds.end(), host);
}

template <class T>
std::string HaloExchange<T>::mix() const {
  std::string text;
  for (const Leg& leg : legs_) {
    const std::size_t peers = leg.peers().size();
    if (peers > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", leg.name, peers);
  }
  return text.empty() ? "no neighbours" : text;
}

template <class T>
bool HaloExchange<T>::uses_message_mode() const {
  return std::any_of(legs_.begin(), legs_.end(), [](const Leg& leg) {
    return !leg.peers().empty() && transport_info(leg.name).carrier == Carrier::mpi;
  });
}

template <class T>
std::set<int> HaloExchange<T>::Leg::peers() const {
  std::set<int> all;
  for (const HaloRound& round : plan.rounds)
    for (const HaloMessage& message : round.messages) all.insert(message.peer);
  return all;
}

template <class T>
void HaloExchange<T>::check() {
  fail_for_good([this] {
    for (const detail::HaloSteps::Check& check : steps_.checks) check();
  });
}

template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace haloheap::comm
