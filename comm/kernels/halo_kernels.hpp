// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_HALO_KERNELS_HPP
#define HALOHEAP_COMM_KERNELS_HALO_KERNELS_HPP

#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/comm/kernels/kernel_signals.hpp>
#include <haloheap/core/memory/array.hpp>

#include <array>
#include <optional>
#include <vector>

namespace haloheap::comm::detail {

/// The kernels of an exchange: one that packs for all paths and rounds what is there in the beginning, and a
/// round one that packs what it forwards and one that unpacks, where there is something to do.
template <class T>
class HaloKernels {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  struct Choices {
    bool alternating = false;  ///< see HaloExchangeConfig::alternating
    bool alone = false;        ///< nothing is done between the kernels of a round
  };

  /// @param signals if kernels tell peers what they did
  HaloKernels(const HaloBlocks& blocks, int quantities, const std::optional<KernelSignals>& signals,
              const Choices& choices);

  /// @throws UsageError for a field that is none of both
  void require(const T* field) const { arrays(field); }

  /// The first kernel of an exchange.
  void begin(const Exec& exec, const T* field);
  /// Packs what a round after the first forwards.
  void forward(int round, const Exec& exec, const T* field) const;
  void unpack(int round, const Exec& exec, const T* field) const;

  /// Whether one kernel does all of an exchange.
  bool whole() const { return whole_.has_value(); }
  /// That kernel, and nothing else.
  void exchange(const Exec& exec, const T* field);

  /// See HaloExchange::forget_last.
  void forget_last() { last_field_ = nullptr; }

 private:
  SignalDuties first_duties(const T* field);
  SignalDuties::Channels awaited(int round) const;
  void run(const BlockCopies<T>& copies, const Exec& exec, const T* field, const SignalDuties& duties) const;
  const BlockArray<T>* arrays(const T* field) const;

  std::optional<KernelSignals> signals_;
  bool alternating_;
  std::array<const T*, 2> fields_;
  memory::Array<BlockArray<T>> arrays_;  // those for the first field, then those for the second
  std::size_t array_count_;
  int early_rounds_ = 1;           // so many rounds are packed by the first kernel with all they send
  const T* last_field_ = nullptr;  // that was exchanged
  BlockCopies<T> early_;
  std::vector<BlockCopies<T>> forwarded_, unpacked_;  // a round
  std::optional<BlockCopies<T>> whole_;
};

extern template class HaloKernels<float>;
extern template class HaloKernels<double>;

}  // namespace haloheap::comm::detail

#endif
