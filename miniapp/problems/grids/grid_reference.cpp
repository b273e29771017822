// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_reference.hpp>

namespace haloheap {
namespace {

/// What of a deck determines the solution: the grid's keys and those that the physics has to itself.
std::string problem_text(const deck::Deck& deck) {
  const auto name = deck.get<std::string>("problem");
  deck::Schema schema;
  for (const ProblemKeys add : problems().at(name).add_keys)
    if (!changes_no_result(add)) add(schema);
  std::string text = name;
  for (const deck::Key* key : schema.keys())
    text += "\n" + key->name + " = " + deck::to_toml(deck.value(key->name));
  return text;
}

}  // namespace

template <class T>
const std::vector<T>& GridReference::solution(const deck::Deck& deck, const GridModelOf<T>& model) {
  const std::string problem = problem_text(deck);
  if (const auto* known = std::any_cast<std::vector<T>>(&cells_); known && problem == solved_) return *known;
  cells_.reset();  // before the next one is made, so that two never stand side by side
  solved_ = problem;
  return cells_.emplace<std::vector<T>>(model.reference(deck.get<std::int64_t>("grid.steps")));
}

template <class T>
const std::vector<stencil::ResidualSum>& GridReference::residuals(const deck::Deck& deck,
                                                                  const GridModelOf<T>& model,
                                                                  const stencil::ResidualScale& scale) {
  const std::string problem = problem_text(deck);
  if (problem != summed_) sums_ = model.reference_residuals(deck.get<std::int64_t>("grid.steps"), scale);
  summed_ = problem;
  return sums_;
}

#define HALOHEAP_INSTANTIATE(T)                                                                     \
  template const std::vector<T>& GridReference::solution(const deck::Deck&, const GridModelOf<T>&); \
  template const std::vector<stencil::ResidualSum>& GridReference::residuals(                       \
      const deck::Deck&, const GridModelOf<T>&, const stencil::ResidualScale&);
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
