// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/choices.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap {
namespace {

using deck::Schema;
using deck::Section;

void add_run(Schema& schema) {
  Section& run = schema.section("run", "Repetitions and measurements");
  run.integer("repetitions", 3)
      .range(1, deck::largest_count)
      .unit("runs")
      .help("Measured runs of each point");
  run.integer("warmup", 1)
      .range(0, deck::largest_count)
      .unit("runs")
      .help("Runs before them that are not measured");
  run.boolean("verify", false)
      .help("Compare with the serial reference, bit for bit, and with the exact solution");
  run.choice("measure", Measure::steps)
      .help(
          "Whole steps; the exchanges alone; or what the overlap hides, each of its terms in a run of its "
          "own");
  run.boolean("residual", false)
      .help(
          "Sum the squared change of each step over the grid, exactly: the same bits on any number of ranks");
  run.integer("residual_interval", 1)
      .range(1, deck::largest_count)
      .unit("steps")
      .help(
          "From one step of which the residual is summed to the next; with fused steps a multiple of "
          "halo.depth");
  run.boolean("phases", true).help("Time the phases with device events; a graph has none");
  run.boolean("desynchronisation", false)
      .help("Time how far ranks drift apart; costs a barrier before each exchange");
  run.boolean("copy_baseline", true).help("Measure a copy in device memory in the same run");
}

void add_output(Schema& schema) {
  Section& output = schema.section("output", "Results");
  output.text("folder", "results").help("Folder of the results; made if it does not exist");
  output.boolean("fields", false)
      .help(
          "Write the last field as .vti and .pvti for ParaView; particles as .csv, a Mandelbrot set as .pgm");
  output.choice("progress", ProgressLine::automatic).help("Progress line; auto: on a terminal it moves");
}

std::vector<std::string> problems_of(const deck::Sweep& sweep) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    auto name = sweep.point(i).get<std::string>("problem");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

void add_memory_keys(Schema& schema) {
  Section& memory = schema.section("memory", "Where fields and buffers live");
  memory.entry("fields", memory::memory_resources()).help("Memory of the fields");
  memory.entry("buffers", memory::memory_resources()).help("Memory of the packed halos");
  memory.real("arena", 0.0)
      .at_least(0.0)
      .unit("GiB")
      .help(
          "Size of each rank's arena, one for the fields and one for the buffers, where these name an "
          "in-kernel allocator; 0: what the run needs, a quarter more, and 64 MiB");
  memory.real("limit", 0.0)
      .at_least(0.0)
      .unit("GiB")
      .help("Most memory that a rank may take; 0: all there is");
  memory.integer("fail_allocation", 0)
      .at_least(0)
      .help("For tests: this allocation of each rank fails, counted from 1; 0: none");
}

void add_frame_keys(Schema& schema) {
  schema.section("output", "Results")
      .integer("frames", 0)
      .range(0, deck::largest_count)
      .unit("frames")
      .help(
          "Of problems on grids: write the fields of the start and of so many evenly spaced times, up to the "
          "last step, as .vti, .pvti and a .pvd for ParaView; the run for it comes after the measured ones");
}

deck::Schema make_schema(const std::vector<ProblemKeys>& problem_keys) {
  Schema schema;
  schema.section("", "Above the first table").entry("problem", problems()).help("What is solved");
  const auto among = [](const std::vector<ProblemKeys>& all, ProblemKeys add) {
    return std::find(all.begin(), all.end(), add) != all.end();
  };
  std::vector<ProblemKeys> added{add_memory_keys, add_frame_keys};  // they have places of their own
  for (const ProblemKeys add : problem_keys) {
    if (among(added, add)) continue;
    add(schema);
    added.push_back(add);
  }
  if (among(problem_keys, add_memory_keys)) add_memory_keys(schema);
  add_run(schema);
  add_output(schema);
  if (among(problem_keys, add_frame_keys)) add_frame_keys(schema);
  return schema;
}

deck::Schema app_schema() {
  std::vector<ProblemKeys> all;
  for (const ProblemEntry& problem : problems())
    all.insert(all.end(), problem.add_keys.begin(), problem.add_keys.end());
  return make_schema(all);
}

deck::Schema schema_of(const ProblemEntry& problem) {
  return make_schema(problem.add_keys);
}

void require_used_keys(const deck::Sweep& sweep) {
  const std::vector<std::string> names = problems_of(sweep), swept = sweep.swept_keys();
  std::vector<ProblemKeys> keys;
  for (const std::string& name : names) {
    const auto& own = problems().at(name).add_keys;
    keys.insert(keys.end(), own.begin(), own.end());
  }
  const Schema used = make_schema(keys);
  const deck::Deck deck = sweep.point(0);
  const std::string chosen_at = deck.location("problem"), command_line = "command line";
  for (const deck::Key* key : deck.schema().keys()) {
    if (used.find(key->name) != nullptr) continue;
    if (chosen_at == command_line && deck.location(key->name) != command_line) continue;
    const bool varies = std::find(swept.begin(), swept.end(), key->name) != swept.end();
    if (varies || deck.value(key->name) != key->default_value)
      deck.reject(key->name, fmt::format("problem {} does not use this key", fmt::join(names, ", ")),
                  "leave it out");
  }
}

}  // namespace haloheap
