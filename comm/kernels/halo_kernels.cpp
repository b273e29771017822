// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/halo_kernels.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {
namespace {

std::size_t at(int round) {
  return static_cast<std::size_t>(round);
}

}  // namespace

HaloKernels::HaloKernels(const HaloBlocks& blocks, const std::optional<KernelSignals>& signals,
                         const Choices& choices)
    : signals_(signals),
      choices_(choices),
      rounds_(static_cast<int>(blocks.unpack.size())),
      arrays_(memory::make_memory_resource("device"), "haloheap::comm::arrays", 2 * blocks.arrays.size()),
      array_count_(blocks.arrays.size()),
      early_("haloheap::comm::pack", blocks.early) {
  std::vector<BlockArray> table;
  for (const std::size_t set : {0, 1})
    for (const ForEachSet& array : blocks.arrays) table.push_back({static_cast<std::byte*>(array[set])});
  upload(arrays_, table);
  for (int round = 0; round < rounds_; ++round) {
    forwarded_.emplace_back("haloheap::comm::pack", blocks.forwarded[at(round)]);
    unpacked_.emplace_back("haloheap::comm::unpack", blocks.unpack[at(round)]);
    sums_.emplace_back("haloheap::comm::accumulate", blocks.sums[at(round)], choices_.types);
  }
  while (early_rounds_ < rounds_ && forwarded_[at(early_rounds_)].empty()) ++early_rounds_;
  // A device whose kernels do it all needs one for the whole exchange, if it has one round.
  if (choices_.alone && rounds_ == 1 && signals_ && choices_.flow == Flow::fill && !backend::kernels_on_host)
    whole_.emplace("haloheap::comm::exchange", blocks.early, blocks.unpack[0]);
}

const BlockArray* HaloKernels::arrays(int set) const {
  return arrays_.data() + at(set) * array_count_;
}

void HaloKernels::run(const BlockCopies& copies, const Exec& exec, int set,
                      const SignalDuties& duties) const {
  if (signals_)
    copies.run(exec, arrays(set), signals_->signals, duties);
  else
    copies.run(exec, arrays(set));
}

/// Whether the first kernel writes the last of a round's values.
bool HaloKernels::packed_early(int round) const {
  return choices_.flow == Flow::fill ? round < early_rounds_ : round == rounds_ - 1;
}

/// What the first kernel of an exchange has to do besides copying.
SignalDuties HaloKernels::first_duties(int set) {
  SignalDuties duties;
  duties.first_kernel = true;
  if (!signals_) return duties;
  // The last exchange filled the other set, and the peer has begun it, as its values have come: so it has
  // done with this set's halo, unless it uses it in between.
  duties.always_ready =
      signals_->fields_apart && choices_.alternating && last_set_ != none && set != last_set_;
  last_set_ = set;
  if (!duties.always_ready) duties.announce = signals_->announce;
  duties.await = signals_->await_ready;
  for (int round = rounds_ - 1; round >= 0; --round) {
    if (!packed_early(round)) continue;
    const SignalDuties::Channels& raise = signals_->raise[at(round)];
    duties.raise = {raise.first, duties.raise.count + raise.count};
  }
  return duties;
}

SignalDuties::Channels HaloKernels::awaited(int round) const {
  return signals_ ? signals_->await[at(round)] : SignalDuties::Channels{};
}

void HaloKernels::begin(const Exec& exec, int set) {
  run(early_, exec, set, first_duties(set));
}

void HaloKernels::forward(int round, const Exec& exec, int set) const {
  SignalDuties duties;
  // Who was not ready to be filled, has kept the first kernel waiting.
  duties.always_ready = choices_.flow == Flow::fill;
  if (signals_ && !packed_early(round)) duties.raise = signals_->raise[at(round)];
  if (duties.raise.count > 0 || !forwarded_[at(round)].empty()) run(forwarded_[at(round)], exec, set, duties);
}

void HaloKernels::unpack(int round, const Exec& exec, int set) const {
  SignalDuties duties;
  duties.await = awaited(round);
  if (duties.await.count > 0 || !unpacked_[at(round)].empty()) run(unpacked_[at(round)], exec, set, duties);
  sums_[at(round)].run(exec, arrays(set));
}

void HaloKernels::exchange(const Exec& exec, int set) {
  SignalDuties duties = first_duties(set);
  duties.await = awaited(0);
  run(*whole_, exec, set, duties);
}

}  // namespace haloheap::comm::detail
