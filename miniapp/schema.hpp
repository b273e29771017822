// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_SCHEMA_HPP
#define HALOHEAP_MINIAPP_SCHEMA_HPP

#include <haloheap/miniapp/deck/sweep.hpp>

#include <vector>

namespace haloheap {

struct ProblemEntry;

/// Adds a section that a problem brings, or several; problems that share them name the same function.
using ProblemKeys = void (*)(deck::Schema& schema);

/// Section memory, of problems whose arrays stand in memory of the deck's choice.
void add_memory_keys(deck::Schema& schema);

/// output.frames, of problems whose fields can be written at several times of a run.
void add_frame_keys(deck::Schema& schema);

/// The choice of the problem, these sections in their order, each once, and those that all problems share.
/// Section memory stands behind the sections that are of fewer problems, and keys of shared sections with
/// these.
deck::Schema make_schema(const std::vector<ProblemKeys>& problem_keys);

/// The schema of this build: the keys of all problems.
deck::Schema app_schema();

/// The keys of it that a problem uses.
deck::Schema schema_of(const ProblemEntry& problem);

/// Refuses a key that none of the deck's problems uses: it would have no effect. Defaults may be said, as
/// printed decks do, and a deck may have keys of problems other than one that the command line chooses.
/// @throws UsageError with the place in the deck
void require_used_keys(const deck::Sweep& sweep);

}  // namespace haloheap

#endif
