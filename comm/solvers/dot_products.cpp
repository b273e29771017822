// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/dot_products.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace haloheap::comm::detail {
namespace {

constexpr int words = max_dots * residual_parts;

/// One word of all slots a thread; the slots are empty again after it.
struct FoldDots {
  double *slots, *totals;

  KOKKOS_FUNCTION void operator()(int i) const {
    double sum = 0;
    for (int n = 0; n < residual_slots; ++n) {
      sum += slots[n * dot_stride + i];
      slots[n * dot_stride + i] = 0;
    }
    totals[i] = sum;
  }
};

/// Words are multiples of one quantum, and far from where their sum would be rounded: exact in any order.
std::array<double, max_dots> rounded(const std::array<double, words>& all) {
  std::array<double, max_dots> result{};
  for (std::size_t n = 0; n < result.size(); ++n) {
    stencil::MeasuredWords sum;
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(n) * residual_parts, residual_parts, sum.part);
    result[n] = sum.value(stencil::MeasuredKinds::sum);
  }
  return result;
}

}  // namespace

DotProducts::DotProducts(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
                         grid::Index cells)
    : communicator_(communicator),
      cells_(cells),
      slots_(memory, "haloheap::comm::dot_slots", static_cast<std::size_t>(residual_slots * dot_stride)),
      totals_(memory, "haloheap::comm::dot_totals", words) {
  const std::vector<double> zeros(slots_.size(), 0);
  const backend::Instance copies(backend::Priority::low);
  backend::copy(copies.exec(), slots_.data(), zeros.data(), zeros.size() * sizeof(double));
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

void DotProducts::fold(const Exec& exec, Words& found) const {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  backend::parallel_for("haloheap::comm::dot_fold", backend::as_kernel_argument(Policy(exec, 0, words)),
                        FoldDots{slots_.data(), totals_.data()});
  backend::copy(exec, found.data(), totals_.data(), sizeof(found));
}

std::array<double, max_dots> DotProducts::sums(const Exec& exec) const {
  Words all{};
  fold(exec, all);
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
