// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/halo_kernels.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {
namespace {

std::size_t at(int round) {
  return static_cast<std::size_t>(round);
}

}  // namespace

template <class T>
HaloKernels<T>::HaloKernels(const HaloBlocks& blocks, int quantities,
                            const std::optional<KernelSignals>& signals, const Choices& choices)
    : signals_(signals),
      alternating_(choices.alternating),
      fields_{static_cast<const T*>(blocks.arrays[0][0]), static_cast<const T*>(blocks.arrays[0][1])},
      arrays_(memory::make_memory_resource("device"), "haloheap::comm::arrays", 2 * blocks.arrays.size()),
      array_count_(blocks.arrays.size()),
      early_("haloheap::comm::pack", blocks.early, quantities) {
  std::vector<BlockArray<T>> table;
  for (const std::size_t which : {0, 1})
    for (const ForEachField& array : blocks.arrays) table.push_back({static_cast<T*>(array[which])});
  upload(arrays_, table);
  const int rounds = static_cast<int>(blocks.unpack.size());
  for (int round = 0; round < rounds; ++round) {
    forwarded_.emplace_back("haloheap::comm::pack", blocks.forwarded[at(round)], quantities);
    unpacked_.emplace_back("haloheap::comm::unpack", blocks.unpack[at(round)], quantities);
  }
  while (early_rounds_ < rounds && forwarded_[at(early_rounds_)].empty()) ++early_rounds_;
  // A device whose kernels do it all needs one for the whole exchange, if it has one round.
  if (choices.alone && rounds == 1 && signals_ && !backend::kernels_on_host)
    whole_.emplace("haloheap::comm::exchange", blocks.early, quantities, blocks.unpack[0]);
}

template <class T>
const BlockArray<T>* HaloKernels<T>::arrays(const T* field) const {
  const std::size_t which = field == fields_[0] ? 0 : 1;
  if (field != fields_[which])
    throw UsageError("this field is none of those that the exchange was made for", "",
                     "give both fields to the constructor of HaloExchange");
  return arrays_.data() + which * array_count_;
}

template <class T>
void HaloKernels<T>::run(const BlockCopies<T>& copies, const Exec& exec, const T* field,
                         const SignalDuties& duties) const {
  if (signals_)
    copies.run(exec, arrays(field), signals_->signals, duties);
  else
    copies.run(exec, arrays(field));
}

/// What the first kernel of an exchange has to do besides copying.
template <class T>
SignalDuties HaloKernels<T>::first_duties(const T* field) {
  SignalDuties duties;
  duties.first_kernel = true;
  if (!signals_) return duties;
  // The last exchange filled the other field, and the peer has begun it, as its values have come: so it has
  // done with this field's halo, unless it uses it in between.
  duties.always_ready = signals_->fields_apart && alternating_ && last_field_ && field != last_field_;
  last_field_ = field;
  if (!duties.always_ready) duties.announce = signals_->announce;
  duties.await = signals_->await_ready;
  duties.raise.first = signals_->raise[0].first;
  for (int round = 0; round < early_rounds_; ++round) duties.raise.count += signals_->raise[at(round)].count;
  return duties;
}

template <class T>
SignalDuties::Channels HaloKernels<T>::awaited(int round) const {
  return signals_ ? signals_->await[at(round)] : SignalDuties::Channels{};
}

template <class T>
void HaloKernels<T>::begin(const Exec& exec, const T* field) {
  run(early_, exec, field, first_duties(field));
}

template <class T>
void HaloKernels<T>::forward(int round, const Exec& exec, const T* field) const {
  SignalDuties duties;
  duties.always_ready = true;  // who was not, has kept the first kernel waiting
  if (signals_ && round >= early_rounds_) duties.raise = signals_->raise[at(round)];
  if (duties.raise.count > 0 || !forwarded_[at(round)].empty())
    run(forwarded_[at(round)], exec, field, duties);
}

template <class T>
void HaloKernels<T>::unpack(int round, const Exec& exec, const T* field) const {
  SignalDuties duties;
  duties.await = awaited(round);
  if (duties.await.count > 0 || !unpacked_[at(round)].empty()) run(unpacked_[at(round)], exec, field, duties);
}

template <class T>
void HaloKernels<T>::exchange(const Exec& exec, const T* field) {
  SignalDuties duties = first_duties(field);
  duties.await = awaited(0);
  run(*whole_, exec, field, duties);
}

template class HaloKernels<float>;
template class HaloKernels<double>;

}  // namespace haloheap::comm::detail
