// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_SOLVER_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_SOLVER_ADVICE_HPP

#include <haloheap/miniapp/advise/advice.hpp>
#include <haloheap/miniapp/advise/solver_adviser.hpp>

#include <map>
#include <string>

namespace haloheap::advise {

/// The keys of a deck that say a choice.
std::map<std::string, deck::Value> keys_of(const SolverChoice& choice);

/// Method, preconditioner and their numbers of steps of a deck with linear systems, by the model of their
/// iterations.
Advice advise_solvers(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

/// What may be chosen for a deck. Methods for operators that are not symmetric are tried where its operator
/// is not, or where the deck keeps them.
SolverOptions solver_options(const deck::Deck& deck, const Scope& scope);

}  // namespace haloheap::advise

#endif
