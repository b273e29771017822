// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halo over Views of all layouts, types and widths, by all transports and message modes: every byte of every
// View's memory is compared with what an independent model says.
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/unit/comm/halo/view_fields.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

namespace haloheap::comm {
namespace {

using namespace testing;
using Bytes = std::vector<std::byte>;

/// What is exchanged, the same on all ranks.
struct Case {
  Grid grid;
  HaloConfig config;
  std::vector<ViewSpec> fields;
  int sets = 1;
};

std::string describe(const Case& drawn) {
  const Grid& g = drawn.grid;
  std::string text = fmt::format("{} x {} x {} cells on {} x {} x {} ranks, {}, {} sets", g.cells.x,
                                 g.cells.y, g.cells.z, g.topology.ranks.x, g.topology.ranks.y,
                                 g.topology.ranks.z, name_of(drawn.config.exchange), drawn.sets);
  for (int dim = 0; dim < g.dims; ++dim)
    text += fmt::format(", {}: {} and {}{}", "xyz"[dim], drawn.config.width.of(dim).low,
                        drawn.config.width.of(dim).high, g.topology.periodic[dim] ? ", periodic" : "");
  for (const ViewSpec& spec : drawn.fields)
    text += fmt::format("; {} {} of type {}, {} quantities", testing::name_of(spec.kind), spec.word,
                        spec.type, spec.quantities);
  return text;
}

/// Of any rank.
HaloBounds bounds_of(const Case& drawn, const Topology& topology) {
  const grid::Box own = grid::subdomain(drawn.grid.cells, topology.ranks, topology.coordinates);
  HaloBounds bounds{.dims = drawn.grid.dims, .own = {own.extent(0), own.extent(1), own.extent(2)}};
  for (int dim = 0; dim < bounds.dims; ++dim) {
    bounds.low[dim] = drawn.config.width.of(dim).low;
    bounds.high[dim] = drawn.config.width.of(dim).high;
  }
  return bounds;
}

/// The cell of the grid that a rank's cell stands for; nothing beyond an open side.
std::optional<grid::Triple> global(const Case& drawn, const Topology& topology, const grid::Triple& cell) {
  const grid::Triple lo = grid::subdomain(drawn.grid.cells, topology.ranks, topology.coordinates).lo;
  grid::Triple result;
  for (int dim = 0; dim < 3; ++dim) {
    const grid::Index n = drawn.grid.cells[dim], at = lo[dim] + cell[dim];
    if ((at < 0 || at >= n) && !topology.periodic[dim]) return std::nullopt;
    result[dim] = (at + n) % n;
  }
  return result;
}

std::uint64_t hash(std::initializer_list<grid::Index> parts) {
  std::uint64_t n = 7;
  for (const grid::Index part : parts) n = (n ^ static_cast<std::uint64_t>(part + 1)) * 0x9e3779b97f4a7c15ULL;
  return n ^ (n >> 29);
}

/// The fields of one rank, and what they should hold.
class FieldRun {
 public:
  FieldRun(const Communicator& world, const Case& drawn, const HaloConfig& config)
      : drawn_(drawn), bounds_(bounds_of(drawn, drawn.grid.topology)) {
    std::vector<std::vector<FieldView>> views(2);
    for (int set = 0; set < drawn.sets; ++set)
      for (const ViewSpec& spec : drawn.fields) {
        fields_.push_back(make_view_field(spec, bounds_));
        views[static_cast<std::size_t>(set)].push_back(fields_.back().view);
      }
    if (drawn.sets == 1)
      halo_.emplace(world, drawn.grid, views[0], config);
    else
      halo_.emplace(world, drawn.grid, FieldSets{views[0], views[1]}, config);
  }

  Halo& halo() { return *halo_; }
  const backend::Exec& exec() const { return queue_.exec(); }

  /// @param value (field, cell, quantity): the bytes of a value; all others are hashes, ghost cells too
  template <class Value>
  std::vector<Bytes> filled(int time, const Value& value) const {
    std::vector<Bytes> result;
    for (std::size_t n = 0; n < fields_.size(); ++n) {
      Bytes& bytes = result.emplace_back(fields_[n].memory.size());
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(
            hash({time, static_cast<grid::Index>(n), static_cast<grid::Index>(i / 8), 99}) >> (i % 8 * 8));
      for_each_value(n, bounds_.whole(), [&](const grid::Triple& cell, int q, std::size_t at) {
        const Bytes of_cell = value(n, cell, q);
        std::copy(of_cell.begin(), of_cell.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
      });
    }
    return result;
  }

  template <class Visit>
  void for_each_value(std::size_t field, const grid::Box& box, const Visit& visit) const {
    const ViewSpec& spec = drawn_.fields[field % drawn_.fields.size()];
    for (int q = 0; q < spec.quantities; ++q)
      for_each_cell(box,
                    [&](const grid::Triple& cell) { visit(cell, q, fields_[field].at(bounds_, cell, q)); });
  }

  void set(const std::vector<Bytes>& bytes) {
    for (std::size_t n = 0; n < fields_.size(); ++n) {
      backend::copy_async(exec(), fields_[n].memory.data(), bytes[n].data(), bytes[n].size());
    }
    exec().fence("haloheap::unit::set");
  }
  std::vector<Bytes> get() {
    exec().fence("haloheap::unit::exchanged");
    halo_->check();
    std::vector<Bytes> result;
    for (const ViewField& field : fields_) result.push_back(to_host(field.memory));
    return result;
  }

  const ViewField& field(std::size_t n) const { return fields_[n]; }
  std::size_t fields_of_a_set() const { return drawn_.fields.size(); }
  const HaloBounds& bounds() const { return bounds_; }

 private:
  const Case& drawn_;
  HaloBounds bounds_;
  backend::Instance queue_{backend::Priority::high};
  std::vector<ViewField> fields_;  // of the first set, then of the second
  std::optional<Halo> halo_;
};

/// The bytes of a value that stands for itself alone.
Bytes content(std::size_t bytes, std::initializer_list<grid::Index> parts) {
  Bytes result(bytes);
  const std::uint64_t n = hash(parts);
  for (std::size_t i = 0; i < bytes; ++i)
    result[i] =
        static_cast<std::byte>(hash({static_cast<grid::Index>(n >> 1), static_cast<grid::Index>(i)}) >> 32);
  return result;
}

/// A whole number as a value of a type of make_view_field.
Bytes number(int type, grid::Index n) {
  const auto bytes_of = [n]<class T>(T) {
    Bytes bytes(sizeof(T));
    const T value = static_cast<T>(n);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  switch (type) {
    case 0:
      return bytes_of(float{});
    case 1:
      return bytes_of(double{});
    case 2:
      return bytes_of(std::int32_t{});
    case 3:
      return bytes_of(std::uint8_t{});
    case 4:
      return bytes_of(std::int16_t{});
    default:
      return bytes_of(std::uint64_t{});
  }
}

class HaloOf : public ::testing::TestWithParam<Path> {
 protected:
  /// Fewer on more ranks, which wait for each other, perhaps on one core.
  int draws(int few_ranks) const { return world.size() > 2 ? few_ranks / 3 : few_ranks; }
  std::size_t below(std::size_t n) { return random() % n; }
  template <class Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }

  grid::Triple draw_ranks(int dims) {
    std::vector<grid::Triple> all;
    const int n = world.size();
    for (int x = 1; x <= n; ++x)
      for (int y = 1; x * y <= n; ++y)
        if (const int z = n / (x * y); x * y * z == n && (dims == 3 || z == 1)) all.push_back({x, y, z});
    return all[below(all.size())];
  }

  /// @param counters indices that count quantities
  std::string draw_word(int dims, std::size_t counters) {
    std::string word =
        std::string("xyz").substr(0, static_cast<std::size_t>(dims)) + std::string(counters, 'q');
    std::shuffle(word.begin(), word.end(), random);
    return word;
  }

  /// @param types so many
  Case draw(int types) {
    const int dims = pick({2, 2, 3});
    Case drawn;
    drawn.grid.dims = dims;
    const grid::Triple ranks = draw_ranks(dims);
    bool periodic[3];
    for (bool& wraps : periodic) wraps = pick({true, true, false});
    drawn.grid.topology = Topology::make(world.rank(), ranks, periodic);
    std::vector<HaloWidth::Sides> sides;
    drawn.grid.cells = {1, 1, 1};
    for (int dim = 0; dim < dims; ++dim) {
      const grid::Index low = pick<grid::Index>({0, 1, 1, 2, 3}), high = pick<grid::Index>({0, 1, 1, 2, 3});
      sides.emplace_back(low, high);
      // From as few cells as the halo has, on the smallest rank, to rows that are stored as they are.
      const grid::Index own = std::max<grid::Index>(1, std::max(low, high)) +
                              static_cast<grid::Index>(below(dim == 0 && below(2) == 0 ? 70 : 7));
      drawn.grid.cells[dim] = own * ranks[dim] + static_cast<grid::Index>(below(ranks[dim]));
    }
    drawn.config.width = width_of(sides);
    drawn.sets = pick({1, 1, 2});
    drawn.config.halo.alternating = pick({true, false});
    for (std::size_t fields = 1 + below(3); fields > 0; --fields) {
      const int quantities = pick({1, 1, 2, 5, 6});
      const int rows = quantities == 6 ? pick({1, 2, 3}) : 1;
      drawn.fields.push_back({.kind = pick({ViewKind::right, ViewKind::left, ViewKind::stride, ViewKind::part,
                                            ViewKind::member}),
                              .word = draw_word(dims, (quantities > 1 ? 1 : 0) + (rows > 1 ? 1 : 0)),
                              .type = static_cast<int>(below(static_cast<std::size_t>(types))),
                              .quantities = quantities,
                              .rows = rows});
    }
    return drawn;
  }

  static HaloWidth width_of(const std::vector<HaloWidth::Sides>& sides) {
    if (sides.size() == 2) return {sides[0], sides[1]};
    return {sides[0], sides[1], sides[2]};
  }

  HaloConfig configured(const Case& drawn, Exchange exchange) const {
    DeepHaloConfig settings{.halo = {}};
    GetParam().apply(settings);
    HaloConfig config = drawn.config;
    config.halo = settings.halo;
    config.halo.timeout = long_timeout;
    config.halo.alternating = drawn.config.halo.alternating;
    config.exchange = exchange;
    const bool may = !message_modes().at(GetParam().mpi).along_lines;
    if (!config.accumulate && GetParam().transport != automatic_transport &&
        transport_info(GetParam().transport, GetParam().mpi).carrier == Carrier::mpi &&
        !transport_info(GetParam().transport, GetParam().mpi).places.host.empty()) {
      if (message_modes().at(GetParam().mpi).takes_datatypes && drawn.sets == 2)
        config.halo.packing = Packing::datatype;
      if (drawn.fields.size() > 1) config.halo.corners = Corners::host;
    }
    config.messages = may && drawn.fields.size() % 2 == 0 ? MessagesPer::direction : MessagesPer::neighbour;
    return config;
  }

  /// The exchanges that the message mode of this path can make.
  std::vector<Exchange> exchanges() const {
    std::vector<Exchange> possible;
    for (const Exchange exchange : {Exchange::sync, Exchange::async})
      for (const Path& path : paths(exchange))
        if (path.describe() == GetParam().describe()) possible.push_back(exchange);
    return possible;
  }

  /// Exchanges some times, and compares all bytes.
  void check_filling(Case drawn) {
    for (const Exchange exchange : exchanges()) {
      drawn.config.exchange = exchange;
      FieldRun run(world, drawn, configured(drawn, exchange));
      for (int time = 0; time < 2 * drawn.sets + 1; ++time) {
        const int set = time % drawn.sets;
        const auto before = run.filled(time, [&](std::size_t n, const grid::Triple& cell, int q) {
          return value(run, drawn, n, time, cell, q, false);
        });
        const auto after = run.filled(time, [&](std::size_t n, const grid::Triple& cell, int q) {
          const bool of_set = static_cast<int>(n / run.fields_of_a_set()) == set;
          return value(run, drawn, n, time, cell, q, of_set);
        });
        run.set(before);
        world.barrier();  // neighbours store into what was just set
        if (time % 2 == 0) {
          run.halo().exchange(run.exec(), set);
        } else {
          run.halo().begin(run.exec(), set);
          run.halo().end(run.exec(), set);
        }
        expect_same(run.get(), after, describe(drawn) + fmt::format(", time {}", time));
        world.barrier();
      }
    }
  }

  /// Of own cells, and of ghost cells that are filled, that of the cell of the grid; of others, one of this
  /// rank's own.
  Bytes value(const FieldRun& run, const Case& drawn, std::size_t n, int time, const grid::Triple& cell,
              int q, bool ghosts_filled) const {
    const Topology& topology = drawn.grid.topology;
    const std::size_t bytes = run.field(n).element;
    const auto field = static_cast<grid::Index>(n);
    const bool own = contains(run.bounds().own_box(), cell);
    const auto at = global(drawn, topology, cell);
    if (own || (ghosts_filled && at)) return content(bytes, {time, field, q, at->x, at->y, at->z});
    return content(bytes, {time, field, q, cell.x, cell.y, cell.z, 1000 + topology.rank()});
  }

  static void expect_same(const std::vector<Bytes>& got, const std::vector<Bytes>& expected,
                          const std::string& what) {
    for (std::size_t n = 0; n < got.size(); ++n) {
      const auto [at, other] = std::mismatch(got[n].begin(), got[n].end(), expected[n].begin());
      EXPECT_EQ(at - got[n].begin(), static_cast<std::ptrdiff_t>(got[n].size()))
          << "bytes differ from here on in field " << n << ": " << what;
    }
  }

  const Communicator world{MPI_COMM_WORLD};
  std::mt19937_64 random{static_cast<std::uint64_t>(world.size())};  // the same numbers on all ranks
};

TEST_P(HaloOf, views_of_any_layout_type_and_width_are_filled) {
  for (int i = 0; i < draws(8); ++i) check_filling(draw(view_types));
}

// Rows of one cell, and subdomains as narrow as the halo.
TEST_P(HaloOf, subdomains_as_small_as_can_be_are_filled) {
  const auto n = static_cast<grid::Index>(world.size());
  Case drawn;
  drawn.fields = {{}, {.kind = ViewKind::left, .word = "xyq", .type = 7, .quantities = 3}};
  for (const grid::Triple& ranks : {grid::Triple{n, 1, 1}, grid::Triple{1, n, 1}})
    for (const bool wraps : {true, false}) {
      drawn.grid = {2, {ranks.x, 13 * ranks.y, 1}, Topology::make(world.rank(), ranks, {wraps, true, true})};
      drawn.config.width = {1, 3};
      check_filling(drawn);
      drawn.grid.cells = {2 * ranks.x, 5 * ranks.y, 1};
      drawn.config.width = {{2, 2}, {5, 1}};
      check_filling(drawn);
    }
}

/// Of the ghost cells of all ranks, by the cell of the grid.
using Sums = std::map<std::array<grid::Index, 3>, grid::Index>;

/// Small numbers, so that no type overflows and every order gives the same sum.
grid::Index deposit(std::size_t field, int time, const grid::Triple& cell, int q, int rank) {
  return static_cast<grid::Index>(
      hash({static_cast<grid::Index>(field), time, cell.x, cell.y, cell.z, q, rank}) % 3);
}

Sums sums_of(const Case& drawn, std::size_t field, int time, int q) {
  Sums sums;
  const grid::Triple ranks = drawn.grid.topology.ranks;
  for (int rank = 0; rank < static_cast<int>(product(ranks)); ++rank) {
    const Topology topology = Topology::make(rank, ranks, drawn.grid.topology.periodic);
    for_each_cell(bounds_of(drawn, topology).whole(), [&](const grid::Triple& cell) {
      if (const auto at = global(drawn, topology, cell))
        sums[{at->x, at->y, at->z}] += deposit(field, time, cell, q, rank);
    });
  }
  return sums;
}

TEST_P(HaloOf, ghost_values_are_added_to_their_owners) {
  for (int i = 0; i < draws(6); ++i) {
    Case drawn = draw(number_types);
    drawn.config.accumulate = true;
    for (const Exchange exchange : exchanges()) {
      drawn.config.exchange = exchange;
      FieldRun run(world, drawn, configured(drawn, exchange));
      const int rank = world.rank();
      for (int time = 0; time < 3; ++time) {
        const int set = time % drawn.sets;
        run.set(run.filled(time, [&](std::size_t n, const grid::Triple& cell, int q) {
          const std::size_t of_set = n % run.fields_of_a_set();
          return number(drawn.fields[of_set].type, deposit(of_set, time, cell, q, rank));
        }));
        run.halo().accumulate(run.exec(), set);
        const auto got = run.get();
        for (std::size_t field = 0; field < run.fields_of_a_set(); ++field) {
          const std::size_t n = field + static_cast<std::size_t>(set) * run.fields_of_a_set();
          std::map<int, Sums> sums;
          for (int q = 0; q < drawn.fields[field].quantities; ++q) sums[q] = sums_of(drawn, field, time, q);
          int wrong = 0;
          run.for_each_value(n, run.bounds().own_box(), [&](const grid::Triple& cell, int q, std::size_t at) {
            const auto to = global(drawn, drawn.grid.topology, cell);
            const Bytes expected = number(drawn.fields[field].type, sums[q].at({to->x, to->y, to->z}));
            wrong += !std::equal(expected.begin(), expected.end(),
                                 got[n].begin() + static_cast<std::ptrdiff_t>(at));
          });
          EXPECT_EQ(wrong, 0) << "field " << field << ", time " << time << ": " << describe(drawn);
        }
        // An exchange between two accumulations disturbs neither.
        run.halo().exchange(run.exec(), set);
      }
    }
  }
}

std::vector<Path> halo_paths() {
  std::vector<Path> all = paths(Exchange::sync);
  for (const Path& path : paths(Exchange::async))
    if (std::none_of(all.begin(), all.end(),
                     [&](const Path& other) { return other.describe() == path.describe(); }))
      all.push_back(path);
  std::erase_if(all, [](const Path& path) { return path.graph; });
  return all;
}

std::string test_name(const Path& path) {
  return path.transport + "_" + path.mpi +
         (path.ranks_per_node > 0 ? "_" + std::to_string(path.ranks_per_node) : "");
}

INSTANTIATE_TEST_SUITE_P(All, HaloOf, ::testing::ValuesIn(halo_paths()),
                         [](const auto& parameter) { return test_name(parameter.param); });

TEST(HaloSums, are_packed_by_kernels) {
  const Communicator world(MPI_COMM_WORLD);
  Case drawn{.grid = {2,
                      {9 * world.size(), 8, 1},
                      Topology::make(world.rank(), {world.size(), 1, 1}, {true, true, true})},
             .config = {.width = 1, .accumulate = true, .halo = {.transport = "pinned"}},
             .fields = {{.word = "yx", .type = 0}}};
  for (const auto& [packing, corners] :
       {std::pair{Packing::datatype, Corners::device}, std::pair{Packing::kernel, Corners::host}}) {
    drawn.config.halo.packing = packing;
    drawn.config.halo.corners = corners;
    EXPECT_EQ(error_of([&] { FieldRun(world, drawn, drawn.config); }),
              "ghost values that are accumulated are packed by kernels, round by round\n"
              "  remedy: use packing = kernel and corners = device, or a halo without accumulate");
  }
}

// Sums of floating-point numbers depend on their order, which is that of the plan: the same bits by whatever
// transport they come, and whenever.
TEST(HaloSums, have_the_same_bits_by_all_transports) {
  const Communicator world(MPI_COMM_WORLD);
  const grid::Triple ranks = grid::rank_grid(world.size(), 3, {9, 8, 7});
  for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
    Case drawn{.grid = {3, {9, 8, 7}, Topology::make(world.rank(), ranks, {true, true, true})},
               .config = {.width = 1, .exchange = exchange, .accumulate = true},
               .fields = {{.word = "zyx", .type = 0}, {.word = "zyxq", .type = 1, .quantities = 2}}};
    std::vector<Bytes> first;
    int number = 0;
    for (const Path& path : paths(exchange)) {
      if (path.graph) continue;
      DeepHaloConfig settings{.halo = {}};
      path.apply(settings);
      drawn.config.halo = settings.halo;
      drawn.config.messages = ++number % 2 == 0 && !message_modes().at(path.mpi).along_lines
                                  ? MessagesPer::direction
                                  : MessagesPer::neighbour;
      drawn.config.halo.timeout = long_timeout;
      FieldRun run(world, drawn, drawn.config);
      for (int time = 0; time < 2; ++time) {
        run.set(run.filled(0, [&](std::size_t n, const grid::Triple& cell, int q) {
          std::mt19937 values(static_cast<unsigned>(
              hash({static_cast<grid::Index>(n), cell.x, cell.y, cell.z, q, world.rank()})));
          const double value = std::uniform_real_distribution<double>(-1, 1)(values);
          Bytes bytes(run.field(n).element);
          const auto narrow = static_cast<float>(value);
          if (bytes.size() == sizeof narrow)
            std::memcpy(bytes.data(), &narrow, sizeof narrow);
          else
            std::memcpy(bytes.data(), &value, sizeof value);
          return bytes;
        }));
        run.halo().accumulate(run.exec());
        std::vector<Bytes> own;
        const auto got = run.get();
        for (std::size_t n = 0; n < got.size(); ++n) {
          Bytes& bytes = own.emplace_back();
          run.for_each_value(n, run.bounds().own_box(), [&](const grid::Triple&, int, std::size_t at) {
            const auto start = got[n].begin() + static_cast<std::ptrdiff_t>(at);
            bytes.insert(bytes.end(), start, start + static_cast<std::ptrdiff_t>(run.field(n).element));
          });
        }
        if (first.empty()) first = own;
        EXPECT_EQ(own, first) << path.describe() << ", " << name_of(exchange);
      }
    }
  }
}

// Each rank has its own layout: messages are packed as rank 0 has it, and every value finds its place.
TEST(HaloLayouts, may_differ_between_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  const grid::Triple ranks = grid::rank_grid(world.size(), 2, {40, 36, 1});
  for (const Path& path : different_paths())
    for (int turn = 0; turn < 5; ++turn) {
      const auto kind = static_cast<ViewKind>((world.rank() + turn) % 5);
      const std::vector<std::string> words{"qyx", "xyq", "yqx", "xqy", "yxq"};
      Case drawn{.grid = {2, {40, 36, 1}, Topology::make(world.rank(), ranks, {true, true, true})},
                 .config = {.width = {{2, 1}, {1, 3}}, .exchange = Exchange::async},
                 .fields = {{.kind = kind,
                             .word = words[static_cast<std::size_t>((2 * world.rank() + turn) % 5)],
                             .type = turn,
                             .quantities = 3}}};
      drawn.config.halo.transport = path.transport;
      drawn.config.halo.mpi = path.mpi;
      drawn.config.halo.timeout = long_timeout;
      FieldRun run(world, drawn, drawn.config);
      const auto value = [&](bool filled) {
        return [&, filled](std::size_t n, const grid::Triple& cell, int q) {
          const bool known = filled || contains(run.bounds().own_box(), cell);
          const auto at = *global(drawn, drawn.grid.topology, cell);
          return known ? content(run.field(n).element, {q, at.x, at.y}) : Bytes(run.field(n).element);
        };
      };
      run.set(run.filled(0, value(false)));
      world.barrier();
      run.halo().exchange(run.exec());
      const auto got = run.get(), expected = run.filled(0, value(true));
      EXPECT_TRUE(got == expected) << path.describe() << ", turn " << turn << ", " << describe(drawn);
      world.barrier();
    }
}

}  // namespace
}  // namespace haloheap::comm
