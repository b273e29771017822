// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/containers/coherence_costs.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <algorithm>
#include <vector>

namespace haloheap {
namespace {

using namespace coherence;

/// Seconds of one of `count` calls.
template <class Call>
double seconds_of(int count, const Call& call) {
  std::vector<double> times;
  for (int loop = 0; loop < 7; ++loop) {
    const base::Stopwatch watch;
    for (int i = 0; i < count; ++i) call(i);
    times.push_back(watch.seconds() / count);
  }
  return report::spread_of(times).median;
}

double element_seconds(const Vector<double>& vector) {
  const ElementIndex size = vector.size();
  double sum = 0;
  const double seconds = seconds_of(100000, [&](int i) { sum += vector[i % size]; });
  volatile double kept = sum;  // or the loop is not run
  (void)kept;
  return seconds;
}

double use_seconds(Context& context, const Vector<double>& vector) {
  if (context.devices() == 0) return 0;
  (void)vector.read(on_device(0));
  context.fence();
  const double seconds = seconds_of(200, [&](int) { (void)vector.read(on_device(0)); });
  context.fence();
  return seconds;
}

/// A directory of 16 devices, each with the newest values of its part, of which one reads the whole, and then
/// all write their parts again.
double plan_seconds(const std::string& policy) {
  constexpr int devices = 16;
  coherence::detail::Directory directory(MemoryTopology(devices, true), policy);
  const coherence::detail::ObjectId object = directory.add({1, devices, 8, "parts", true});
  const auto use = [&](const Rect& rect, int device, Access access) {
    directory.finish(directory.acquire({object, rect, memory_of_device(device), access}));
  };
  std::vector<double> times;
  for (int i = 0; i < 201; ++i) {
    for (int device = 0; device < devices; ++device) use(range(device, device + 1), device, Access::write);
    const base::Stopwatch watch;
    const coherence::detail::Use whole =
        directory.acquire({object, range(0, devices), memory_of_device(0), Access::read});
    times.push_back(watch.seconds());
    directory.finish(whole);
  }
  return report::spread_of(times).median;
}

}  // namespace

CoherenceCosts measure_costs(Context& context, const Vector<double>& vector) {
  vector.update_host();
  CoherenceCosts costs;
  costs.element = element_seconds(vector);
  costs.use = use_seconds(context, vector);
  costs.plan = plan_seconds(context.options().policy);
  return costs;
}

}  // namespace haloheap
