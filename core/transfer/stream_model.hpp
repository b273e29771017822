// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_STREAM_MODEL_HPP
#define HALOHEAP_CORE_TRANSFER_STREAM_MODEL_HPP

#include <map>

namespace haloheap::transfer {

/// Time of a pipeline in one mode and schedule against its number of streams: the busiest engine works
/// without a pause, of the others all but one chunk is hidden behind it, and each stream costs its launches.
struct StreamModel {
  double longest = 0;     ///< seconds of the busiest engine
  double rest = 0;        ///< seconds of all others together
  double per_stream = 0;  ///< seconds
  double residual = 0;    ///< of the fit, relative, root mean square

  double seconds(int streams) const { return longest + rest / streams + per_stream * streams; }
  /// From 1 to `maximum`; of equal ones the fewest.
  int best(int maximum) const;
};

/// From measured seconds by number of streams; of at least three numbers, to tell the terms apart.
StreamModel fit_streams(const std::map<int, double>& seconds);

}  // namespace haloheap::transfer

#endif
