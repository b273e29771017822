// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/lu_schema.hpp>

namespace haloheap {

void add_lu_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& lu = schema.section("lu", "Problem lu: a matrix is taken apart into L and U");
  lu.integer("size", 1024).range(1, 1 << 17).unit("rows").help("Rows, and columns, of the matrix");
  lu.choice("method", LuMethod::blocked)
      .help(
          "blocked: sub-matrices of one matrix; whole: a call a column reads all of one vector and writes "
          "all of another, as in the paper");
  lu.integer("block", 64).range(1, 512).unit("rows").help("Method blocked: rows that are finished in a step");
  lu.boolean("pivot", false)
      .help(
          "Method blocked: rows change places (partial pivoting, on the host); without it the matrix is "
          "diagonally dominant");
  lu.choice("precision", Precision::float_).help("Of the elements");
}

}  // namespace haloheap
