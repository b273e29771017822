// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_MINIAPP_DECK_HELPERS_HPP
#define HALOHEAP_UNIT_MINIAPP_DECK_HELPERS_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/schema.hpp>

#include <string>

namespace haloheap::deck::test {

/// A small schema with a key of every type.
inline Schema small_schema() {
  Schema schema;
  schema.section("", "Above").text("problem", "heat2d").choices({"heat2d", "heat3d"}).help("What is solved");
  Section& grid = schema.section("grid", "The grid");
  grid.integers("size", {8, 8}).length(2, 3).range(1, 100).unit("cells").help("Size");
  grid.integer("steps", 10).at_least(0).help("Steps");
  Section& halo = schema.section("halo", "Halo exchange");
  halo.integer("depth", 1).range(1, 64).unit("steps").help("Depth");
  halo.text("transport", "pageable").choices({"pageable", "pinned"}).help("How a | b");
  Section& run = schema.section("run", "Run");
  run.boolean("verify", false).help("Compare");
  run.real("timeout", 60.0).range(0.5, 100.0).unit("s").help("Silence");
  run.reals("weights", {}).length(2, 3).help("Weights");
  run.texts("tags", {"a"}).help("Tags");
  run.text("folder", "results").help("Folder");
  return schema;
}

/// The text and exit code of the error that an action throws; empty and 0 if it throws none.
struct Caught {
  std::string text;
  int exit_code = 0;
};

template <class Action>
Caught caught(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.what(), error.exit_code()};
  }
  return {};
}

}  // namespace haloheap::deck::test

#endif
