// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Containers in kernels beside what is done without them: Kokkos' map of a size that is fixed, and passes
// that count, scan and fill.
#include <haloheap/allocators/containers/adjacency_list.hpp>
#include <haloheap/allocators/containers/hash_map.hpp>
#include <haloheap/allocators/containers/open_map.hpp>
#include <haloheap/allocators/containers/string.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>;
using haloheap::allocators::SlabWalk;
using haloheap::containers::AdjacencyList, haloheap::containers::HashMap, haloheap::containers::Vector;
using haloheap::containers::OpenMap, haloheap::containers::String;
using Numbers = Kokkos::View<unsigned*>;

KOKKOS_INLINE_FUNCTION unsigned random(unsigned i) {
  return haloheap::lanes::bits::mix(i + 1);
}

/// Median milliseconds of what is done, each time after what is not timed.
template <class Before, class Timed>
double milliseconds(const Before& before, const Timed& timed) {
  std::vector<double> times;
  for (int i = 0; i < 8; ++i) {
    before();
    Kokkos::fence("containers_speed");
    const Kokkos::Timer timer;
    timed();
    Kokkos::fence("containers_speed");
    if (i > 0) times.push_back(timer.seconds() * 1e3);  // the first one warms up
  }
  std::nth_element(times.begin(), times.begin() + 3, times.end());
  return times[3];
}

/// Ends the program if one of n results is not what it is without containers.
template <class Same>
void require_same(const Exec& exec, unsigned n, const char* what, const Same& same) {
  unsigned different = 0;
  Kokkos::parallel_reduce(
      "compare", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i, unsigned& sum) { sum += same(i) ? 0 : 1; },
      different);
  if (different != 0) std::printf("the %s differ\n", what), std::exit(1);
}

/// Gives back what each of some containers has.
template <class Containers>
void release(const Exec& exec, const SlabWalk& heap, const Containers& containers) {
  const auto memory = heap.handle();
  Kokkos::parallel_for(
      "free", Policy(exec, 0, static_cast<unsigned>(containers.extent(0))),
      KOKKOS_LAMBDA(unsigned i) { containers(i).release(memory); });
}

void row(const char* what, double ours, const char* other, double theirs) {
  std::printf("%-34s %10.3f ms   %-26s %10.3f ms   %6.2f\n", what, ours, other, theirs, theirs / ours);
}

/// n insertions of about n / 2 different keys; all are found; every second key is erased.
void maps(const Exec& exec, const SlabWalk& heap, unsigned n) {
  using Map = HashMap<unsigned, unsigned>;
  using Fixed = Kokkos::UnorderedMap<unsigned, unsigned>;
  const Map map(exec, n);
  const auto ours = map.handle();
  const auto memory = heap.handle();
  Fixed theirs(n);
  const auto key = KOKKOS_LAMBDA(unsigned i) {
    return random(i) % n / 2;
  };
  const auto clear = [&] { map.clear(exec, memory), theirs.clear(); };
  const auto insert_ours = [&] {
    Kokkos::parallel_for(
        "insert", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) { (void)ours.insert(memory, key(i), i); });
  };
  const auto insert_theirs = [&] {
    Kokkos::parallel_for(
        "insert", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) { (void)theirs.insert(key(i), i); });
  };
  row("map: insert", milliseconds(clear, insert_ours), "Kokkos::UnorderedMap",
      milliseconds(clear, insert_theirs));
  const auto fill = [&] { clear(), insert_ours(), insert_theirs(); };
  fill();
  if (map.size(exec) != theirs.size()) std::printf("the maps differ\n"), std::exit(1);
  const Numbers found("found", 1);
  const auto nothing = [] {};
  row("map: find",
      milliseconds(nothing,
                   [&] {
                     Kokkos::parallel_for(
                         "find", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) {
                           if (!ours.contains(key(i))) found(0) = 1;
                         });
                   }),
      "Kokkos::UnorderedMap", milliseconds(nothing, [&] {
        Kokkos::parallel_for(
            "find", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) {
              if (!theirs.exists(key(i))) found(0) = 1;
            });
      }));
  row("map: erase half, and give back",
      milliseconds(fill,
                   [&] {
                     Kokkos::parallel_for(
                         "erase", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) {
                           if (key(i) % 2 == 0) (void)ours.erase(key(i));
                         });
                     (void)map.purge(exec, memory);
                   }),
      "Kokkos::UnorderedMap", milliseconds(fill, [&] {
        theirs.begin_erase();
        Kokkos::parallel_for(
            "erase", Policy(exec, 0, n), KOKKOS_LAMBDA(unsigned i) {
              if (key(i) % 2 == 0) (void)theirs.erase(key(i));
            });
        theirs.end_erase();
      }));
  map.clear(exec, memory);
}

/// Where each row of a graph begins, and its edges: what passes that count, scan and fill make.
struct Rows {
  Numbers begin, at, to;

  Rows(unsigned vertices, unsigned edges)
      : begin("begin", vertices + 1), at("at", vertices), to("to", edges) {}

  template <class From, class To>
  void make(const Exec& exec, unsigned edges, const From& from, const To& target) const {
    const auto begin = this->begin, at = this->at, to = this->to;
    const auto vertices = static_cast<unsigned>(at.extent(0));
    Kokkos::deep_copy(exec, begin, 0U);
    Kokkos::parallel_for(
        "count", Policy(exec, 0, edges),
        KOKKOS_LAMBDA(unsigned i) { Kokkos::atomic_inc(&begin(from(i) + 1)); });
    Kokkos::parallel_scan(
        "scan", Policy(exec, 0, vertices), KOKKOS_LAMBDA(unsigned v, unsigned& sum, bool last) {
          sum += begin(v + 1);
          if (last) at(v) = sum - begin(v + 1);
        });
    Kokkos::parallel_for(
        "places", Policy(exec, 0, vertices), KOKKOS_LAMBDA(unsigned v) { begin(v + 1) += at(v); });
    Kokkos::parallel_for(
        "fill", Policy(exec, 0, edges),
        KOKKOS_LAMBDA(unsigned i) { to(Kokkos::atomic_fetch_inc(&at(from(i)))) = target(i); });
  }
};

/// Edges in any order become a graph; one in a hundred more come; every vertex adds up its neighbours.
void graphs(const Exec& exec, const SlabWalk& heap, unsigned vertices, unsigned edges) {
  const unsigned more = edges / 100;
  const AdjacencyList graph(exec, vertices);
  const Rows rows(vertices, edges + more);
  const auto ours = graph.handle();
  const auto memory = heap.handle();
  const auto from = KOKKOS_LAMBDA(unsigned i) {
    return random(i) % vertices;
  };
  const auto to = KOKKOS_LAMBDA(unsigned i) {
    return random(~i) % vertices;
  };
  const auto insert = [&](unsigned first, unsigned end) {
    Kokkos::parallel_for(
        "insert", Policy(exec, first, end),
        KOKKOS_LAMBDA(unsigned i) { (void)ours.insert(memory, from(i), to(i)); });
  };
  const auto clear = [&] { graph.clear(exec, memory); };
  row("graph: build", milliseconds(clear, [&] { insert(0, edges); }), "count, scan, fill",
      milliseconds([] {}, [&] { rows.make(exec, edges, from, to); }));
  row("graph: 1 % more edges",
      milliseconds([&] { clear(), insert(0, edges); }, [&] { insert(edges, edges + more); }),
      "count, scan, fill", milliseconds([] {}, [&] { rows.make(exec, edges + more, from, to); }));
  const Numbers sums("sums", vertices);
  const auto add_up = [&] {
    Kokkos::parallel_for(
        "add up", Policy(exec, 0, vertices), KOKKOS_LAMBDA(unsigned v) {
          unsigned sum = 0;
          ours.for_each(v, [&sum](unsigned neighbour) { sum += neighbour; });
          sums(v) = sum;
        });
  };
  const double scanned = milliseconds([] {},
                                      [&] {
                                        const auto begin = rows.begin, target = rows.to;
                                        Kokkos::parallel_for(
                                            "add up", Policy(exec, 0, vertices), KOKKOS_LAMBDA(unsigned v) {
                                              unsigned sum = 0;
                                              for (unsigned i = v == 0 ? 0 : begin(v); i < begin(v + 1); ++i)
                                                sum += target(i);
                                              sums(v) = sum;
                                            });
                                      });
  row("graph: visit all edges", milliseconds([] {}, add_up), "count, scan, fill", scanned);
  if (graph.compact(exec, memory) != 0) std::printf("no room to compact\n");
  row("graph: visit all, compacted", milliseconds([] {}, add_up), "count, scan, fill", scanned);
  clear();
}

/// Each thread finds some numbers, which it does not know before: of its first 64 those that a hash likes.
void lists(const Exec& exec, const SlabWalk& heap, unsigned threads) {
  const Kokkos::View<Vector<unsigned>*> found("found", threads);
  const auto memory = heap.handle();
  const auto likes = KOKKOS_LAMBDA(unsigned i, unsigned k) {
    return random(i * 64 + k) % 8 == 0;
  };
  const auto free = [&] { release(exec, heap, found); };
  const double ours = milliseconds(free, [&] {
    Kokkos::parallel_for(
        "collect", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
          Vector<unsigned> mine;
          for (unsigned k = 0; k < 64; ++k)
            if (likes(i, k)) (void)mine.push_back(memory, k);
          found(i) = mine;
        });
  });
  free();
  const Numbers begin("begin", threads + 1);
  const double theirs =
      milliseconds([] {},
                   [&] {
                     unsigned all = 0;
                     Kokkos::parallel_scan(
                         "count and scan", Policy(exec, 0, threads),
                         KOKKOS_LAMBDA(unsigned i, unsigned& sum, bool last) {
                           for (unsigned k = 0; k < 64; ++k) sum += likes(i, k) ? 1 : 0;
                           if (last) begin(i + 1) = sum;
                         },
                         all);
                     const Numbers values(Kokkos::view_alloc(Kokkos::WithoutInitializing, "values"), all);
                     Kokkos::parallel_for(
                         "fill", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
                           unsigned at = i == 0 ? 0 : begin(i);
                           for (unsigned k = 0; k < 64; ++k)
                             if (likes(i, k)) values(at++) = k;
                         });
                   });
  row("lists of unknown length", ours, "count, scan, fill", theirs);
}

struct Count {
  unsigned key, times;
};

/// Each thread counts how often it has seen each of its 64 numbers, and adds up those that it has seen once.
/// They are of few kinds for most threads, and of up to 64 for some: without a map that grows all have room
/// for that.
void counts(const Exec& exec, const SlabWalk& heap, unsigned threads) {
  constexpr unsigned slots = 128;
  const auto memory = heap.handle();
  const auto number = KOKKOS_LAMBDA(unsigned i, unsigned k) {
    return random(i * 64 + k) % (i % 16 == 0 ? 1024 : 8);
  };
  const Numbers ours("ours", threads), theirs("theirs", threads);
  const double with_map =
      milliseconds([] {},
                   [&] {
                     Kokkos::parallel_for(
                         "count in maps", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
                           OpenMap<unsigned, unsigned> seen;
                           for (unsigned k = 0; k < 64; ++k)
                             if (unsigned* const times = seen.insert(memory, number(i, k), 0U).value)
                               ++*times;
                           unsigned once = 0;
                           for (const auto& [key, times] : seen)
                             if (times == 1) once += key;
                           ours(i) = once;
                           seen.release(memory);
                         });
                   });
  const Kokkos::View<Count*> tables(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tables"),
                                    std::size_t{threads} * slots);
  const double with_tables =
      milliseconds([] {},
                   [&] {
                     Kokkos::parallel_for(
                         "count in tables", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
                           Count* const table = &tables(std::size_t{i} * slots);
                           for (unsigned slot = 0; slot < slots; ++slot) table[slot] = {0, 0};
                           for (unsigned k = 0; k < 64; ++k) {
                             const unsigned key = number(i, k);
                             unsigned slot = random(key) % slots;
                             while (table[slot].times != 0 && table[slot].key != key)
                               slot = (slot + 1) % slots;
                             table[slot] = {key, table[slot].times + 1};
                           }
                           unsigned once = 0;
                           for (unsigned slot = 0; slot < slots; ++slot)
                             if (table[slot].times == 1) once += table[slot].key;
                           theirs(i) = once;
                         });
                   });
  row("maps of a thread each", with_map, "tables for the most", with_tables);
  const auto same = KOKKOS_LAMBDA(unsigned i) {
    return ours(i) == theirs(i);
  };
  require_same(exec, threads, "counts", same);
}

/// The decimal digits of a number, the last one first.
struct Digits {
  char digits[10];
  unsigned count = 0;
  KOKKOS_FUNCTION explicit Digits(unsigned number) {
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
  }
};

/// Each thread writes some numbers as text, 0 to 15 of up to ten digits, with a comma behind each.
void texts(const Exec& exec, const SlabWalk& heap, unsigned threads) {
  const Kokkos::View<String*> written("written", threads);
  const auto memory = heap.handle();
  const auto free = [&] { release(exec, heap, written); };
  const double ours = milliseconds(free, [&] {
    Kokkos::parallel_for(
        "write", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
          String text;
          for (unsigned k = 0; k < random(i) % 16; ++k)
            (void)(text.append(memory, random(i + k)) && text.append(memory, ','));
          written(i) = text;
        });
  });
  const Numbers begin("begin", threads + 1);
  Kokkos::View<char*> all;
  const double theirs = milliseconds(
      [] {},
      [&] {
        unsigned characters = 0;
        Kokkos::parallel_scan(
            "count and scan", Policy(exec, 0, threads),
            KOKKOS_LAMBDA(unsigned i, unsigned& sum, bool last) {
              for (unsigned k = 0; k < random(i) % 16; ++k) sum += Digits(random(i + k)).count + 1;
              if (last) begin(i + 1) = sum;
            },
            characters);
        all = Kokkos::View<char*>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "all"), characters);
        const auto text = all;
        Kokkos::parallel_for(
            "fill", Policy(exec, 0, threads), KOKKOS_LAMBDA(unsigned i) {
              unsigned at = begin(i);
              for (unsigned k = 0; k < random(i) % 16; ++k) {
                const Digits number(random(i + k));
                for (unsigned digit = number.count; digit > 0; --digit) text(at++) = number.digits[digit - 1];
                text(at++) = ',';
              }
            });
      });
  row("texts of unknown length", ours, "count, scan, fill", theirs);
  const auto same = KOKKOS_LAMBDA(unsigned i) {
    bool same_so_far = written(i).size() == begin(i + 1) - begin(i);
    for (unsigned k = 0; same_so_far && k < written(i).size(); ++k)
      same_so_far = written(i)[k] == all(begin(i) + k);
    return same_so_far;
  };
  require_same(exec, threads, "texts", same);
  free();
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  const unsigned scale = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 20;  // log2 of what there is
  const SlabWalk heap(exec, {.bytes = std::size_t{2048} << scale, .label = "speed"});
  std::printf("%-34s %13s   %-26s %13s   %6s\n", "medians", "containers", "without", "", "ratio");
  maps(exec, heap, 4U << scale);
  graphs(exec, heap, 1U << scale, 16U << scale);
  lists(exec, heap, 1U << scale);
  counts(exec, heap, 1U << scale);
  texts(exec, heap, 1U << scale);
  const auto statistics = heap.statistics(exec);
  std::printf("%zu bytes are left in use, %llu requests failed\n", statistics.in_use,
              static_cast<unsigned long long>(statistics.failures));
  return statistics.in_use == 0 && statistics.failures == 0 ? 0 : 1;
}
