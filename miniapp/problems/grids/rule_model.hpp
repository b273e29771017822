// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_RULE_MODEL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_RULE_MODEL_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/stencil/field_names.hpp>
#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace haloheap {

/// A physics whose step is an update rule. Who derives from it says the start values, and whatever else is
/// known.
/// @tparam Measure what kernels of several steps find on their way, see stencil::measuring: the residual of a
/// physics that knows a bound for it
template <stencil::UpdateRule Rule, class Measure = void>
class RuleModel : public GridModelOf<typename Rule::Fields::type> {
 public:
  using T = typename Rule::Fields::type;
  using Constant = typename stencil::RuleTraits<Rule>::Constant;

  RuleModel(const GridSize& size, const Rule& rule, stencil::SideRules sides)
      : GridModelOf<T>(size, facts_of(sides)), rule_(rule), sides_(std::move(sides)) {}

  std::optional<comm::HaloProblem> problem(const comm::Grid& grid,
                                           const comm::DeepHaloConfig& config) const override {
    return comm::problem_of(grid, rule_, sides_, config);
  }

  std::shared_ptr<comm::DeepHalo<T>> halo(
      const comm::Communicator& communicator, const comm::Grid& grid, const comm::DeepHaloConfig& config,
      T* now, T* next, const std::shared_ptr<memory::MemoryResource>& resource) const override {
    const RuleInKernels given = rule_in(resource);
    if constexpr (comm::GridStepWithConstants<Rule>) {
      const grid::FieldLayout layout = comm::constants_layout_of<Rule>(grid, config.depth);
      const auto values = std::make_shared<memory::Array<Constant>>(resource, "haloheap::grids::constants",
                                                                    static_cast<std::size_t>(layout.size()));
      fill_own(backend::Exec(), constants(), layout, grid.own(), values->data());
      return kept_with(std::pair(given.memory, values),
                       std::make_shared<comm::DeepHalo<T>>(communicator, grid, in_kernels(given.rule), sides_,
                                                           config, now, next, values->data()));
    } else {
      return kept_with(given.memory,
                       std::make_shared<comm::DeepHalo<T>>(communicator, grid, in_kernels(given.rule), sides_,
                                                           config, now, next));
    }
  }

  /// Before a step, after it, and what is kept.
  std::size_t reference_bytes() const override {
    return 3 * static_cast<std::size_t>(this->fields() * product(this->size().cells)) * sizeof(T);
  }

  std::vector<T> reference(grid::Index steps) const override {
    auto serial = serial_reference();
    serial.advance(steps);
    return serial.values();
  }

  std::vector<stencil::ResidualSum> reference_residuals(grid::Index steps,
                                                        const stencil::ResidualScale& scale) const override {
    auto serial = serial_reference();
    std::vector<stencil::ResidualSum> sums;
    for (grid::Index step = 0; step < steps; ++step) {
      const std::vector<T> before = serial.values();
      serial.advance(1);
      stencil::ReferenceResidual residual(scale);
      for (std::size_t i = 0; i < before.size(); ++i)
        residual.add(static_cast<double>(serial.values()[i] - before[i]));
      sums.push_back(residual.sum());
    }
    return sums;
  }

 protected:
  /// Of a rule with fields that no step changes: their values, which must have the same bits on every rank.
  virtual CellValues<Constant> constants() const { return {}; }

  /// The rule as kernels are given it, and the memory that it points to, if it does.
  struct RuleInKernels {
    Rule rule;
    std::shared_ptr<const void> memory = nullptr;
  };
  /// Of a rule that points to tables: one that points to copies of them which kernels reach.
  virtual RuleInKernels rule_in(const std::shared_ptr<memory::MemoryResource>& /*resource*/) const {
    return {rule_};
  }

  stencil::RuleReference<Rule> serial_reference() const {
    const grid::Triple& cells = this->size().cells;
    const grid::Box all{{0, 0, 0}, cells};
    if constexpr (comm::GridStepWithConstants<Rule>)
      return {rule_, sides_, cells, values_in(this->start(), this->fields(), all),
              values_in(constants(), Rule::Constants::count, all)};
    else
      return {rule_, sides_, cells, values_in(this->start(), this->fields(), all)};
  }
  const Rule& rule() const { return rule_; }
  const stencil::SideRules& sides() const { return sides_; }

 private:
  static auto in_kernels(const Rule& rule) {
    if constexpr (std::is_void_v<Measure>)
      return rule;
    else
      return stencil::measuring<Measure>(rule);
  }

  /// The halo ends before what it uses.
  template <class Memory>
  static std::shared_ptr<comm::DeepHalo<T>> kept_with(Memory memory,
                                                      std::shared_ptr<comm::DeepHalo<T>> halo) {
    struct Both {
      Memory memory;
      std::shared_ptr<comm::DeepHalo<T>> halo;
    };
    const auto both = std::make_shared<Both>(Both{std::move(memory), std::move(halo)});
    return {both, both->halo.get()};
  }

  static GridFacts facts_of(const stencil::SideRules& sides) {
    GridFacts facts{.fields = stencil::field_names<Rule>(),
                    .radius = Rule::radius,
                    .stages = stencil::RuleTraits<Rule>::stages,
                    .constant_bytes = stencil::RuleTraits<Rule>::constants * sizeof(Constant)};
    for (int dim = 0; dim < 3; ++dim) facts.periodic[dim] = sides.periodic(dim);
    return facts;
  }

  Rule rule_;
  stencil::SideRules sides_;
};

}  // namespace haloheap

#endif
