// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Deliberate bugs of lock-free allocation, one an argument: ThreadSanitizer must report each.
#include <haloheap/unit/allocators/plain_heaps.hpp>
#include <haloheap/unit/allocators/race.hpp>
#include <haloheap/unit/allocators/raced_platform.hpp>

#include <cstdio>
#include <string_view>

namespace {

using namespace haloheap;

using NoOrder = OrderedAtomics<std::memory_order_relaxed>;

/// Slots are claimed by an operation that is none.
struct TornClaim : OrderedAtomics<std::memory_order_seq_cst> {
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    const T old = *to;
    *to = old | bits;
    return old;
  }
};

template <class Atomics>
void race() {
  using Heap = PlainSlabWalk<RacedPlatform<Atomics>>;
  const Heap heap(std::size_t{4} << 16);
  Race<Heap>(heap).run(4, 2000);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view bug = argc == 2 ? argv[1] : "";
  if (bug == "no_order")
    race<NoOrder>();
  else if (bug == "torn_claim")
    race<TornClaim>();
  else
    return std::fprintf(stderr, "there is no bug '%s'\n", argc == 2 ? argv[1] : ""), 2;
  std::fprintf(stderr, "the bug went unseen\n");
}
