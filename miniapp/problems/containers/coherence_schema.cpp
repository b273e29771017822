// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/coherence_schema.hpp>

namespace haloheap {

void add_coherence_keys(deck::Schema& schema, const SchemaChoices& choices) {
  deck::Section& coherence =
      schema.section("coherence", "Smart containers: which copies there are, and what moves");
  coherence.integer("devices", -1)
      .range(-1, 16)
      .help("Devices that share the work of each call; 0: the host; -1: all that this process sees");
  coherence.boolean("share", false).help("More devices may be asked for than there are: they share those");
  coherence.text("policy", choices.coherence_policies.empty() ? "" : choices.coherence_policies.front())
      .choices(choices.coherence_policies)
      .help("How copies are kept coherent");
  coherence.boolean("peer", true).help("Devices copy straight to each other, where they can");
  coherence.boolean("pinned", true).help("Page-locked memory for the containers on the host");
  coherence.real("capacity", 0.0)
      .at_least(0.0)
      .unit("GiB")
      .help(
          "Most memory of a device for all containers; 0: all there is. Less is made up for by moving more");
  coherence.boolean("asynchronous", true)
      .help("Calls return before their work is done; who uses the elements waits for it");
  coherence.boolean("check", false).help("Find uses of elements that overlap in time, and say which");
}

}  // namespace haloheap
