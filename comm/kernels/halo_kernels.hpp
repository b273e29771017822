// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_HALO_KERNELS_HPP
#define HALOHEAP_COMM_KERNELS_HALO_KERNELS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/kernels/block_sums.hpp>
#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/comm/kernels/kernel_signals.hpp>
#include <haloheap/core/memory/array.hpp>

#include <optional>
#include <vector>

namespace haloheap::comm::detail {

/// The kernels of an exchange: one that packs for all paths and rounds what is there in the beginning, and a
/// round one that packs what it forwards and one that unpacks, where there is something to do. What
/// accumulates adds instead of unpacking, by as many kernels as BlockSums needs.
class HaloKernels {
 public:
  using Exec = backend::Exec;

  struct Choices {
    bool alternating = false;           ///< see HaloExchangeConfig::alternating
    bool alone = false;                 ///< nothing is done between the kernels of a round
    Flow flow = Flow::fill;             ///< accumulate: rounds are gone through from the last to the first
    std::vector<ValueType> types = {};  ///< of the fields; to accumulate
  };

  /// @param signals if kernels tell peers what they did
  HaloKernels(const HaloBlocks& blocks, const std::optional<KernelSignals>& signals, const Choices& choices);

  /// The first kernel of an exchange of the set of fields with this number, 0 or 1.
  void begin(const Exec& exec, int set);
  /// Packs what a round after the first forwards.
  void forward(int round, const Exec& exec, int set) const;
  void unpack(int round, const Exec& exec, int set) const;

  /// Whether one kernel does all of an exchange.
  bool whole() const { return whole_.has_value(); }
  /// That kernel, and nothing else.
  void exchange(const Exec& exec, int set);

  /// See HaloExchange::forget_last.
  void forget_last() { last_set_ = none; }

 private:
  static constexpr int none = -1;

  bool packed_early(int round) const;
  SignalDuties first_duties(int set);
  SignalDuties::Channels awaited(int round) const;
  void run(const BlockCopies& copies, const Exec& exec, int set, const SignalDuties& duties) const;
  const BlockArray* arrays(int set) const;

  std::optional<KernelSignals> signals_;
  Choices choices_;
  int rounds_;
  memory::Array<BlockArray> arrays_;  // those of the first set, then those of the second
  std::size_t array_count_;
  int early_rounds_ = 1;  // so many rounds are packed by the first kernel with all they send
  int last_set_ = none;   // that was exchanged
  BlockCopies early_;
  std::vector<BlockCopies> forwarded_, unpacked_;  // a round
  std::vector<BlockSums> sums_;                    // a round
  std::optional<BlockCopies> whole_;
};

}  // namespace haloheap::comm::detail

#endif
