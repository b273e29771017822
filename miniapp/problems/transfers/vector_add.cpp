// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_point.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {
namespace vector_add {

struct Add {
  transfer::DeviceRows<float> a, b, c;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { *c(i) = *a(i) + *b(i); }
};

}  // namespace vector_add

namespace {

constexpr TransferTraffic two_arrays_to_one{3, 2, 1};

// Whole numbers, so that their sums are exact.
float first(std::size_t i) {
  return static_cast<float>(i % 1021);
}
float second(std::size_t i) {
  return static_cast<float>(i % 4093);
}

WrongAfter set_up(transfer::Pipeline& pipeline) {
  using transfer::Intent;
  const auto a = pipeline.operand<float>("haloheap::vector_add::a", Intent::in);
  const auto b = pipeline.operand<float>("haloheap::vector_add::b", Intent::in);
  const auto c = pipeline.operand<float>("haloheap::vector_add::c", Intent::out);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    *a.host(i) = first(i);
    *b.host(i) = second(i);
    *c.host(i) = -1;
  }
  pipeline.set_kernel([=](const backend::Exec& exec, const transfer::Chunk& chunk) {
    Kokkos::parallel_for("haloheap::vector_add",
                         Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
                         vector_add::Add{a.device(), b.device(), c.device()});
  });
  return [=](int /*runs*/) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.rows(); ++i) wrong += *c.host(i) != first(i) + second(i) ? 1 : 0;
    return wrong;
  };
}

/// The validation of [Bhimani2016]: two arrays to the device, their sum back.
class VectorAdd final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    return plan_transfer(deck, ranks, two_arrays_to_one);
  }
  report::QuantityList quantities() const override { return transfer_quantities(); }
  report::Point run(const RunContext& context) override {
    return runner_.run(context, two_arrays_to_one,
                       [](const TransferSettings&, const transfer::ResourceMaker&, report::Point&) {
                         return TransferWork(set_up);
                       });
  }

 private:
  TransferRunner runner_;
};

}  // namespace

ProblemEntry vector_add_problem() {
  return {"vector_add",
          "two arrays to the device, their sum back ([Bhimani2016])",
          {add_transfer_mode_keys, add_transfer_keys, add_memory_keys},
          make_problem<VectorAdd>,
          AdviceKind::transfer};
}

}  // namespace haloheap
