// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_SCHEMA_HPP
#define HALOHEAP_MINIAPP_SCHEMA_HPP

#include <haloheap/miniapp/deck/schema.hpp>

#include <string>
#include <vector>

namespace haloheap {

struct SchemaChoices;

/// Adds the sections that a problem brings; problems that share them name the same function.
using ProblemKeys = void (*)(deck::Schema& schema, const SchemaChoices& choices);

/// What is registered elsewhere. None may be empty; the first problem, transport, message mode
/// and in-kernel allocator are the defaults, and the resources must have "device".
struct SchemaChoices {
  std::vector<std::string> problems;
  std::vector<std::string> transports;
  std::vector<std::string> message_modes;
  std::vector<std::string> resources;
  std::vector<std::string> allocators;
  std::vector<std::string> transfer_modes;
  std::vector<std::string> coherence_policies;
  std::vector<ProblemKeys> problem_keys;
};

/// Section memory, of problems whose arrays stand in memory of the deck's choice.
void add_memory_keys(deck::Schema& schema, const SchemaChoices& choices);

/// The choice of the problem, the sections of the problems, and those that all problems share. Section memory
/// stands behind the sections that are of fewer problems.
deck::Schema make_schema(const SchemaChoices& choices);

}  // namespace haloheap

#endif
