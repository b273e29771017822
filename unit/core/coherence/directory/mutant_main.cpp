// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/search.hpp>

#include <fmt/format.h>

/// Linked with a directory in which one thing was made wrong: succeeds if the oracle finds that.
int main() {
  using namespace haloheap::coherence::test;
  const auto failure = search(all_settings(), 120, 150);
  if (failure)
    fmt::print("{} operations\n{}", failure->operations.size(), failure->code());
  else
    fmt::print("The oracle found nothing: the mutant survives.\n");
  return failure ? 0 : 1;
}
