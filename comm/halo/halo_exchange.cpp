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
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace haloheap::comm {
namespace {

detail::RoundBytes round_bytes(const HaloRound& round, const std::vector<detail::FieldShape>& shapes) {
  detail::RoundBytes messages;
  std::map<int, int> with_peer;
  grid::Index sent = 0, received = 0;
  for (const HaloMessage& message : round.messages) {
    sent = detail::packed_start(sent), received = detail::packed_start(received);
    const grid::Index send = detail::PackedMessage(shapes, message.send).bytes,
                      receive = detail::PackedMessage(shapes, message.receive).bytes;
    messages.push_back({message.peer, static_cast<std::size_t>(sent), static_cast<std::size_t>(send),
                        static_cast<std::size_t>(received), static_cast<std::size_t>(receive),
                        with_peer[message.peer]++});
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

/// Own cells and the ghost cells that come from a neighbour.
grid::Box filled_by(const HaloPlan& plan, const HaloBounds& bounds) {
  grid::Box filled = bounds.own_box();
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
void require_fit(const HaloPlan& plan, const Topology& topology, const HaloBounds& bounds) {
  grid::Box wanted = bounds.own_box();
  for (int dim = 0; dim < bounds.dims; ++dim) {
    grid::Triple low, high;
    low[dim] = -1, high[dim] = 1;
    if (topology.neighbour(low) != Topology::none) wanted.lo[dim] -= bounds.low[dim];
    if (topology.neighbour(high) != Topology::none) wanted.hi[dim] += bounds.high[dim];
  }
  const grid::Box filled = filled_by(plan, bounds);
  if (filled == wanted) return;
  throw UsageError(fmt::format("the halo plan fills the cells {}, but this layout and topology have {}",
                               text(filled), text(wanted)),
                   "ghost cells would be read and written elsewhere, or stay as they are",
                   "make the plan of the same topology and layout: HaloPlan::make");
}

/// One number a dimension, or two where the sides differ.
std::string width_text(const HaloBounds& bounds) {
  std::vector<std::string> widths;
  for (const int dim : {0, 1, 2}) {
    const grid::Index low = bounds.low[dim], high = bounds.high[dim];
    widths.push_back(low == high ? std::to_string(low) : fmt::format("{}/{}", low, high));
  }
  return fmt::format("{}", fmt::join(widths, " x "));
}

/// A number of each field.
template <class Number>
std::string of_all(const ExchangedFields& given, const Number& number) {
  std::vector<std::string> numbers;
  for (const ExchangedField& field : given.fields) numbers.push_back(fmt::format("{}", number(field)));
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::vector<Terms::Item> items(const HaloExchangeConfig& config, const HaloPlan& plan,
                               const Topology& topology, const ExchangedFields& given) {
  const auto flag = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {
      {"transport", config.transport},
      {"mpi", config.mpi},
      {"force_gpu_aware", flag(config.force_gpu_aware)},
      {"ranks_per_node", std::to_string(config.ranks_per_node)},
      {"desynchronisation", flag(config.desynchronisation)},
      {"alternating", flag(config.alternating)},
      {"exchange", name_of(plan.exchange)},
      {"messages", name_of(plan.messages_per)},
      {"packing", name_of(config.packing)},
      {"corners", name_of(config.corners)},
      {"number of rounds", std::to_string(plan.rounds.size())},
      detail::rank_grid_term(topology),
      {"periodic", fmt::format("{}", fmt::join(topology.periodic, ", "))},
      {"dims", std::to_string(given.bounds.dims)},
      {"halo", width_text(given.bounds)},
      {"number of fields", std::to_string(given.fields.size())},
      {"quantities", of_all(given, [](const ExchangedField& field) { return field.shape.quantities; })},
      {"bytes of a value", of_all(given, [](const ExchangedField& field) { return field.shape.element; })}};
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

/// The order of the dimensions of each field in memory, as this rank has it.
std::string order_text(const std::vector<detail::FieldShape>& shapes) {
  std::string text;
  for (const detail::FieldShape& shape : shapes)
    for (const std::size_t dim : shape.memory_order()) text += std::to_string(dim);
  return text;
}

/// Values are packed in the order in which rank 0 has them in memory: where ranks differ, both sides of a
/// message still agree, and only kernels of the others take longer.
void agree_on_order(const Communicator& communicator, std::vector<detail::FieldShape>& shapes) {
  const std::string order = communicator.broadcast(order_text(shapes), 0);
  std::size_t next = 0;
  for (detail::FieldShape& shape : shapes)
    for (std::size_t& dim : shape.packed_order) dim = static_cast<std::size_t>(order.at(next++) - '0');
}

/// Whether any field is the same in both sets.
bool sets_share(const std::vector<detail::ForEachSet>& data) {
  return std::any_of(data.begin(), data.end(),
                     [](const detail::ForEachSet& field) { return field[0] == field[1]; });
}

/// Whoever adds needs each value apart, and before the next round.
void require_kernels(const HaloExchangeConfig& config) {
  if (config.packing == Packing::kernel && config.corners == Corners::device) return;
  throw UsageError("ghost values that are accumulated are packed by kernels, round by round", "",
                   "use packing = kernel and corners = device, or a halo without accumulate");
}

}  // namespace

bool uses_message_mode(std::string_view transport) {
  if (transport == automatic_transport) return true;
  const TransportInfo* const info = transports().find(transport);
  return info != nullptr && info->carrier == Carrier::mpi;
}

HaloExchange::HaloExchange(const Communicator& communicator, const HaloPlan& plan, const Topology& topology,
                           const ExchangedFields& given, const HaloExchangeConfig& config, PhaseTimer& timer)
    : communicator_(communicator),
      timer_(timer),
      owner_(given.owner),
      flow_(given.flow),
      desynchronisation_(config.desynchronisation),
      timeout_(config.timeout),
      rounds_(static_cast<int>(plan.rounds.size())),
      buffers_(config.buffers),
      steps_(plan.rounds.size()) {
  require_kokkos(owner_);
  agree_on(communicator, owner_, set_up_timeout(timeout_), [&] {
    if (!buffers_) buffers_ = memory::make_memory_resource("device");
    if (given.problem) throw UsageError(*given.problem);
    require_none(host_problem(config.transport, config.mpi, {config.packing, config.corners}));
    if (given.flow == detail::Flow::accumulate) require_kernels(config);
    memory::require_kernel_access(*buffers_);
    require_place(topology, communicator);
    require_fit(plan, topology, given.bounds);
    return Terms{items(config, plan, topology, given), trades(plan)};
  });
  for (const ExchangedField& field : given.fields) {
    shapes_.push_back(field.shape);
    data_.push_back(field.data);
  }
  agree_on_order(communicator, shapes_);
  const HaloPlan directed = flow_ == detail::Flow::fill ? plan : plan.reversed();
  add_legs(topology, given.bounds, directed, config);
  // Later rounds of what is accumulated wait for the peers' word, which must then be given.
  const bool alternating = config.alternating && flow_ == detail::Flow::fill && !sets_share(data_);
  make_kernels(directed, given, config.corners, alternating);
}

/// For "auto" as far as memory can be mapped. Whether it can is only known by doing it; then all ranks know.
void HaloExchange::add_legs(const Topology& topology, const HaloBounds& bounds, const HaloPlan& plan,
                            const HaloExchangeConfig& config) {
  const auto join = [&](const std::string& transport) {
    for (const Route& route : make_routes(communicator_, plan, transport, config.mpi, config.ranks_per_node))
      add_leg(topology, bounds, route, config);
  };
  try {
    return join(config.transport);
  } catch (const AgreedError& error) {
    if (config.transport != automatic_transport || error.kind() != ErrorKind::capability) throw;
    const std::string text = error.what();
    why_not_mapped_ = text.substr(0, text.find('\n'));
  }
  legs_.clear();
  join(without_mapping(config.mpi));
}

void HaloExchange::add_leg(const Topology& topology, const HaloBounds& bounds, const Route& route,
                           const HaloExchangeConfig& config) {
  detail::PathSetup setup{.communicator = communicator_,
                          .rounds = {},
                          .buffers = buffers_,
                          .timeout = timeout_,
                          .fields = {},
                          .mpi = config.mpi,
                          .topology = topology,
                          .exchange = route.plan.exchange,
                          .messages_per = route.plan.messages_per,
                          .force_gpu_aware = config.force_gpu_aware};
  // What is to be added goes packed: who stored it into a field would overwrite what is there.
  if (flow_ == detail::Flow::fill) setup.fields = {.data = data_, .shapes = shapes_};
  std::vector<detail::RoundStrips> strips;
  if (config.packing == Packing::datatype)
    strips = detail::strips_of(route.plan, bounds, filled_by(route.plan, bounds), shapes_);
  for (const HaloRound& round : route.plan.rounds) {
    if (!strips.empty()) setup.typed.emplace_back(round, strips[setup.rounds.size()]);
    setup.rounds.push_back(round_bytes(round, shapes_));
    auto& boxes = setup.fields.receive.emplace_back();
    for (const HaloMessage& message : round.messages) boxes.push_back(message.receive);
  }
  legs_.push_back(
      {route.transport, route.plan, std::move(strips), make_path(route.transport, std::move(setup))});
}

void HaloExchange::make_kernels(const HaloPlan& plan, const ExchangedFields& given, Corners corners,
                                bool alternating) {
  detail::HaloBlocks blocks(given.bounds.own_box(), rounds_, shapes_, data_, flow_);
  if (corners == Corners::host) blocks.leave_corners_to_host(plan);
  for (const Leg& leg : legs_) {
    blocks.add(leg.plan, leg.path->places(), leg.strips);
    if (corners == Corners::host) steps_.corners = blocks.corners;
    leg.path->add_to(steps_);
  }
  blocks.add_copies(plan);
  const auto kernels_alone = [](const detail::HaloSteps::Round& round) {
    return round.stage.empty() && round.post.empty() && round.end.empty();
  };
  const bool alone =
      !desynchronisation_ && std::all_of(steps_.rounds.begin(), steps_.rounds.end(), kernels_alone);
  std::vector<ValueType> types;
  for (const ExchangedField& field : given.fields) types.push_back(field.type);
  kernels_.emplace(blocks, steps_.signals,
                   detail::HaloKernels::Choices{
                       .alternating = alternating, .alone = alone, .flow = flow_, .types = types});
}

int HaloExchange::set_of(const void* field) const {
  for (const int set : {0, 1})
    if (data_.front()[static_cast<std::size_t>(set)] == field) return set;
  throw UsageError("this field is none of those that the exchange was made for", "",
                   "give both fields to the constructor of " + owner_);
}

/// After an error it is not known which messages are under way.
template <class Work>
void HaloExchange::fail_for_good(const Work& work) {
  try {
    work();
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void HaloExchange::require_sound(const char* call) const {
  if (failed_)
    throw UsageError(fmt::format("{}::{} was called after an exchange that failed", owner_, call),
                     "what has come from which neighbour is not known",
                     fmt::format("see to the first error, and make another {}", owner_));
}

/// Before anything of `call` is done: a peer that was told of it could not be told otherwise.
void HaloExchange::require_none_begun(const char* call) const {
  require_sound(call);
  if (begun_set_ != none)
    throw UsageError(
        fmt::format("{}::{} was called for an exchange that has begun and not ended", owner_, call),
        "nothing was sent", fmt::format("call {}::end first", owner_));
}

void HaloExchange::require_begun(int set) const {
  require_sound("end");
  if (begun_set_ == none)
    throw UsageError(fmt::format("{}::end was called for an exchange that has not begun", owner_),
                     "nothing was received", fmt::format("call {}::begin first", owner_));
  if (set != begun_set_)
    throw UsageError(fmt::format("{0}::end was given another field than {0}::begin", owner_),
                     "nothing was received", "give both the same field");
}

void HaloExchange::exchange(const Exec& exec, int set) {
  require_none_begun(flow_ == detail::Flow::fill ? "exchange" : "accumulate");
  if (!kernels_->whole())
    return fail_for_good([&] {
      begin(exec, set, true);
      finish(exec, set);
    });
  timer_.begin(Phase::message, exec);
  kernels_->exchange(exec, set);
  timer_.end(Phase::message, exec);
}

void HaloExchange::begin(const Exec& exec, int set) {
  require_none_begun("begin");
  fail_for_good([&] { begin(exec, set, false); });
  begun_set_ = set;
}

void HaloExchange::begin(const Exec& exec, int set, bool end_follows) {
  timer_.begin(Phase::pack, exec);
  kernels_->begin(exec, set);
  stage(in_turn(0), exec);
  timer_.end(Phase::pack, exec);
  if (!desynchronisation_) post(in_turn(0), exec, end_follows);
}

void HaloExchange::stage(int round, const Exec& exec) {
  for (const detail::HaloSteps::Stage& stage : steps_of(round).stage) stage(exec);
}

void HaloExchange::post(int round, const Exec& exec, bool end_follows) {
  MessagePhases phases(timer_, exec, unpacking());
  for (const detail::HaloSteps::Post& post : steps_of(round).post) post(exec, phases, end_follows);
  phases.end();
}

/// Ranks meet once an exchange, when all have packed and none has sent anything: so the time of packing is
/// not taken for that of slow ranks, nor theirs for that of messages.
void HaloExchange::desynchronise(int round, const Exec& exec) {
  if (steps_of(round).host) {
    packed_.record(exec);
    packed_.wait_on_host();
  }
  const HostSpan span(timer_, Phase::desynchronisation);
  communicator_.barrier(timeout_);
}

void HaloExchange::receive(int round, const Exec& exec, int set) {
  MessagePhases phases(timer_, exec, unpacking());
  for (const detail::HaloSteps::End& end : steps_of(round).end) end(exec, phases);
  phases.unpack();
  kernels_->unpack(round, exec, set);
  phases.end();
}

void HaloExchange::end(const Exec& exec, int set) {
  require_begun(set);
  fail_for_good([&] { finish(exec, set); });
  begun_set_ = none;
}

void HaloExchange::finish(const Exec& exec, int set) {
  for (int turn = 0; turn < rounds_; ++turn) {
    const int round = in_turn(turn);
    if (turn > 0) {
      timer_.begin(Phase::pack, exec);
      kernels_->forward(round, exec, set);
      stage(round, exec);
      timer_.end(Phase::pack, exec);
    } else if (desynchronisation_) {
      desynchronise(round, exec);
    }
    if (turn > 0 || desynchronisation_) post(round, exec, true);
    receive(round, exec, set);
  }
}

bool HaloExchange::without_host() const {
  const auto host = [](const detail::HaloSteps::Round& round) { return round.host; };
  return !desynchronisation_ && std::none_of(steps_.rounds.begin(), steps_.rounds.end(), host);
}

std::string HaloExchange::mix() const {
  std::string text;
  for (const Leg& leg : legs_) {
    const std::size_t peers = leg.peers().size();
    if (peers > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", leg.name, peers);
  }
  return text.empty() ? "no neighbours" : text;
}

bool HaloExchange::uses_message_mode() const {
  return std::any_of(legs_.begin(), legs_.end(), [](const Leg& leg) {
    return !leg.peers().empty() && comm::uses_message_mode(leg.name);
  });
}

std::set<int> HaloExchange::Leg::peers() const {
  std::set<int> all;
  for (const HaloRound& round : plan.rounds)
    for (const HaloMessage& message : round.messages) all.insert(message.peer);
  return all;
}

void HaloExchange::check() {
  fail_for_good([this] {
    for (const detail::HaloSteps::Check& check : steps_.checks) check();
  });
}

}  // namespace haloheap::comm
