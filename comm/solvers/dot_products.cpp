// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/dot_products.hpp>
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::comm::detail {
namespace {

constexpr int words = max_dots * residual_parts;

std::array<double, max_dots> rounded(const std::array<double, words>& all) {
  std::array<double, max_dots> result{};
  for (std::size_t n = 0; n < result.size(); ++n) result[n] = rounded_sum(all.data() + n * residual_parts);
  return result;
}

}  // namespace

DotProducts::DotProducts(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
                         grid::Index cells)
    : communicator_(communicator),
      cells_(cells),
      slots_(memory, "haloheap::comm::dot_slots",
             static_cast<std::size_t>(residual_slots * DotTarget::stride)),
      totals_(memory::make_memory_resource("pinned"), "haloheap::comm::dot_totals", words) {
  clear_dots(slots_);
}

DotProducts::~DotProducts() {
  if (request_ == MPI_REQUEST_NULL) return;
  int done = 0;
  MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  // An exchange has thrown, and other ranks may never add theirs: MPI keeps what it still writes to.
  if (done == 0) static_cast<void>(begun_.release());
}

DotTarget DotProducts::target(std::array<double, max_dots> bounds) const {
  constexpr double smallest = 0x1p-900, largest = 0x1p899;
  DotTarget target;
  target.slots = slots_.data();
  for (std::size_t n = 0; n < bounds.size(); ++n)
    target.scales[n] = stencil::SumScale::make(
        static_cast<int>(n), std::clamp(bounds[n] > 0 ? bounds[n] : smallest, smallest, largest), cells_);
  return target;
}

void DotProducts::fold(const Exec& exec, Words& found, const std::function<void()>& meanwhile) {
  fold_dots(exec, {slots_.data(), totals_.data(), DotTarget::stride, words});
  folded_.record(exec);
  if (meanwhile) meanwhile();
  folded_.wait_on_host();
  std::copy_n(totals_.data(), found.size(), found.begin());
}

std::array<double, max_dots> DotProducts::sums(const Exec& exec, const std::function<void()>& meanwhile) {
  Words all{};
  fold(exec, all, meanwhile);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, all.data(), words, MPI_DOUBLE, MPI_SUM, communicator_.get()),
            "MPI_Allreduce");
  return rounded(all);
}

void DotProducts::begin_sums(const Exec& exec) {
  if (!begun_) begun_ = std::make_unique<Words>();
  fold(exec, *begun_);
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, begun_->data(), words, MPI_DOUBLE, MPI_SUM, communicator_.get(),
                           &request_),
            "MPI_Iallreduce");
}

std::array<double, max_dots> DotProducts::finish_sums() {
  check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  return rounded(*begun_);
}

double DotProducts::largest(const Exec& exec) const {
  MeasureKey key = 0;
  backend::copy(exec, &key, largest_target(), sizeof(key));
  const MeasureKey none = 0;
  backend::copy(exec, largest_target(), &none, sizeof(none));
  // A rank without cells has found nothing. NaN is no number that MPI_MAX compares.
  const double found = key == 0 ? 0 : stencil::detail::value_of(key);
  return communicator_.max(std::isnan(found) ? HUGE_VAL : found);
}

}  // namespace haloheap::comm::detail
