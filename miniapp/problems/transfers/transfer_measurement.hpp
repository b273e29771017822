// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_MEASUREMENT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_MEASUREMENT_HPP

#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace haloheap {

/// Elements that are not what they should be after so many runs.
using WrongAfter = std::function<std::size_t(int runs)>;

/// Gives a new pipeline its operands, which are filled, and its kernel. What a run does to the operands must
/// leave them ready for the next.
using TransferWork = std::function<WrongAfter(transfer::Pipeline& pipeline)>;

/// Seconds of one run in which the engines were busy, or had something that waited for another stream.
struct EngineSeconds {
  double h2d = 0, kernel = 0, d2h = 0;

  double sum() const { return h2d + kernel + d2h; }
  double longest() const { return std::max({h2d, kernel, d2h}); }
  /// The least time of a run on so many streams: chunks of all but the busiest engine are hidden, but for
  /// one.
  double bound(int streams) const { return longest() + (sum() - longest()) / streams; }
};

/// How long at least one of an engine's operations was under way. Not the sum: an operation that waits for
/// the engine is under way as well.
double busy_seconds(std::vector<transfer::TraceEvent> spans, transfer::Engine engine);

struct TransferResult {
  std::vector<double> seconds;           ///< of whole runs; one entry a repetition
  std::optional<EngineSeconds> engines;  ///< median of some runs; none where a run leaves no trace
  double allocate = 0;                   ///< seconds of the host for the operands' memory, both sides
  double release = 0;                    ///< seconds of the host to give it back
  std::size_t wrong = 0;
  int chunks = 0;
};

/// Runs the work as the settings say. `done` is called after each run, warm-ups included.
TransferResult measure_transfer(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                const TransferWork& work, const std::function<void()>& done);

/// What the engines take alone, one after the other: of page-locked memory, without streams.
EngineSeconds measure_engines(TransferSettings settings, const transfer::ResourceMaker& resources,
                              const TransferWork& work);

}  // namespace haloheap

#endif
