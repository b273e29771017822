// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/schema.hpp>
#include <haloheap/miniapp/problems/allocators/graph.hpp>
#include <haloheap/miniapp/problems/allocators/graph_kernels.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <functional>
#include <optional>

namespace haloheap {
namespace {

void add_graph_keys(deck::Schema& schema) {
  deck::Section& graph =
      schema.section("graph", "Problem graph: lists of edges that are made, grow and shrink");
  graph.integer("vertices", 16384).range(1, 1 << 28).unit("vertices").help("Vertices of the graph");
  graph.integer("degree", 16)
      .range(0, 1 << 20)
      .unit("edges")
      .help("Of a vertex, on average, before the first batch");
  graph.choice("kind", GraphKind::uniform)
      .help(
          "The first edges: both ends are any vertices, or R-MAT with the probabilities of Graph500, where "
          "few vertices have many");
  graph.choice("lists", GraphLists::arrays)
      .help(
          "What edges stand in: an array a vertex, as long as its first edges and then of powers of two, or "
          "the library's AdjacencyList, which takes edges one by one");
  graph.integer("batches", 10).range(0, 10000).unit("batches").help("Of edges that come later");
  graph.integer("inserted", 10000).range(0, 1 << 28).unit("edges").help("Of a batch");
  graph.integer("deleted", 0)
      .range(0, 1 << 28)
      .unit("edges")
      .help("That go after each batch, no more than it has: any of those at vertices to which it may add");
  graph.integer("sources", 0)
      .range(0, 1 << 28)
      .unit("vertices")
      .help("In a row, at a random place, to which a batch adds its edges; 0: to any vertices");
}

void check_graph(const deck::Deck& deck, const GraphEdges& edges) {
  if (edges.made_count() > static_cast<std::uint64_t>(deck::largest_count))
    deck.reject("graph.vertices", fmt::format("{} edges are more than can be counted", edges.made_count()),
                "use fewer vertices, or fewer edges");
  if (edges.deleted > edges.inserted)
    deck.reject("graph.deleted",
                fmt::format("{} edges cannot go after a batch of {}", edges.deleted, edges.inserted),
                "use no more than graph.inserted");
  if (edges.sources > edges.vertices)
    deck.reject("graph.sources",
                fmt::format("a batch cannot go to {} of {} vertices", edges.sources, edges.vertices),
                "use fewer, or 0 for any of them");
}

}  // namespace

GraphSettings read_graph(const deck::Deck& deck) {
  require_allocator(deck, lane_allocators(), "here each thread asks for itself");
  GraphSettings settings;
  settings.allocator = read_allocator(deck);
  settings.edges = {.vertices = static_cast<std::uint32_t>(deck.number("graph.vertices")),
                    .degree = static_cast<std::uint32_t>(deck.number("graph.degree")),
                    .kind = deck.choice<GraphKind>("graph.kind"),
                    .batches = deck.number("graph.batches"),
                    .inserted = static_cast<std::uint32_t>(deck.number("graph.inserted")),
                    .deleted = static_cast<std::uint32_t>(deck.number("graph.deleted")),
                    .sources = static_cast<std::uint32_t>(deck.number("graph.sources")),
                    .seed = static_cast<std::uint32_t>(settings.allocator.seed)};
  check_graph(deck, settings.edges);
  settings.lists = deck.choice<GraphLists>("graph.lists");
  read_repetitions(deck, settings);
  settings.verify = deck.get<bool>("run.verify");
  return settings;
}

namespace {

/// What a point measured, with what is known of it.
struct GraphPoint {
  const GraphEdges& edges;
  const GraphRuns& runs;
};

/// Median microseconds of what `part` is of all times.
template <class Part>
auto graph_median_us(Part part) {
  return [part](const GraphPoint& point) { return 1e6 * report::spread_of(point.runs.times, part).median; };
}

/// Nothing if no edges go.
std::optional<double> delete_us(const GraphPoint& point) {
  if (point.edges.deleted_count() == 0) return std::nullopt;
  return graph_median_us(&GraphTimes::deletion)(point);
}
std::optional<double> compact_us(const GraphPoint& point) {
  if (!point.runs.not_compacted) return std::nullopt;
  return graph_median_us(&GraphTimes::compact)(point);
}

/// Nothing if there are no edges.
std::optional<double> edges_per_s(std::uint64_t edges, double seconds) {
  return edges > 0 && seconds > 0 ? std::optional(static_cast<double>(edges) / seconds) : std::nullopt;
}

/// Percent of what is in use that is not edges of 4 bytes.
std::optional<double> wasted(std::uint64_t edges, std::optional<std::size_t> in_use) {
  if (in_use.value_or(0) == 0) return std::nullopt;
  return 100 * (1 - static_cast<double>(edges * sizeof(std::uint32_t)) / static_cast<double>(*in_use));
}

report::Quantities<GraphPoint> graph_times() {
  using P = GraphPoint;
  using T = GraphTimes;
  using report::of_merit;
  using report::Shown;
  return {
      {{"figures.initialise_us", "us", "initialise",
        "Time of the kernel that allocates and fills the lists of the first edges: the median.", Shown{}},
       graph_median_us(&T::initialise)},
      {{"figures.update_us", "us", "update",
        "Time of the kernels that insert the batches, all of them: the median.", Shown{}},
       graph_median_us(&T::update)},
      {{"figures.delete_us", "us", "delete",
        "Time of the kernels that delete edges after each batch, all of them: the median.", Shown{}},
       delete_us},
      {of_merit({"figures.graph_us", "us", "graph",
                 "Time of all of these together: first edges, insertions, deletions.", Shown{}}),
       graph_median_us(&T::total)},
      {{"figures.compact_us", "us", "compact",
        "Time in which a container gives back what deleted edges took, and puts those of each vertex side by "
        "side, once after the last batch, if the allocator frees: the median."},
       compact_us},
      {{"figures.free_us", "us", "free",
        "Time of the kernel that frees all lists; 0 where the allocator frees nothing.", Shown{}},
       graph_median_us(&T::release)},
      {{"figures.initialised_per_s", "edges/s", "initialised",
        "Edges that the first kernel takes in a second.", Shown{}},
       [](const P& p) {
         return edges_per_s(p.edges.initial_count(), report::spread_of(p.runs.times, &T::initialise).median);
       }},
      {{"figures.updated_per_s", "edges/s", "updated",
        "Edges that the kernels of the batches take in a second.", Shown{}},
       [](const P& p) {
         return edges_per_s(p.edges.inserted_count(), report::spread_of(p.runs.times, &T::update).median);
       }},
      {{"figures.deleted_per_s", "edges/s", "deleted", "Edges that the kernels that delete take in a second.",
        Shown{}},
       [](const P& p) {
         return edges_per_s(p.edges.deleted_count(), report::spread_of(p.runs.times, &T::deletion).median);
       }},
  };
}

report::Quantities<GraphPoint> graph_memory() {
  using P = GraphPoint;
  using report::Shown;
  return {
      {{"figures.edges", "", "edges", "Edges of the graph after the last batch."},
       [](const P& p) { return p.edges.count(); }},
      {{"figures.initial_in_use_bytes", "bytes", "in use before updates",
        "Bytes of the heap in use before the first batch, of allocators that know it."},
       [](const P& p) { return p.runs.initial_in_use; }},
      {{"figures.in_use_bytes", "bytes", "in use",
        "Bytes of the heap in use after the last batch, of allocators that know it."},
       [](const P& p) { return p.runs.in_use; }},
      {{"figures.compacted_in_use_bytes", "bytes", "in use when compacted",
        "Bytes of the heap in use after compact_us."},
       [](const P& p) { return p.runs.compacted_in_use; }},
      {{"figures.not_compacted", "", "not compacted",
        "Vertices for which there was no room then: their edges stay as they were."},
       [](const P& p) { return p.runs.not_compacted; }},
      {{"figures.initial_wasted_percent", "%", "wasted before updates",
        "Share of initial_in_use_bytes that is not edges, which have 4 bytes.", Shown{}},
       [](const P& p) { return wasted(p.edges.initial_count(), p.runs.initial_in_use); }},
      {{"figures.wasted_percent", "%", "wasted",
        "Share of in_use_bytes that is not edges: rounding, headers, places that no edge has yet, or has no "
        "more.",
        Shown{}},
       [](const P& p) { return wasted(p.edges.count(), p.runs.in_use); }},
  };
}

const report::Quantities<GraphPoint>& graph_quantities() {
  using P = GraphPoint;
  static const auto all =
      report::Quantities<P>{}
          .with(
              [](const P& p) {
                return report::Timing{report::spread_of(p.runs.times, &GraphTimes::total), p.runs.warm_up};
              },
              report::timings())
          .with(std::identity{}, graph_times())
          .with(std::identity{}, graph_memory())
          .add({{speedup_over_native(), over_native()}});
  return all;
}

/// Graphs whose lists of edges stand in a heap ([Winter2021]).
class Graph final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const GraphSettings settings = read_graph(deck);
    const GraphEdges& edges = settings.edges;
    return fmt::format(
        "{} vertices with {} edges, and {} batches of {}, after which {} go, in {} from '{}'\n",
        edges.vertices, edges.initial_count(), edges.batches, edges.inserted, edges.deleted,
        settings.lists == GraphLists::arrays ? "arrays" : "a container", settings.allocator.name);
  }

  report::QuantityList quantities() const override {
    return list_of(graph_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const GraphSettings settings = read_graph(context.deck);
    const auto run = [&](const HeapSetup& setup, report::Point& point) {
      const GraphRuns runs = run_graph(settings, setup, [&](int done) {
        context.progress.update(static_cast<double>(done) / settings.runs());
      });
      point.work.scalar = "uint32";
      point.measure(graph_quantities(), {settings.edges, runs});
      if (settings.verify)
        point.verification = report::verification_of(wrong_vertices(reference(settings.edges), runs.rows),
                                                     settings.edges.vertices, "vertices");
    };
    return run_heap_point(context, settings.allocator.config.bytes, graph_array_bytes(settings), run);
  }

 private:
  /// All allocators of a sweep share it.
  const GraphRows& reference(const GraphEdges& edges) {
    if (!edges_ || *edges_ != edges) {
      edges_ = edges;
      rows_ = reference_rows(edges);
    }
    return rows_;
  }

  std::optional<GraphEdges> edges_;
  GraphRows rows_;
};

}  // namespace

ProblemEntry graph_problem() {
  return {"graph",
          "lists of edges that are made, grow and shrink ([Winter2021])",
          {add_allocator_keys, add_graph_keys, add_memory_keys},
          make_problem<Graph>,
          AdviceKind::allocator};
}

}  // namespace haloheap
