// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/exchange.hpp>
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/core/transfer/schedule.hpp>
#include <haloheap/miniapp/advise/advice.hpp>
#include <haloheap/miniapp/advise/allocator_advice.hpp>
#include <haloheap/miniapp/advise/grid_advice.hpp>
#include <haloheap/miniapp/advise/solver_advice.hpp>
#include <haloheap/miniapp/advise/transfer_advice.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

#include <algorithm>

namespace haloheap::advise {
namespace {

using deck::Deck;
using deck::Value;

struct Adviser {
  AdviceKind kind;
  std::map<std::string, Value> keys;  ///< what it fills, and what stands there as long as nothing is chosen
  std::vector<std::string> others;    ///< what it fills and no deck can leave open
  Advice (*advise)(const Deck&, const Scope&, PointRunner&);
  bool (*uses)(const Deck&, const std::string& key) = [](const Deck&, const std::string&) { return true; };
};

template <class E>
Value text(E value) {
  return name_of(value);
}

std::map<std::string, Value> transfer_keys() {
  return {{"transfer.mode", std::string(transfer::modes().front().name)},
          {"transfer.schedule", text(transfer::Schedule::none)},
          {"transfer.streams", std::int64_t{1}}};
}

std::map<std::string, Value> grid_keys() {
  std::map<std::string, Value> keys = transfer_keys();
  keys["halo.depth"] = std::int64_t{1};
  keys["halo.exchange"] = text(comm::Exchange::sync);
  keys["halo.overlap"] = text(comm::Overlap::none);
  keys["stencil.fused_steps"] = std::int64_t{1};
  return keys;
}

std::map<std::string, Value> solver_keys() {
  const comm::SolverConfig plain;
  return {{"solver.method", text(comm::SolverMethod::cg)},
          {"solver.preconditioner", text(plain.preconditioner)},
          {"solver.block_steps", std::int64_t{plain.block_steps}},
          {"solver.inner_steps", std::int64_t{plain.inner_steps}},
          {"solver.smoothing_steps", std::int64_t{plain.smoothing_steps}}};
}

/// A new one is a file pair, a kind, which its problems have, and an entry here.
const std::vector<Adviser>& advisers() {
  static const std::vector<Adviser> list = {
      {AdviceKind::grid, grid_keys(), {"halo.graph", "halo.transport"}, advise_grid, grid_uses},
      {AdviceKind::transfer, transfer_keys(), {}, advise_transfers},
      {AdviceKind::allocator, {{"allocator.name", all_allocators().front()}}, {}, advise_allocators},
      {AdviceKind::solver, solver_keys(), {}, advise_solvers},
  };
  return list;
}

const Adviser* adviser_of(const Deck& deck) {
  const ProblemEntry& problem = problems().at(deck.get<std::string>("problem"));
  for (const Adviser& adviser : advisers())
    if (adviser.kind == problem.advice) return &adviser;
  return nullptr;
}

}  // namespace

bool Scope::open(const Deck& deck, const std::string& key) const {
  if (!kept_) return deck::is_automatic(deck.value(key));
  return std::find(kept_->begin(), kept_->end(), key) == kept_->end();
}

std::vector<std::string> advised_keys(const Deck& deck) {
  const Adviser* adviser = adviser_of(deck);
  if (adviser == nullptr) return {};
  std::vector<std::string> keys = adviser->others;
  for (const auto& [key, value] : adviser->keys) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::string> open_keys(const Deck& deck, const Scope& scope) {
  const Adviser* adviser = adviser_of(deck);
  std::vector<std::string> keys = advised_keys(deck);
  std::erase_if(keys, [&](const std::string& key) {
    return !scope.open(deck, key) || !adviser->uses(deck, key) ||
           (scope.is_automatic() && !adviser->keys.contains(key));
  });
  return keys;
}

bool has_automatic_keys(const Deck& deck) {
  const Adviser* adviser = adviser_of(deck);
  return adviser != nullptr && std::any_of(adviser->keys.begin(), adviser->keys.end(), [&](const auto& key) {
           return deck::is_automatic(deck.value(key.first));
         });
}

Deck without_auto(const Deck& deck) {
  std::map<std::string, Value> values;
  for (const Adviser& adviser : advisers())
    for (const auto& [key, value] : adviser.keys)
      if (deck::is_automatic(deck.value(key))) values[key] = value;
  // A pass of several steps needs a halo for them.
  const Value& fused = deck.value("stencil.fused_steps");
  if (values.contains("halo.depth") && !deck::is_automatic(fused)) values["halo.depth"] = fused;
  // Conjugate gradients need a symmetric operator.
  if (values.contains("solver.method") && !has_symmetric_operator(deck))
    values["solver.method"] = text(comm::SolverMethod::bicgstab);
  return deck.with(values);
}

Advice advise(const Deck& deck, const Scope& scope, PointRunner& runner) {
  const Adviser* adviser = adviser_of(deck);
  return open_keys(deck, scope).empty() ? Advice{} : adviser->advise(deck, scope, runner);
}

}  // namespace haloheap::advise
