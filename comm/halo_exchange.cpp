// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_exchange.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>

namespace haloheap {
namespace {

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

}  // namespace

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const HaloPlan& plan,
                              const FieldLayout& layout, const HaloExchangeConfig& config, PhaseTimer& timer)
    : communicator_(communicator),
      timer_(timer),
      desynchronisation_(config.desynchronisation),
      timeout_(config.timeout) {
  if (!kernel_accessible(config.buffers->properties()))
    throw UsageError(
        "halo buffers of memory '" + config.buffers->name() + "' cannot be reached by kernels here", "",
        "set memory.buffers to device, pinned or managed");
  std::vector<RoundBytes> rounds;
  for (const HaloRound& round : plan.rounds) {
    packers_.emplace_back(round, layout);
    has_messages_.push_back(!round.messages.empty());
    rounds.push_back(round_bytes(round, sizeof(T) * static_cast<std::size_t>(layout.quantities)));
  }
  transport_ =
      make_transport(config.transport, {communicator, std::move(rounds), config.buffers, config.timeout});
}

template <class T>
void HaloExchange<T>::pack(int round, const Exec& exec, const T* field) {
  const auto i = static_cast<std::size_t>(round);
  if (!has_messages_[i]) return;
  timer_.begin(Phase::pack, exec);
  packers_[i].pack(exec, field, reinterpret_cast<T*>(transport_->send_buffer(round)));
  transport_->fetch(round, exec);
  timer_.end(Phase::pack, exec);
}

template <class T>
void HaloExchange<T>::begin(const Exec& exec, const T* field) {
  pack(0, exec, field);
}

template <class T>
void HaloExchange<T>::end(const Exec& exec, T* field) {
  for (int round = 0; round < static_cast<int>(packers_.size()); ++round) {
    const auto i = static_cast<std::size_t>(round);
    if (round > 0) pack(round, exec, field);
    if (has_messages_[i]) transport_->wait_fetched(round);
    if (desynchronisation_) {
      const HostSpan span(timer_, Phase::desynchronisation);
      communicator_.barrier(timeout_);
    }
    if (has_messages_[i]) {
      const HostSpan span(timer_, Phase::message);
      transport_->transfer(round);
    }
    timer_.begin(Phase::unpack, exec);
    if (has_messages_[i]) transport_->place(round, exec);
    packers_[i].unpack(exec, reinterpret_cast<const T*>(transport_->receive_buffer(round)), field);
    timer_.end(Phase::unpack, exec);
  }
}

template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace haloheap
