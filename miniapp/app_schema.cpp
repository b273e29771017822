// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/coherence/protocol.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/app_schema.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>

namespace haloheap {
namespace {

/// What is registered in this build, for all but the sections of problems.
SchemaChoices choices_of_this_build() {
  SchemaChoices choices;
  choices.problems = problems().names();
  choices.transports = transports().names();
  choices.transports.push_back("auto");
  choices.message_modes = message_modes().names();
  choices.resources = memory_resources().names();
  choices.allocators = all_allocators();
  choices.transfer_modes = transfer::modes().names();
  choices.coherence_policies = coherence::policies().names();
  return choices;
}

}  // namespace

deck::Schema app_schema() {
  SchemaChoices choices = choices_of_this_build();
  for (const ProblemEntry& info : problems())
    choices.problem_keys.insert(choices.problem_keys.end(), info.add_keys.begin(), info.add_keys.end());
  return make_schema(choices);
}

deck::Schema schema_of(const ProblemEntry& problem) {
  SchemaChoices choices = choices_of_this_build();
  choices.problem_keys = problem.add_keys;
  return make_schema(choices);
}

}  // namespace haloheap
