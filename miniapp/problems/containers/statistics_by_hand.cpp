// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/miniapp/problems/containers/statistics_by_hand.hpp>

#include <Kokkos_DualView.hpp>

#include <algorithm>
#include <vector>

namespace haloheap {
namespace {

using coherence::Context;
using coherence::ElementIndex;
using coherence::Sum;
class MseByHand {
 public:
  MseByHand(const Context& context, ElementIndex size)
      : context_(context),
        size_(size),
        length_(coherence::detail::chunk_length(size)),
        chunks_((size + length_ - 1) / length_) {}

  /// All memory first: to take some waits for the device.
  double operator()(const double* x, const double* y) {
    partial_ = memory::Buffer(std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::pinned),
                              bytes(chunks_), "haloheap::mse::partial");
    auto* const values = reinterpret_cast<double*>(partial_.data());
    for (int device = 0; device < context_.devices(); ++device) allocate(device);
    for (const Share& share : shares_) start(share, x, y, values);
    for (const Share& share : shares_) context_.exec(share.device).fence("haloheap::mse::by_hand");
    double sum = 0;
    for (ElementIndex chunk = 0; chunk < chunks_; ++chunk) sum += values[chunk];
    return sum / static_cast<double>(size_);
  }

 private:
  using Ins = coherence::detail::InputsOf<double, double>;
  using Kernel = coherence::detail::ReduceKernel<Context::Exec, SquaredDifference, Sum<double>, double, Ins>;

  /// Of one device: its elements, their chunks, and memory for x, y and the chunks' results.
  struct Share {
    int device;
    coherence::Part elements, chunks;
    memory::Buffer x, y, partial;
  };

  static std::size_t bytes(ElementIndex count) { return static_cast<std::size_t>(count) * sizeof(double); }
  static double* data(const memory::Buffer& block) { return reinterpret_cast<double*>(block.data()); }

  void allocate(int device) {
    const coherence::Part mine = coherence::part_of(size_, device, context_.devices(), length_);
    if (mine.begin == mine.end) return;
    const auto memory =
        std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::device, device);
    const coherence::Part chunks{mine.begin / length_, (mine.end + length_ - 1) / length_};
    const auto block = [&](ElementIndex count) {
      return memory::Buffer(memory, bytes(count), "haloheap::mse::by_hand");
    };
    const ElementIndex count = mine.end - mine.begin;
    shares_.push_back({device, mine, chunks, block(count), block(count), block(chunks.end - chunks.begin)});
  }

  void start(const Share& share, const double* x, const double* y, double* values) const {
    const Context::Exec& exec = context_.exec(share.device);
    const ElementIndex begin = share.elements.begin, chunks = share.chunks.end - share.chunks.begin;
    backend::copy_async(exec, share.x.data(), x + begin, bytes(share.elements.end - begin));
    backend::copy_async(exec, share.y.data(), y + begin, bytes(share.elements.end - begin));
    const Ins ins{{data(share.x) - begin}, {data(share.y) - begin}};
    coherence::detail::launch_chunks(
        exec, "haloheap::mse::by_hand", chunks,
        Kernel{{}, {}, ins, data(share.partial), share.chunks.begin, length_, size_});
    backend::copy_async(exec, values + share.chunks.begin, share.partial.data(), bytes(chunks));
  }

  const Context& context_;
  ElementIndex size_, length_, chunks_;
  memory::Buffer partial_;
  std::vector<Share> shares_;
};

/// The sum over one device of what `f` makes of the inputs.
template <class F, class... In>
double sum_of(const Context::Exec& exec, ElementIndex size, const F& f, const Kokkos::DualView<In*>&... in) {
  using Ins = coherence::detail::InputsOf<In...>;
  using Kernel = coherence::detail::ReduceKernel<Context::Exec, F, Sum<double>, double, Ins>;
  const ElementIndex length = coherence::detail::chunk_length(size), chunks = (size + length - 1) / length;
  Kokkos::DualView<double*> partial("haloheap::ppmcc::partial", static_cast<std::size_t>(chunks));
  coherence::detail::launch_chunks(
      exec, "haloheap::ppmcc::dual_view", chunks,
      Kernel{f, {}, Ins{{in.view_device().data()}...}, partial.view_device().data(), 0, length, size});
  partial.modify_device();
  partial.sync_host();
  double sum = 0;
  for (ElementIndex chunk = 0; chunk < chunks; ++chunk) sum += partial.view_host()(chunk);
  return sum;
}

Kokkos::DualView<double*> dual_view(const char* label, const double* values, ElementIndex size) {
  Kokkos::DualView<double*> view(label, static_cast<std::size_t>(size));
  std::copy_n(values, size, view.view_host().data());
  view.modify_host();
  return view;
}

}  // namespace

HandWritten mse_by_hand(Context& context, const double* x, const double* y, ElementIndex size) {
  context.fence();
  MseByHand run(context, size);  // memory is given back after the clock has stopped, as that of containers is
  const base::Stopwatch watch;
  const double result = run(x, y);
  return {result, watch.seconds()};
}

HandWritten ppmcc_by_dual_view(const double* x_values, const double* y_values, ElementIndex size) {
  auto x = dual_view("haloheap::ppmcc::x", x_values, size),
       y = dual_view("haloheap::ppmcc::y", y_values, size);
  const Context::Exec exec;
  exec.fence("haloheap::ppmcc::by_dual_view");
  const base::Stopwatch watch;
  x.sync_device();
  y.sync_device();
  const double n = static_cast<double>(size);
  const double sum_x = sum_of(exec, size, coherence::detail::Same{}, x);
  const double sum_y = sum_of(exec, size, coherence::detail::Same{}, y);
  const double sum_xy = sum_of(exec, size, Product{}, x, y);
  const double sum_xx = sum_of(exec, size, Square{}, x);
  const double sum_yy = sum_of(exec, size, Square{}, y);
  return {correlation(n, sum_x, sum_y, sum_xy, sum_xx, sum_yy), watch.seconds()};
}

}  // namespace haloheap
