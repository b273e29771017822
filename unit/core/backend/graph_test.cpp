// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/core/backend/int_kernels.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace haloheap::backend {
namespace {

constexpr int size = 100003;

struct Increment {
  Values values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) += 1; }
};

struct Large {
  Values values;
  Kokkos::Array<int, 200> padding;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) += padding[i % 200]; }
};

std::vector<int> all(int value) {
  return std::vector<int>(size, value);
}

std::vector<int> content(const Values& values) {
  Kokkos::fence("haloheap::unit::content");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return {host.data(), host.data() + host.size()};
}

/// a += 1 on one instance, then b += a and c = b on the other.
class GraphTest : public ::testing::Test {
 protected:
  void increment(const Instance& instance) {
    Kokkos::parallel_for("haloheap::unit::increment", Range(instance.exec(), 0, size), Increment{a});
  }
  void enqueue() {
    ++calls;
    increment(first);
    forked.record(first.exec());
    forked.wait_on(second.exec());
    Kokkos::parallel_for("haloheap::unit::add", Range(second.exec(), 0, size), AddTo{a, b});
    copy_async(second.exec(), c.data(), b.data(), size * sizeof(int));
    if (fails) throw std::runtime_error("no more");
    joined.record(second.exec());
    joined.wait_on(first.exec());
  }
  Graph record() {
    Kokkos::fence("haloheap::unit::setup");
    return {first.exec(), [this] { enqueue(); }};
  }

  const Instance first{Priority::low}, second{Priority::high};
  const Values a{"haloheap::unit::a", size}, b{"haloheap::unit::b", size}, c{"haloheap::unit::c", size};
  Event forked, joined;
  int calls = 0;
  bool fails = false;
};

TEST_F(GraphTest, runs_nothing_while_it_records) {
  const Graph graph = record();
  EXPECT_EQ(content(a), all(0));
  EXPECT_EQ(content(c), all(0));
  EXPECT_EQ(calls, kernels_on_host ? 0 : 1);
  EXPECT_EQ(graph.nodes(), kernels_on_host ? 0U : 3U);
}

TEST_F(GraphTest, runs_the_whole_sequence_in_order_at_each_launch) {
  const Graph graph = record();
  int sum = 0;
  for (int launch = 1; launch <= 20; ++launch) {
    graph.launch(first.exec());
    sum += launch;
  }
  EXPECT_EQ(content(a), all(20));
  EXPECT_EQ(content(b), all(sum));
  EXPECT_EQ(content(c), all(sum));
  EXPECT_EQ(calls, kernels_on_host ? 20 : 1);
}

TEST_F(GraphTest, stands_in_the_order_of_the_instance_that_launches_it) {
  const Graph graph = record();
  increment(second);
  graph.launch(second.exec());
  increment(second);
  graph.launch(second.exec());
  EXPECT_EQ(content(a), all(4));
  EXPECT_EQ(content(c), all(2 + 4));
}

TEST_F(GraphTest, can_be_moved_and_made_many_times) {
  std::vector<Graph> graphs;
  for (int i = 0; i < 3; ++i) graphs.push_back(record());
  graphs.erase(graphs.begin());
  graphs.front() = std::move(graphs.back());
  graphs.pop_back();
  graphs.front().launch(first.exec());
  EXPECT_EQ(content(a), all(1));
  EXPECT_EQ(content(c), all(1));
}

TEST_F(GraphTest, hands_on_what_the_function_throws_and_leaves_the_instances_usable) {
  fails = true;
  EXPECT_THROW(record().launch(first.exec()), std::runtime_error);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(content(a), all(kernels_on_host ? 1 : 0));

  fails = false;
  increment(second);
  Kokkos::fence("haloheap::unit::second");
  const int before = content(a)[0];
  record().launch(first.exec());
  EXPECT_EQ(content(a), all(before + 1));
}

TEST_F(GraphTest, needs_a_function) {
  EXPECT_THROW(Graph(first.exec(), {}), UsageError);
}

TEST_F(GraphTest, refuses_kernels_that_cannot_be_replayed) {
  Large large{a, {}};
  for (int i = 0; i < 200; ++i) large.padding[i] = 3;
  const auto enqueue_large = [&] {
    Kokkos::parallel_for("haloheap::unit::large", Range(first.exec(), 0, size), large);
  };
  enqueue_large();
  Kokkos::fence("haloheap::unit::large");
  if (kernels_on_host) {
    Graph(first.exec(), enqueue_large).launch(first.exec());
  } else {
    EXPECT_THROW(Graph(first.exec(), enqueue_large), std::runtime_error);
    enqueue_large();
  }
  EXPECT_EQ(content(a), all(6));
}

}  // namespace
}  // namespace haloheap::backend
