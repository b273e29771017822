// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_measurement.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <algorithm>
#include <array>

namespace haloheap {
namespace {

using transfer::Pipeline;
using transfer::Trace;

std::unique_ptr<Pipeline> make_pipeline(const TransferSettings& settings,
                                        const transfer::ResourceMaker& resources, Trace trace) {
  return std::make_unique<Pipeline>(make_streams(settings, trace),
                                    transfer::make_mode(settings.mode, resources), settings.schedule,
                                    settings.rows);
}

/// The first of some runs touches memory for the first time, and does not count; counted time is always the
/// same.
int traced_runs(const Pipeline& pipeline, int repetitions) {
  return pipeline.streams().emulated() ? 1 : 1 + std::min(9, repetitions);
}

/// Medians over those that count; none if runs leave no trace.
std::optional<EngineSeconds> trace(Pipeline& pipeline, int runs) {
  std::array<std::vector<double>, 3> seconds;
  for (int i = 0; i < runs; ++i) {
    pipeline.run();
    const std::vector<transfer::TraceEvent> spans = pipeline.trace();
    if (spans.empty()) return std::nullopt;
    for (std::size_t engine = 0; engine < 3 && (i > 0 || runs == 1); ++engine)
      seconds[engine].push_back(busy_seconds(spans, static_cast<transfer::Engine>(engine)));
  }
  const auto median = [&](std::size_t engine) { return report::spread_of(seconds[engine]).median; };
  return EngineSeconds{median(0), median(1), median(2)};
}

}  // namespace

double busy_seconds(std::vector<transfer::TraceEvent> spans, transfer::Engine engine) {
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  double sum = 0, until = 0;
  for (const transfer::TraceEvent& span : spans) {
    if (span.engine != engine || span.end <= until) continue;
    sum += span.end - std::max(span.begin, until);
    until = span.end;
  }
  return sum;
}

TransferResult measure_transfer(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                const TransferWork& work, const std::function<void()>& done) {
  TransferResult result;
  {
    const auto pipeline = make_pipeline(settings, resources, Trace::operations);
    const WrongAfter wrong = work(*pipeline);
    const int runs = traced_runs(*pipeline, settings.repetitions);
    result.engines = trace(*pipeline, runs);
    result.wrong = wrong(result.engines ? runs : 1);
  }
  auto pipeline = make_pipeline(settings, resources, Trace::off);
  const WrongAfter wrong = work(*pipeline);
  for (int i = 0; i < settings.warm_ups + settings.repetitions; ++i) {
    const double seconds = pipeline->run();
    if (i >= settings.warm_ups) result.seconds.push_back(seconds);
    done();
  }
  result.wrong += wrong(settings.warm_ups + settings.repetitions);
  result.chunks = pipeline->chunks();
  result.allocate = pipeline->memory_seconds();
  const base::Stopwatch watch;
  pipeline.reset();
  result.release = watch.seconds();
  return result;
}

EngineSeconds measure_engines(TransferSettings settings, const transfer::ResourceMaker& resources,
                              const TransferWork& work) {
  settings.mode = "pinned";
  settings.schedule = transfer::Schedule::none;
  settings.streams = 1;
  const auto pipeline = make_pipeline(settings, resources, Trace::operations);
  work(*pipeline);
  return trace(*pipeline, traced_runs(*pipeline, 9)).value_or(EngineSeconds{});
}

}  // namespace haloheap
