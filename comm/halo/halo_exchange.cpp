// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace haloheap {
namespace {

// Numbers in the list of kernels.
constexpr std::size_t early = 0, signals_only = 1;
constexpr std::size_t forwarded(int round) {
  return 2 + 2 * static_cast<std::size_t>(round);
}
constexpr std::size_t unpacked(int round) {
  return forwarded(round) + 1;
}

RoundBytes round_bytes(const HaloRound& round, std::size_t bytes_per_cell) {
  RoundBytes messages;
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

void require_reachable(const MemoryResource& buffers) {
  if (!kernel_accessible(buffers.properties()))
    throw UsageError("halo buffers of memory '" + buffers.name() + "' cannot be reached by kernels here", "",
                     "set memory.buffers to device, pinned or managed");
}

void require_place(const Topology& topology, const Communicator& communicator) {
  const Triple& ranks = topology.ranks;
  if (ranks.x * ranks.y * ranks.z != communicator.size())
    throw UsageError(fmt::format("a {} x {} x {} rank grid does not have the {} ranks of the communicator",
                                 ranks.x, ranks.y, ranks.z, communicator.size()),
                     "some neighbours would not exist", "use rank_grid(communicator.size(), ...)");
  if (topology.rank() != communicator.rank())
    throw UsageError(fmt::format("the topology is that of rank {}, but this is rank {} of the communicator",
                                 topology.rank(), communicator.rank()),
                     "halos would go to the wrong ranks",
                     "make it with Topology::make(communicator.rank(), ...)");
}

void require_room(const FieldLayout& layout) {
  const auto& [own, halo] = std::tie(layout.own, layout.halo);
  const Triple first{-halo.x, -halo.y, -halo.z},
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
Box filled_by(const HaloPlan& plan, const FieldLayout& layout) {
  Box filled = layout.own_box();
  const auto add = [&filled](const Box& box) {
    for (int dim = 0; dim < 3; ++dim) {
      filled.lo[dim] = std::min(filled.lo[dim], box.lo[dim]);
      filled.hi[dim] = std::max(filled.hi[dim], box.hi[dim]);
    }
  };
  for (const HaloRound& round : plan.rounds) {
    for (const HaloMessage& message : round.messages)
      for (const Box& box : message.receive) add(box);
    for (const HaloCopy& copy : round.copies) add(copy.to);
  }
  return filled;
}

std::string text(const Box& box) {
  return fmt::format("[{}, {}) x [{}, {}) x [{}, {})", box.lo.x, box.hi.x, box.lo.y, box.hi.y, box.lo.z,
                     box.hi.z);
}

/// The plan of another depth or size leaves ghost cells as they are, or writes beside the field.
void require_fit(const HaloPlan& plan, const Topology& topology, const FieldLayout& layout) {
  Box wanted = layout.own_box();
  for (int dim = 0; dim < layout.dims; ++dim) {
    Triple low, high;
    low[dim] = -1, high[dim] = 1;
    if (topology.neighbour(low) != Topology::none) wanted.lo[dim] -= layout.halo[dim];
    if (topology.neighbour(high) != Topology::none) wanted.hi[dim] += layout.halo[dim];
  }
  const Box filled = filled_by(plan, layout);
  if (filled == wanted) return;
  throw UsageError(fmt::format("the halo plan fills the cells {}, but this layout and topology have {}",
                               text(filled), text(wanted)),
                   "ghost cells would be read and written elsewhere, or stay as they are",
                   "make the plan of the same topology and layout: HaloPlan::make");
}

std::vector<Terms::Item> items(const HaloExchangeConfig& config, const HaloPlan& plan,
                               const Topology& topology, const FieldLayout& layout, std::size_t bytes) {
  const auto triple = [](const Triple& t) { return fmt::format("{} x {} x {}", t.x, t.y, t.z); };
  const auto flag = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"transport", config.transport},
          {"mpi", config.mpi},
          {"force_gpu_aware", flag(config.force_gpu_aware)},
          {"ranks_per_node", std::to_string(config.ranks_per_node)},
          {"desynchronisation", flag(config.desynchronisation)},
          {"alternating", flag(config.alternating)},
          {"exchange", name_of(plan.exchange)},
          {"number of rounds", std::to_string(plan.rounds.size())},
          {"rank grid", triple(topology.ranks)},
          {"periodic", fmt::format("{}", fmt::join(topology.periodic, ", "))},
          {"dims", std::to_string(layout.dims)},
          {"halo", triple(layout.halo)},
          {"quantities", std::to_string(layout.quantities)},
          {"bytes of a value", std::to_string(bytes)}};
}

std::string text(const std::vector<Box>& boxes) {
  std::string result;
  for (const Box& box : boxes)
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
SignalDuties::Lines HaloExchange<T>::Leg::lines(int first, int last) const {
  const int begin = first_line[static_cast<std::size_t>(first)];
  return {begin, first_line[static_cast<std::size_t>(last)] - begin};
}

template <class T>
SignalDuties::Lines HaloExchange<T>::Leg::ready_lines() const {
  return {first_line.back(), first_line.back()};
}

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const HaloPlan& plan,
                              const Topology& topology, const FieldLayout& layout, const FieldPair<T>& fields,
                              const HaloExchangeConfig& given, PhaseTimer& timer)
    : communicator_(communicator),
      layout_(layout),
      timer_(timer),
      desynchronisation_(given.desynchronisation),
      alternating_(given.alternating),
      timeout_(given.timeout),
      rounds_(static_cast<int>(plan.rounds.size())),
      fields_{fields.first.data, fields.second.data} {
  require_kokkos("HaloExchange");
  HaloExchangeConfig config = given;
  agree_on(communicator, "HaloExchange", set_up_patience(timeout_), [&] {
    if (!config.buffers) config.buffers = make_memory_resource("device");
    fields.first.require(layout, "first");
    fields.second.require(layout, "second");
    require_reachable(*config.buffers);
    require_place(topology, communicator);
    require_room(layout);
    require_fit(plan, topology, layout);
    return Terms{items(config, plan, topology, layout, sizeof(T)), trades(plan)};
  });
  array_list_.push_back(fields_);  // number HaloBlocks::field
  for (const Route& route :
       make_routes(communicator, plan, config.transport, config.mpi, config.ranks_per_node))
    add_leg(communicator, topology, route, config);
  make_blocks(plan);
  std::vector<BlockArray<T>> table;
  for (const std::size_t which : {0, 1})
    for (const auto& array : array_list_) table.push_back({array[which]});
  arrays_.emplace(make_memory_resource("device"), "haloheap::comm::arrays", table.size());
  upload(*arrays_, table);
}

template <class T>
void HaloExchange<T>::add_leg(const Communicator& communicator, const Topology& topology, const Route& route,
                              const HaloExchangeConfig& config) {
  Leg leg{.name = route.transport, .plan = route.plan, .transport = nullptr, .places = {}, .first_line = {}};
  TransportSetup setup{.communicator = communicator,
                       .rounds = {},
                       .buffers = config.buffers,
                       .timeout = config.timeout,
                       .fields = {.data = {fields_[0], fields_[1]}, .layout = layout_, .receive = {}},
                       .mpi = config.mpi,
                       .topology = topology,
                       .exchange = route.plan.exchange,
                       .force_gpu_aware = config.force_gpu_aware};
  for (const HaloRound& round : route.plan.rounds) {
    setup.rounds.push_back(round_bytes(round, sizeof(T) * static_cast<std::size_t>(layout_.quantities)));
    auto& boxes = setup.fields.receive.emplace_back();
    for (const HaloMessage& message : round.messages) boxes.push_back(message.receive);
  }
  leg.transport = make_transport(route.transport, std::move(setup));
  add_places(leg);
  legs_.push_back(std::move(leg));
}

template <class T>
int HaloExchange<T>::add_array(void* first, void* second) {
  array_list_.push_back({static_cast<T*>(first), static_cast<T*>(second)});
  return static_cast<int>(array_list_.size()) - 1;
}

template <class T>
void HaloExchange<T>::add_places(Leg& leg) {
  RoutePlaces& places = leg.places;
  Transport& transport = *leg.transport;
  int line = 0;
  for (int round = 0; round < rounds_; ++round) {
    const std::size_t count = leg.plan.rounds[static_cast<std::size_t>(round)].messages.size();
    leg.first_line.push_back(line);
    line += static_cast<int>(count);
    if (transport.stores()) {
      add_remote(round, count, transport, places);
    } else {
      std::byte* const send = transport.send_buffer(round);
      std::byte* const receive = const_cast<std::byte*>(transport.receive_buffer(round));
      places.send.push_back(add_array(send, send));
      places.receive.push_back(add_array(receive, receive));
    }
  }
  leg.first_line.push_back(line);
  // Kernels that pack or unpack wait for the signals of their blocks, unless that has been done before them.
  if (transport.signals() && !transport.stages()) places.first_line = leg.first_line;
}

template <class T>
void HaloExchange<T>::add_remote(int round, std::size_t messages, Transport& transport, RoutePlaces& places) {
  const auto buffers = transport.narrow_buffers(round);
  places.receive.push_back(add_array(buffers[0], buffers[1]));
  auto& arrays = places.remote.emplace_back();
  auto& narrow = places.remote_buffer.emplace_back();
  auto& halos = places.remote_halo.emplace_back();
  for (std::size_t m = 0; m < messages; ++m) {
    const RemoteHalo& remote = transport.remote(round, m);
    arrays.push_back(add_array(remote.data[0], remote.data[1]));
    narrow.push_back(add_array(remote.buffer[0], remote.buffer[1]));
    halos.push_back(&remote);
  }
}

template <class T>
void HaloExchange<T>::make_blocks(const HaloPlan& plan) {
  HaloBlocks blocks(layout_, rounds_);
  for (const Leg& leg : legs_) {
    blocks.add(leg.plan, leg.places);
    if (leg.transport->signals() && leg.lines(0, rounds_).count > 0) between_devices_ = &leg;
  }
  blocks.add_copies(plan);
  const int quantities = layout_.quantities;
  copies_.emplace_back("haloheap::comm::pack", blocks.early, quantities);
  copies_.emplace_back("haloheap::comm::signal", std::vector<BlockCopy>{}, quantities);
  for (std::size_t round = 0; round < static_cast<std::size_t>(rounds_); ++round) {
    copies_.emplace_back("haloheap::comm::pack", blocks.forwarded[round], quantities);
    copies_.emplace_back("haloheap::comm::unpack", blocks.unpack[round], quantities);
  }
  // A device whose kernels are all between devices needs one for the whole exchange, if it has one round.
  const bool alone =
      rounds_ == 1 && between_devices_ && between_devices_->transport->stores() && without_host();
  if (alone && !backend::kernels_on_host)
    whole_.emplace("haloheap::comm::exchange", blocks.early, quantities, blocks.unpack[0]);
  while (early_rounds_ < rounds_ && copies_[forwarded(early_rounds_)].empty()) ++early_rounds_;
}

template <class T>
const BlockArray<T>* HaloExchange<T>::arrays(const T* field) const {
  const std::size_t which = field == fields_[0] ? 0 : 1;
  if (field != fields_[which])
    throw UsageError("this field is none of those that the exchange was made for", "",
                     "give both fields to the constructor of HaloExchange");
  return arrays_->data() + which * array_list_.size();
}

template <class T>
void HaloExchange<T>::run(const BlockCopies<T>& copies, const Exec& exec, const T* field,
                          const SignalDuties& duties) const {
  if (between_devices_)
    copies.run(exec, arrays(field), *between_devices_->transport->signals(), duties);
  else
    copies.run(exec, arrays(field));
}

/// Sends off what is packed for a round.
/// @param end_follows without a pause, so that a kernel which has to wait for the peers first tells them
template <class T>
void HaloExchange<T>::post(int round, const Exec& exec, const T* field, bool end_follows) {
  for (const Leg& leg : legs_) {
    if (!leg.has_messages(round)) continue;
    leg.transport->fetch(round, exec);
    if (leg.transport->signals() && !leg.transport->stores() && !(end_follows && leg.transport->stages()))
      run(copies_[signals_only], exec, field,
          {.announce = {}, .await = {}, .raise = leg.lines(round, round + 1), .first_kernel = false});
  }
}

/// What the first kernel of an exchange has to do besides copying.
template <class T>
SignalDuties HaloExchange<T>::first_duties(const T* field) {
  SignalDuties duties;
  duties.first_kernel = true;
  if (!between_devices_) return duties;
  const bool stores = between_devices_->transport->stores();
  // The last exchange filled the other field, and the peer has begun it, as its values have come: so it has
  // done with this field's halo, unless it uses it in between.
  duties.always_ready = stores && alternating_ && last_field_ && field != last_field_;
  last_field_ = field;
  if (!duties.always_ready) duties.announce = between_devices_->lines(0, rounds_);
  if (stores) duties.raise = between_devices_->lines(0, early_rounds_);
  if (between_devices_->transport->stages()) duties.await = between_devices_->ready_lines();
  return duties;
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
  arrays(field);
  if (begun_field_)
    throw UsageError(
        fmt::format("HaloExchange::{} was called for an exchange that has begun and not ended", call),
        "nothing was sent", "call HaloExchange::end first");
}

template <class T>
void HaloExchange<T>::require_begun(const T* field) const {
  require_sound("end");
  arrays(field);
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
  if (!whole_)
    return fail_for_good([&] {
      begin(exec, field, true);
      finish(exec, field);
    });
  timer_.begin(Phase::message, exec);
  SignalDuties duties = first_duties(field);
  duties.await = between_devices_->lines(0, rounds_);
  run(*whole_, exec, field, duties);
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
  run(copies_[early], exec, field, first_duties(field));
  post(0, exec, field, end_follows);
  raised_ = !end_follows;
  timer_.end(Phase::pack, exec);
}

/// Waits on the host for the messages of a round that need it.
template <class T>
void HaloExchange<T>::deliver(int round) {
  for (const Leg& leg : legs_)
    if (leg.has_messages(round)) leg.transport->wait_fetched(round);
  if (desynchronisation_) {
    const HostSpan span(timer_, Phase::desynchronisation);
    communicator_.barrier(timeout_);
  }
  const HostSpan span(timer_, Phase::message);
  for (const Leg& leg : legs_)
    if (leg.has_messages(round)) leg.transport->transfer(round);
}

/// Before what has come is placed: waits in the queue until it has come.
/// @param raise tell the peers first that this rank's values have
template <class T>
void HaloExchange<T>::await_arrival(int round, const Exec& exec, const T* field, bool raise) {
  const SignalDuties::Lines lines = between_devices_->lines(round, round + 1);
  if (lines.count == 0) return;
  SignalDuties duties;
  if (raise) duties.raise = lines;
  duties.await = lines;
  timer_.begin(Phase::message, exec);
  run(copies_[signals_only], exec, field, duties);
  timer_.end(Phase::message, exec);
}

template <class T>
void HaloExchange<T>::end(const Exec& exec, const T* field) {
  require_begun(field);
  fail_for_good([&] { finish(exec, field); });
  begun_field_ = nullptr;
}

template <class T>
void HaloExchange<T>::finish(const Exec& exec, const T* field) {
  const Leg* const peers = between_devices_;
  const bool stages = peers && peers->transport->stages();
  for (int round = 0; round < rounds_; ++round) {
    if (round > 0) {
      timer_.begin(Phase::pack, exec);
      SignalDuties duties;
      duties.always_ready = true;  // who was not, has kept the first kernel waiting
      if (peers && peers->transport->stores() && round >= early_rounds_)
        duties.raise = peers->lines(round, round + 1);
      if (duties.raise.count > 0 || !copies_[forwarded(round)].empty())
        run(copies_[forwarded(round)], exec, field, duties);
      post(round, exec, field, true);
      timer_.end(Phase::pack, exec);
    }
    deliver(round);
    if (stages) await_arrival(round, exec, field, round > 0 || !raised_);
    // Where values are stored by the neighbours, this is the time until they have come.
    const Phase phase = peers && peers->transport->stores() ? Phase::message : Phase::unpack;
    timer_.begin(phase, exec);
    for (const Leg& leg : legs_)
      if (leg.has_messages(round)) leg.transport->place(round, exec);
    SignalDuties duties;
    if (peers && !stages) duties.await = peers->lines(round, round + 1);
    if (duties.await.count > 0 || !copies_[unpacked(round)].empty())
      run(copies_[unpacked(round)], exec, field, duties);
    timer_.end(phase, exec);
  }
}

template <class T>
bool HaloExchange<T>::without_host() const {
  for (const Leg& leg : legs_)
    for (int round = 0; round < rounds_; ++round)
      if (leg.has_messages(round) && !leg.transport->signals()) return false;
  return !desynchronisation_;
}

template <class T>
std::string HaloExchange<T>::mix() const {
  std::string text;
  for (const Leg& leg : legs_) {
    std::set<int> peers;
    for (const HaloRound& round : leg.plan.rounds)
      for (const HaloMessage& message : round.messages) peers.insert(message.peer);
    if (!peers.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", leg.name, peers.size());
  }
  return text.empty() ? "no neighbours" : text;
}

template <class T>
void HaloExchange<T>::check() {
  fail_for_good([this] {
    for (const Leg& leg : legs_) leg.transport->check();
  });
}

template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace haloheap
