// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/grid/copy.hpp>
#include <haloheap/miniapp/problems/heat_stepper.hpp>

#include <algorithm>
#include <chrono>
#include <exception>

namespace haloheap {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void wait_for(const backend::Instance& instance) {
  backend::Event done;
  done.record(instance.exec());
  done.wait_on_host();
}

}  // namespace

template <class T>
HeatStepper<T>::HeatStepper(const RunContext& context, const HeatSettings& settings, const HeatCosts& costs)
    : communicator_(context.communicator),
      errors_(context.communicator.get()),
      problem_(settings.problem(context.communicator.rank())),
      steps_(settings.steps),
      timeout_(settings.config.halo.timeout),
      layout_(problem_.layout(settings.config.depth, sizeof(T))),
      initial_(settings.initial, settings.boundary, settings.dims, settings.cells, settings.quantities),
      memory_(context.deck) {
  agree(communicator_, [&] { allocate(costs); });
}

template <class T>
void HeatStepper<T>::allocate(const HeatCosts& costs) {
  const auto size = static_cast<std::size_t>(layout_.size());
  const auto fields = memory_.resource("memory.fields", costs.field_bytes);
  buffers_ = memory_.resource("memory.buffers", costs.device_buffer_bytes);
  first_.emplace(fields, "haloheap::heat::now", size);
  second_.emplace(fields, "haloheap::heat::next", size);
  fill_.emplace(initial_, layout_, problem_.own());
}

// DeepHalo communicates. A rank that fails there alone leaves the others in a collective call or waiting for
// its messages, and must end the run by force; what all of them run into ends it in order, with one message.
template <class T>
void HeatStepper<T>::settle(const std::exception_ptr& failure) {
  constexpr double patience_with_the_others = 2;  // seconds
  try {
    errors_.barrier(failure ? patience_with_the_others : timeout_);
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
void HeatStepper<T>::make(const DeepHaloConfig& config) {
  halo_.reset();
  DeepHaloConfig with_buffers = config;
  with_buffers.halo.buffers = buffers_;
  std::exception_ptr failure;
  try {
    halo_.emplace(communicator_, problem_, with_buffers, first_->data(), second_->data());
  } catch (const AgreedError&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  settle(failure);
}

template <class T>
void HeatStepper<T>::fill() {
  const backend::Instance setup(backend::Priority::low);
  fill_->run(setup.exec(), halo_->now());
  fill_->run(setup.exec(), halo_->next());
  wait_for(setup);
}

template <class T>
double HeatStepper<T>::run(const std::function<void(Index)>& on_exchange) {
  fill();
  halo_->timer().reset();
  halo_->reset_residuals();
  communicator_.barrier();
  const auto begin = Clock::now();
  try {
    halo_->advance(steps_, on_exchange);
  } catch (const OutOfMemory&) {  // no room for the residuals
    settle(std::current_exception());
  }
  halo_->finish();
  return communicator_.max(seconds_since(begin));
}

template <class T>
double HeatStepper<T>::copy_bandwidth() {
  constexpr int copies = 5;
  const backend::Instance instance(backend::Priority::low);
  const std::size_t bytes = first_->size() * sizeof(T);
  std::vector<double> times;
  for (int i = -1; i < copies; ++i) {  // the first warms up
    communicator_.barrier();
    const auto begin = Clock::now();
    copy_baseline(instance.exec(), halo_->next(), halo_->now(), bytes);
    wait_for(instance);
    const double time = communicator_.max(seconds_since(begin));
    if (i >= 0) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return 2 * communicator_.sum(static_cast<double>(bytes)) / times[copies / 2];
}

template class HeatStepper<float>;
template class HeatStepper<double>;

}  // namespace haloheap
