// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_RULE_MODEL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_RULE_MODEL_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace haloheap {

/// A physics whose step is an update rule. Who derives from it says the start values, and whatever else is
/// known.
template <stencil::UpdateRule Rule>
class RuleModel : public GridModelOf<typename Rule::Fields::type> {
 public:
  using T = typename Rule::Fields::type;
  using Constant = typename stencil::RuleTraits<Rule>::Constant;

  /// @param fields their names, in the order of the rule
  RuleModel(const GridSize& size, const std::vector<std::string>& fields, const Rule& rule,
            stencil::SideRules sides)
      : GridModelOf<T>(size, facts_of(fields, sides)), rule_(rule), sides_(std::move(sides)) {}

  std::optional<comm::HaloProblem> problem(const comm::Grid& grid,
                                           const comm::DeepHaloConfig& config) const override {
    return comm::problem_of(grid, rule_, sides_, config);
  }

  std::shared_ptr<comm::DeepHalo<T>> halo(
      const comm::Communicator& communicator, const comm::Grid& grid, const comm::DeepHaloConfig& config,
      T* now, T* next, const std::shared_ptr<memory::MemoryResource>& resource) const override {
    if constexpr (comm::GridStepWithConstants<Rule>) {
      const grid::FieldLayout layout = comm::constants_layout_of<Rule>(grid, config.depth);
      memory::Array<Constant> constants(resource, "haloheap::grids::constants",
                                        static_cast<std::size_t>(layout.size()));
      fill_own(backend::Exec(), this->constants(), layout, grid.own(), constants.data());
      const auto both = std::make_shared<WithConstants>(communicator, grid, rule_, sides_, config, now, next,
                                                        std::move(constants));
      return {both, &both->halo};
    } else {
      return std::make_shared<comm::DeepHalo<T>>(communicator, grid, rule_, sides_, config, now, next);
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
  struct WithConstants {
    memory::Array<Constant> constants;
    comm::DeepHalo<T> halo;

    WithConstants(const comm::Communicator& communicator, const comm::Grid& grid, const Rule& rule,
                  const stencil::SideRules& sides, const comm::DeepHaloConfig& config, T* now, T* next,
                  memory::Array<Constant> given)
        : constants(std::move(given)), halo(communicator, grid, rule, sides, config, now, next, constants) {}
  };

  static GridFacts facts_of(const std::vector<std::string>& fields, const stencil::SideRules& sides) {
    GridFacts facts{.fields = fields,
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
