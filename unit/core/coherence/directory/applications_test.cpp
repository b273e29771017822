// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/applications.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence::test {
namespace {

/// What a run moves and takes, in bytes.
struct Bytes {
  std::uint64_t to_devices, within_devices, between_devices, to_host, allocated;
  friend bool operator==(const Bytes&, const Bytes&) = default;
  friend void PrintTo(const Bytes& b, std::ostream* out) {
    *out << "HTD " << b.to_devices << " DTD " << b.within_devices << " peer " << b.between_devices << " DTH "
         << b.to_host << " allocated " << b.allocated;
  }
};

Bytes bytes_of(const Statistics& s) {
  return {s.to_devices(), s.within_devices(), s.between_devices(), s.to_host(), s.allocations.bytes};
}

/// The new mechanism of [Dastgeer2016] for a run in which `calls` times a vector is read whole on all devices
/// of which each has written its part; `vectors` are used so, and `others` only in parts. One device has the
/// whole vector as its part: nothing moves then.
Bytes formula(std::uint64_t vector, std::uint64_t devices, std::uint64_t calls, bool peer,
              std::uint64_t vectors, std::uint64_t others) {
  if (devices == 1) return {0, 0, 0, vector, (vectors + others) * vector};
  const std::uint64_t away = (devices - 1) * calls * vector;
  return {peer ? 0 : away, calls * vector, peer ? away : 0, (peer ? 0 : calls * vector) + vector,
          (vectors * (devices + 1) + others) * vector};
}

class CoherenceByteFormulas : public testing::TestWithParam<std::tuple<int, bool, ElementIndex, int>> {
 protected:
  int devices() const { return std::get<0>(GetParam()); }
  bool peer() const { return std::get<1>(GetParam()); }
  int calls() const { return std::get<3>(GetParam()); }
  Application on(detail::Directory& directory) const {
    return {directory, std::get<2>(GetParam()), 8, false};
  }
  MemoryTopology topology() const { return {devices(), peer()}; }
  Bytes paper(const Application& app, int replicated, int others) const {
    return formula(app.bytes(), static_cast<std::uint64_t>(devices()), static_cast<std::uint64_t>(replicated),
                   peer(), 2, static_cast<std::uint64_t>(others));
  }
};

TEST_P(CoherenceByteFormulas, NbodyOfThePaper) {
  detail::Directory directory(topology(), "paper");
  const Application app = on(directory);
  app.nbody(calls());
  EXPECT_EQ(bytes_of(directory.statistics()), paper(app, calls(), 0));
}

TEST_P(CoherenceByteFormulas, SphOfThePaper) {
  detail::Directory directory(topology(), "paper");
  const Application app = on(directory);
  app.sph(calls());
  EXPECT_EQ(bytes_of(directory.statistics()), paper(app, 2 * calls(), 0));
}

/// The first contents come from the host, to every device.
TEST_P(CoherenceByteFormulas, LuOfThePaper) {
  detail::Directory directory(topology(), "paper");
  const Application app = on(directory);
  app.lu(calls());
  Bytes expected = paper(app, calls() - 1, 1);
  expected.to_devices += static_cast<std::uint64_t>(devices()) * app.bytes();
  EXPECT_EQ(bytes_of(directory.statistics()), expected);
}

/// What no directory can go below: each device gets the others' parts, once a call.
TEST_P(CoherenceByteFormulas, RegionNeedsNoCopiesWithinDevices) {
  for (const bool sph : {false, true}) {
    detail::Directory directory(topology(), "region");
    Application app = on(directory);
    app.whole_first = true;
    if (sph)
      app.sph(calls());
    else
      app.nbody(calls());
    Bytes minimum = paper(app, sph ? 2 * calls() : calls(), 0);
    minimum.within_devices = 0;
    minimum.allocated = 2 * static_cast<std::uint64_t>(devices()) * app.bytes();
    EXPECT_EQ(bytes_of(directory.statistics()), minimum);
  }
}

/// Where parts were used before the whole, they are copied once for each vector, not in each call.
TEST_P(CoherenceByteFormulas, RegionCopiesWithinDevicesOnlyWhenAWholeIsNew) {
  detail::Directory directory(topology(), "region");
  const Application app = on(directory);
  app.nbody(calls());
  Bytes expected = paper(app, calls(), 0);
  expected.within_devices = devices() == 1 ? 0 : 2 * app.bytes();
  EXPECT_EQ(bytes_of(directory.statistics()), expected);
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceByteFormulas,
                         testing::Combine(testing::Values(1, 2, 3, 4), testing::Bool(),
                                          testing::Values(ElementIndex{12}, ElementIndex{17},
                                                          ElementIndex{1000}),
                                          testing::Values(2, 3, 22)));

/// A row of Table 1 of [Dastgeer2016], in MB, of two devices.
struct Row {
  const char* name;
  bool peer;
  double vector;  ///< MB of one vector, summed over the problem sizes
  void (Application::*run)(int) const;
  int calls;
  double to_devices, within_devices, between_devices, to_host;
};

const std::vector<Row> table{
    {"nbody", false, 47.3, &Application::nbody, 22, 1040.6, 1040.6, 0, 1087.9},
    {"nbody", true, 47.3, &Application::nbody, 22, 0, 1040.6, 1040.6, 47.3},
    {"sph", false, 0.337, &Application::sph, 50, 33.7, 33.7, 0, 34.1},
    {"sph", true, 0.337, &Application::sph, 50, 0, 33.7, 33.7, 0.3},
    {"lu", false, 0.3, &Application::lu, 199, 60.1, 59.4, 0, 59.7},
    {"lu", true, 0.3, &Application::lu, 199, 0.6, 59.4, 59.4, 0.3},
};

TEST(CoherenceTableOne, IsWhatThePolicyPaperMoves) {
  for (const Row& row : table) {
    detail::Directory directory(MemoryTopology(2, row.peer), "paper");
    const Application app{directory, 1000, 4, false};
    (app.*row.run)(row.calls);
    const Bytes bytes = bytes_of(directory.statistics());
    const auto mb = [&](std::uint64_t b) {
      return static_cast<double>(b) / static_cast<double>(app.bytes()) * row.vector;
    };
    SCOPED_TRACE(std::string(row.name) + (row.peer ? " with peer copies" : ""));
    EXPECT_NEAR(mb(bytes.to_devices), row.to_devices, 0.101);
    EXPECT_NEAR(mb(bytes.within_devices), row.within_devices, 0.051);
    EXPECT_NEAR(mb(bytes.between_devices), row.between_devices, 0.051);
    EXPECT_NEAR(mb(bytes.to_host), row.to_host, 0.101);
  }
}

/// Its column of allocations has each byte twice.
TEST(CoherenceTableOne, CountsAllocationsTwice) {
  detail::Directory directory(MemoryTopology(2, false), "paper");
  const Application app{directory, 1000, 4, false};
  app.nbody(22);
  EXPECT_NEAR(2.0 * 47.3 * static_cast<double>(directory.statistics().allocations.bytes) /
                  static_cast<double>(app.bytes()),
              567.6, 0.051);
}

}  // namespace
}  // namespace haloheap::coherence::test
