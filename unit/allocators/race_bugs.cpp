// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Deliberate bugs of lock-free allocation, one an argument: ThreadSanitizer must report each.
#include <haloheap/unit/allocators/part_race.hpp>
#include <haloheap/unit/allocators/plain_page_heaps.hpp>
#include <haloheap/unit/allocators/race.hpp>
#include <haloheap/unit/allocators/raced_platform.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace {

using namespace haloheap;

using Ordered = lanes::OrderedAtomics<std::memory_order_seq_cst>;
using NoOrder = lanes::OrderedAtomics<std::memory_order_relaxed>;

/// Slots are claimed, and segments marked, by an operation that is none.
struct TornOr : Ordered {
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    const T old = *to;
    *to = old | bits;
    return old;
  }
};

/// Parts are counted by an operation that is none.
struct TornAdd : Ordered {
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    const T old = *to;
    *to = old + value;
    return old;
  }
};

template <template <class> class HeapOn, class Atomics>
void race_heap() {
  using Heap = HeapOn<RacedPlatform<Atomics>>;
  const Heap heap(Heap::tight);
  Race<Heap>(heap).run(4, 2000);
}

template <class Atomics>
void race_counter() {
  PartRace<CountedParts<RacedPlatform<Atomics>>>().run(200);
}

template <class Atomics, bool small>
void race_chain() {
  PartRace<ChainedParts<RacedPlatform<Atomics>, small>>().run(200);
}

const std::map<std::string, std::function<void()>> bugs = {
    {"no_order", race_heap<PlainSlabWalk, NoOrder>},
    {"torn_claim", race_heap<PlainSlabWalk, TornOr>},
    {"no_order_of_queue", race_heap<PlainPageQueue, NoOrder>},
    {"no_order_of_counter", race_counter<NoOrder>},
    {"torn_counter", race_counter<TornAdd>},
    {"no_order_of_chain", race_chain<NoOrder, false>},
    {"no_order_of_small_chain", race_chain<NoOrder, true>},
    {"torn_chain", race_chain<TornOr, false>},
};

}  // namespace

int main(int argc, char** argv) {
  const auto bug = bugs.find(argc == 2 ? argv[1] : "");
  if (bug == bugs.end()) return std::fprintf(stderr, "there is no bug '%s'\n", argc == 2 ? argv[1] : ""), 2;
  bug->second();
  std::fprintf(stderr, "the bug went unseen\n");
}
