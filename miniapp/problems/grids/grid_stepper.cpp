// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/grid/copy.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/miniapp/problems/grids/grid_files.hpp>
#include <haloheap/miniapp/problems/grids/grid_stepper.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <exception>

namespace haloheap {
template <class T>
GridStepper<T>::GridStepper(const RunContext& context, const GridSettings& settings,
                            const GridModelOf<T>& model, const GridCosts& costs)
    : communicator_(context.communicator),
      errors_(context.communicator.get()),
      model_(model),
      grid_(settings.grid(context.communicator.rank())),
      steps_(settings.steps),
      timeout_(settings.config.halo.timeout),
      layout_(settings.layout(context.communicator.rank())),
      memory_(context.deck),
      choice_(settings.transfer),
      host_needs_cells_(context.deck.get<bool>("run.verify") || context.deck.get<bool>("output.fields")) {
  agree(communicator_, [&] { allocate(costs); });
}

template <class T>
void GridStepper<T>::allocate(const GridCosts& costs) {
  const auto size = static_cast<std::size_t>(layout_.size());
  fields_ = memory_.resource("memory.fields", costs.field_bytes);
  buffers_ = memory_.resource("memory.buffers", costs.device_buffer_bytes);
  first_.emplace(fields_, "haloheap::grids::now", size);
  second_.emplace(fields_, "haloheap::grids::next", size);
  if (!choice_.any()) {
    fill_ = model_.fill(layout_, grid_.own());
    return;
  }
  start_ = model_.start();
  transfer_.emplace(
      choice_, [this](const std::string& name) { return memory_.shared(name); }, layout_);
}

// DeepHalo communicates. A rank that fails there alone leaves the others in a collective call or waiting for
// its messages, and must end the run by force; what all of them run into ends it in order, with one message.
template <class T>
void GridStepper<T>::settle(const std::exception_ptr& failure) {
  constexpr double timeout_of_others = 2;  // seconds
  try {
    errors_.barrier(failure ? timeout_of_others : timeout_);
  } catch (const CommunicationError&) {
    errors_.abandon();
    if (failure) std::rethrow_exception(failure);
    throw;
  }
  agree(errors_, [&failure] {
    if (failure) std::rethrow_exception(failure);
  });
}

template <class T>
void GridStepper<T>::make(const comm::DeepHaloConfig& config) {
  halo_.reset();
  comm::DeepHaloConfig with_buffers = config;
  with_buffers.halo.buffers = buffers_;
  std::exception_ptr failure;
  try {
    halo_ = model_.halo(communicator_, grid_, with_buffers, first_->data(), second_->data(), fields_);
  } catch (const comm::AgreedError&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  settle(failure);
}

template <class T>
void GridStepper<T>::fill() {
  halo_->restart();
  const backend::Instance setup(backend::Priority::low);
  // Ghost cells are NaN, and so is what does not arrive.
  stencil::poison(setup.exec(), layout_, halo_->now());
  stencil::poison(setup.exec(), layout_, halo_->next());
  backend::wait_for(setup.exec());
  if (transfer_) {
    double seconds = 0;
    agree(communicator_, [&] { seconds = transfer_->to_device(start_, grid_.own(), halo_->now()); });
    transferred_ = FieldSeconds{.h2d = communicator_.max(seconds)};
  } else {
    agree(communicator_, [&] { fill_(setup.exec(), halo_->now()); });
  }
  grid::copy_baseline(setup.exec(), halo_->next(), halo_->now(), first_->size() * sizeof(T));
  backend::wait_for(setup.exec());
}

template <class T>
void GridStepper<T>::fetch() {
  double seconds = 0;
  agree(communicator_,
        [&] { seconds = transfer_->to_host(halo_->now(), host_needs_cells_ ? &cells_ : nullptr); });
  transferred_->d2h = communicator_.max(seconds);
}

template <class T>
const std::vector<T>& GridStepper<T>::cells() {
  if (!transfer_ && host_needs_cells_) cells_ = own_cells(layout_, halo_->now());
  return cells_;
}

template <class T>
std::vector<T> GridStepper<T>::cells_now() const {
  return own_cells(layout_, halo_->now());
}

template <class T>
void GridStepper<T>::start() {
  fill();
  halo_->timer().reset();
  halo_->reset_residuals();
  communicator_.barrier();
}

template <class T>
void GridStepper<T>::advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange) {
  try {
    model_.advance(*halo_, steps, on_exchange);
  } catch (const OutOfMemory&) {  // no room for the residuals
    settle(std::current_exception());
  }
  halo_->finish();
}

template <class T>
double GridStepper<T>::run(const std::function<void(grid::Index)>& on_exchange) {
  start();
  const base::Stopwatch watch;
  advance(steps_, on_exchange);
  const double seconds = communicator_.max(watch.seconds());
  if (transfer_) fetch();
  return seconds;
}

template <class T>
double GridStepper<T>::copy_bandwidth() {
  constexpr int copies = 5;
  const backend::Instance instance(backend::Priority::low);
  const std::size_t bytes = first_->size() * sizeof(T);
  std::vector<double> times;
  for (int i = -1; i < copies; ++i) {  // the first warms up
    communicator_.barrier();
    const base::Stopwatch watch;
    grid::copy_baseline(instance.exec(), halo_->next(), halo_->now(), bytes);
    backend::wait_for(instance.exec());
    const double time = communicator_.max(watch.seconds());
    if (i >= 0) times.push_back(time);
  }
  return 2 * communicator_.sum(static_cast<double>(bytes)) / report::spread_of(times).median;
}

#define HALOHEAP_INSTANTIATE(T) template class GridStepper<T>;
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
