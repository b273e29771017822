// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_TRANSFER_ADVISER_HPP
#define HALOHEAP_MINIAPP_ADVISE_TRANSFER_ADVISER_HPP

#include <haloheap/core/transfer/stream_model.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::advise {

/// What may be chosen. No list may be empty; numbers of streams rise.
struct TransferOptions {
  std::vector<std::string> modes;
  std::vector<transfer::Schedule> schedules;
  std::vector<int> streams;
  int confirmed = 8;  ///< of the best predictions, so many are measured as well
};

class TransferBench {
 public:
  virtual ~TransferBench() = default;
  /// Seconds of a run; nothing where the machine cannot do that, or no time is left to measure it.
  virtual std::optional<double> run(const TransferChoice& choice) = 0;
};

struct TransferCandidate {
  TransferChoice choice;
  double predicted = 0;            ///< seconds of a run
  std::optional<double> measured;  ///< the same, where it was measured

  double seconds() const { return measured.value_or(predicted); }
};

/// A mode with a schedule, as it was measured here.
struct TransferPath {
  std::string mode;
  transfer::Schedule schedule = transfer::Schedule::none;
  transfer::StreamModel model;
};

struct TransferAdvice {
  std::vector<TransferCandidate> candidates;  ///< the best first: those that were confirmed, then the others
  std::vector<TransferPath> paths;
  double residual = 0;  ///< of all fits, the largest
};

/// Measures each mode and schedule on a few numbers of streams, fits the model, and measures the best
/// predictions. Empty if nothing could be measured.
TransferAdvice advise_transfer(const TransferOptions& options, TransferBench& bench);

}  // namespace haloheap::advise

#endif
