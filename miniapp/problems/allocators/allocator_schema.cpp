// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/allocator_schema.hpp>

namespace haloheap {

void add_allocator_keys(deck::Schema& schema, const SchemaChoices& choices) {
  const auto& names = choices.allocators;
  deck::Section& allocator = schema.section("allocator", "The in-kernel allocator");
  allocator.text("name", names.empty() ? "" : names.front())
      .choices(names)
      .or_auto()
      .help("What kernels allocate with");
  allocator.real("pool", 0.0625)
      .range(1e-6, 1e5)
      .unit("GiB")
      .help("Memory that it hands out; its own books come on top");
  allocator.integer("page", 256)
      .range(16, 1 << 30)
      .unit("bytes")
      .help("Of allocators of pages: the size of a page, a power of two");
  allocator.integer("word", 32)
      .range(32, 64)
      .unit("bits")
      .help("Of bitmaps of pages: those that one probe sees, 32 or 64");
  allocator.integer("seed", 1).at_least(0).seed().help(
      "Of random sizes and of random choices of what is freed");
}

}  // namespace haloheap
