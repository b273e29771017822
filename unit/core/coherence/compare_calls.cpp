// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a call on containers costs whose operands are where it needs them, beside the launch alone, and beside
// a sequence of calls that is repeated as a graph; and what independent calls cost in one queue of kernels
// and in several. No test: its result is times.
//
//   compare_calls [elements, 16] [calls, 20000]
//
// Runs take turns; each line has the best of five.
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/coherence/repeated.hpp>
#include <haloheap/core/coherence/skeletons.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace haloheap::coherence {
namespace {

struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};
struct AddAlone {
  double* out;
  const double *a, *b;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { out[i] = a[i] + b[i]; }
};

constexpr int sequence = 10;  // calls of one

/// Microseconds of a call.
double one(ElementIndex calls, Context& context, const std::function<void(ElementIndex)>& run) {
  run(calls / 10);
  context.fence();
  const double begin = base::steady_seconds();
  run(calls);
  context.fence();
  return (base::steady_seconds() - begin) / static_cast<double>(calls) * 1e6;
}

void compare(int devices, bool asynchronous, ElementIndex elements, ElementIndex calls) {
  ContextOptions options;
  options.devices = devices;
  options.asynchronous = asynchronous;
  Context context(options);
  Vector<double> out(context, "out", elements), a(context, "a", elements), b(context, "b", elements);
  a.fill(1);
  b.fill(2);
  const auto call = [&] { map(all_devices, "haloheap::compare_calls", out, Add{}, a, b); };
  const auto made = [&](ElementIndex count) {
    for (ElementIndex i = 0; i < count; ++i) call();
  };
  Repeated repeated(context, [&] { made(sequence); });
  const auto graphs = [&](ElementIndex count) { repeated(static_cast<std::uint64_t>(count / sequence)); };
  const auto single_graphs = [&](ElementIndex count) {
    for (ElementIndex i = 0; i < count / sequence; ++i) repeated();
  };
  const auto launches = [&](ElementIndex count) {
    for (int device = 0; device < context.devices(); ++device) {
      const Part part = part_of(elements, device, context.devices());
      const auto to = out.write(on_device(device), part.begin, part.end);
      const auto from_a = std::as_const(a).read(on_device(device), part.begin, part.end);
      const auto from_b = std::as_const(b).read(on_device(device), part.begin, part.end);
      using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<ElementIndex>>;
      for (ElementIndex i = 0; i < count; ++i)
        backend::parallel_for("haloheap::compare_calls::alone", Policy(to.exec(), 0, part.end - part.begin),
                              AddAlone{to.data(), from_a.data(), from_b.data()});
    }
  };
  const std::array<std::function<void(ElementIndex)>, 4> ways{launches, made, graphs, single_graphs};
  std::array<double, 4> best{1e9, 1e9, 1e9, 1e9};
  for (int turn = 0; turn < 5; ++turn)
    for (std::size_t way = 0; way < ways.size(); ++way)
      best[way] = std::min(best[way], one(calls, context, ways[way]));
  std::printf(
      "%d devices, %s: the launch alone %.2f us, a call %.2f us, repeated %.2f us (%llu of the repetitions "
      "as graphs), one repetition of %d calls at a time %.2f us a call\n",
      context.devices(), asynchronous ? "asynchronous" : "synchronous", best[0], best[1], best[2],
      static_cast<unsigned long long>(repeated.launched()), sequence, best[3]);
}

/// Long for its few elements, so that a call leaves most of a device idle.
struct Iterate {
  KOKKOS_FUNCTION double operator()(double x) const {
    for (int step = 0; step < 2000; ++step) x = x * x - 1.5;
    return x;
  }
};

/// Calls that write different containers, on one device.
void compare_lanes(int lanes, ElementIndex elements, ElementIndex calls) {
  ContextOptions options;
  options.devices = 1;
  options.asynchronous = true;
  options.instances = lanes;
  Context context(options);
  constexpr int count = 8;
  Vector<double> from(context, "from", elements);
  from.fill(0.5);
  std::vector<Vector<double>> to;
  for (int i = 0; i < count; ++i) to.emplace_back(context, "to", elements);
  const auto run = [&](ElementIndex number) {
    for (ElementIndex i = 0; i < number; ++i)
      map(all_devices, "haloheap::compare_calls::lanes", to[static_cast<std::size_t>(i % count)], Iterate{},
          from);
  };
  double best = 1e9;
  for (int turn = 0; turn < 5; ++turn) best = std::min(best, one(calls, context, run));
  std::printf("%d queues of one device, %lld elements: %.2f us a call of %d independent ones\n", lanes,
              static_cast<long long>(elements), best, count);
}

}  // namespace
}  // namespace haloheap::coherence

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard scope(argc, argv);
  using haloheap::coherence::ElementIndex;
  const ElementIndex elements = argc > 1 ? std::atoll(argv[1]) : 16;
  const ElementIndex calls = argc > 2 ? std::atoll(argv[2]) : 20000;
  const int devices = haloheap::coherence::Context().devices();
  for (int count = 1; count <= std::max(1, devices); count *= 2)
    for (const bool asynchronous : {false, true})
      haloheap::coherence::compare(count, asynchronous, elements, calls);
  if (haloheap::backend::kernels_on_host) return 0;  // one call at a time keeps all of its cores busy
  for (const ElementIndex size : {ElementIndex{256}, ElementIndex{16384}, ElementIndex{1 << 20}})
    for (const int lanes : {1, 2, 4, 8}) haloheap::coherence::compare_lanes(lanes, size, calls / 10);
}
