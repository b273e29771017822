// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_LINEAR_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_LINEAR_OPERATOR_HPP

#include <haloheap/comm/halo/constants_halo.hpp>
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/solvers/rule_operator.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace haloheap::comm {

/// An update rule whose new value of a cell is a sum of its neighbours, each times what does not depend on
/// the field: a row of a matrix that stands in no memory.
template <class Rule>
concept LinearRule =
    stencil::UpdateRule<Rule> && Rule::Fields::count == 1 &&
    std::floating_point<typename Rule::Fields::type>&& stencil::RuleTraits<Rule>::stages == 1 &&
    !stencil::RuleTraits<Rule>::uses_step;

/// How an operator is set up.
struct OperatorConfig {
  /// Applications of the operator that one exchange of ghost cells is enough for, each of which has its
  /// radius of them: more than 1 is for SStepConjugateGradient and for multigrid methods.
  int depth = 1;
  HaloExchangeConfig halo = {};  ///< how ghost cells of constants are exchanged
};

namespace detail {

/// Collective. @throws what is wrong with an operator on a grid, on all ranks
void agree_on_operator(const Communicator& communicator, const GridComputation& setup,
                       const stencil::SideRules& sides, const grid::FieldLayout& layout,
                       const OperatorConfig& config);
/// A depth for which a layout can be made, where that of a configuration is wrong.
int usable_depth(const OperatorConfig& config);

}  // namespace detail

/// A matrix on a grid of many ranks, by an update rule (core/stencil/rule.hpp) of one field that is linear in
/// it:
///
///     struct Poisson {  // -laplace, times the square of a cell's width
///       using Fields = stencil::Fields<double>;
///       static constexpr int dims = 2, radius = 1;
///       static constexpr auto shape = stencil::StencilShape::star;
///
///       template <class Cell>
///       KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
///         return 4 * cell(0) - (cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1));
///       }
///     };
///     const comm::LinearOperator matrix(world, grid, Poisson{}, sides);
///
/// Coefficients that depend on place are the rule's `Constants`. Where the grid does not wrap around, `sides`
/// say what is outside: values, which are on the right side then, mirrored cells, with either sign, and
/// outflow. Not what a rule makes of it, of which nobody knows whether it is linear.
///
/// Nobody can know of the rule either: a solver of one that is not linear does not converge.
template <class T>
class LinearOperator {
 public:
  using Exec = backend::Exec;

  /// Collective. @throws UsageError for sides that do not fit the grid or are made by the rule (AgreedError
  /// if not on all ranks); AgreedError if the ranks were not given the same; else as DeepHalo
  template <class Rule>
  LinearOperator(const Communicator& communicator, const Grid& grid, const Rule& rule,
                 const stencil::SideRules& sides, const OperatorConfig& config = {})
      : communicator_(communicator),
        grid_(grid),
        layout_(layout_of<Rule>(grid, detail::usable_depth(config))),
        sides_(sides),
        depth_(config.depth) {
    require_linear_rule<Rule>();
    static_assert(!GridStepWithConstants<Rule>,
                  "an operator with constants is given their fields as well: LinearOperator(communicator, "
                  "grid, rule, sides, constants)");
    make(rule, sides,
         detail::checked_later(
             grid, [&] { return detail::on_grid<Rule>(grid, sides, stencil::description_of<Rule>(sides)); }),
         config);
  }
  /// @param constants fields with constants_layout_of<Rule>(grid, depth), of which the own cells are set.
  /// They must outlive this object.
  template <class Rule>
  LinearOperator(const Communicator& communicator, const Grid& grid, const Rule& rule,
                 const stencil::SideRules& sides, const FieldData<typename Rule::Constants::type>& constants,
                 const OperatorConfig& config = {})
      : communicator_(communicator),
        grid_(grid),
        layout_(layout_of<Rule>(grid, detail::usable_depth(config))),
        sides_(sides),
        depth_(config.depth) {
    require_linear_rule<Rule>();
    make(rule, sides,
         detail::checked_later(grid,
                               [&] {
                                 return detail::on_grid<Rule>(
                                     grid, sides, stencil::description_of<Rule>(sides), constants);
                               }),
         config);
  }

  /// The same operator by other kernels, for solvers to use.
  LinearOperator(const LinearOperator& same, std::unique_ptr<detail::GridOperator<T>> kernels)
      : communicator_(same.communicator_),
        grid_(same.grid_),
        layout_(same.layout_),
        sides_(same.sides_),
        depth_(same.depth_),
        kernels_(std::move(kernels)) {}

  const Communicator& communicator() const { return communicator_; }
  const Grid& grid() const { return grid_; }
  /// Of every field that it is applied to: own cells with ghost cells for `depth` applications.
  const grid::FieldLayout& layout() const { return layout_; }
  int depth() const { return depth_; }
  /// How far away the neighbours are that the rule reads.
  int radius() const { return static_cast<int>(layout_.halo.x) / depth_; }
  const stencil::SideRules& sides() const { return sides_; }

  /// Collective, after constants were changed in own cells: fills what is around them. Waits.
  void refresh_constants(const Exec& exec) const {
    if (constants_) constants_->fill(exec);
  }

  const detail::GridOperator<T>& kernels() const { return *kernels_; }

 private:
  template <class Rule>
  static constexpr void require_linear_rule() {
    static_assert(
        LinearRule<Rule>,
        "the rule of an operator is an update rule with one field, of float or double, one stage, and "
        "without uses_step");
  }
  template <class Rule>
  void make(const Rule& rule, const stencil::SideRules& sides, const detail::GridComputation& setup,
            const OperatorConfig& config) {
    detail::agree_on_operator(communicator_, setup, sides, layout_, config);
    const auto& periodic = grid_.topology.periodic;
    stencil::Subdomain where{layout_, grid_.cells, grid_.own(), {periodic[0], periodic[1], periodic[2]}};
    if (setup.constants) {
      where.constants = setup.constants->memory.start;
      where.constants_layout = setup.constants->layout(grid_, layout_);
      constants_ = std::make_unique<detail::ConstantsHalo>(communicator_, setup,
                                                           DeepHaloConfig{.halo = config.halo}, where);
      const backend::Instance instance(backend::Priority::low);
      constants_->fill(instance.exec());
    }
    kernels_ = std::make_unique<detail::RuleOperator<Rule>>(rule, sides, where);
  }

  const Communicator& communicator_;
  Grid grid_;
  grid::FieldLayout layout_;
  stencil::SideRules sides_;
  int depth_;
  std::unique_ptr<detail::ConstantsHalo> constants_;
  std::unique_ptr<detail::GridOperator<T>> kernels_;
};

/// The type of the values is that of the rule's field.
template <class Rule, class... More>
LinearOperator(const Communicator&, const Grid&, const Rule&, const stencil::SideRules&, More&&...)
    -> LinearOperator<typename Rule::Fields::type>;

}  // namespace haloheap::comm

#endif
