// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Random programs on containers whose devices have queues that work waits in: whatever order the events
// allow, every value is that of the same program on plain vectors, one operation after the other.
#include <haloheap/core/coherence/dual_view.hpp>
#include <haloheap/core/coherence/repeated.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/backend/emulated_queues.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace haloheap::coherence {
namespace {

using testing::EmulatedQueues;
using Value = std::uint32_t;  // which wraps around
using Values = std::vector<Value>;

struct Affine {
  KOKKOS_FUNCTION Value operator()(Value x) const { return 3 * x + 1; }
};
struct Combine {
  KOKKOS_FUNCTION Value operator()(Value x, Value y) const { return 5 * x + 7 * y; }
};
struct Spread {
  KOKKOS_FUNCTION Value operator()(const Window<Value>& w) const { return w(-1) + 2 * w(0) + 3 * w(1); }
};
struct Cross {
  KOKKOS_FUNCTION Value operator()(const TileWindow<Value>& w) const {
    return w(0, 0) + 2 * w(-1, 0) + 3 * w(0, 1);
  }
};
struct Increment {
  Value* data;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { data[i] += 11; }
};

constexpr ElementIndex rows = 5, columns = 7;

/// What is run, step by step, on containers and on plain vectors.
class Program {
 public:
  /// @param waits whether the host takes part, and waits for work of devices now and then
  Program(const Setting& setting, std::size_t capacity, bool waits, std::uint64_t seed)
      : random_(seed), waits_(waits), context_(with_capacity(setting, capacity, seed)) {
    for (std::size_t i = 0; i < 4; ++i) {
      vectors_.push_back(nullptr);
      plain_.emplace_back();
      remake(i);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      matrices_.push_back(std::make_unique<Matrix<Value>>(context_, "m", rows, columns));
      matrices_.back()->fill(static_cast<Value>(i));
      plain_matrices_.emplace_back(rows * columns, static_cast<Value>(i));
    }
  }

  /// Repetitions that were launched as a graph.
  std::uint64_t launched() const { return launched_; }

  /// Empty, or what was wrong.
  std::string run(int steps) {
    const std::size_t kinds = waits_ ? operations.size() : without_host;
    for (int step = 0; step < steps && wrong_.empty(); ++step) (this->*operations[below(kinds)])();
    for (std::size_t i = 0; i < vectors_.size(); ++i) compare(i, 0, size(i));
    for (std::size_t i = 0; i < matrices_.size(); ++i) compare_matrix(i, {0, rows, 0, columns});
    return wrong_;
  }

 private:
  using Operation = void (Program::*)();
  static const std::vector<Operation> operations;
  static constexpr std::size_t without_host = 12;  // the first operations

  static ContextOptions with_capacity(const Setting& setting, std::size_t capacity, std::uint64_t seed) {
    ContextOptions options = setting.options();
    options.capacity = capacity;
    options.instances = 1 + static_cast<int>(seed % 3);
    return options;
  }

  std::size_t below(std::size_t n) { return random_() % n; }
  ElementIndex below(ElementIndex n) { return static_cast<ElementIndex>(below(static_cast<std::size_t>(n))); }
  int any_device() { return static_cast<int>(below(ElementIndex{context_.devices()})); }
  std::size_t any() { return below(vectors_.size()); }
  std::size_t other(std::size_t than) { return (than + 1 + below(vectors_.size() - 1)) % vectors_.size(); }
  ElementIndex size(std::size_t i) const { return static_cast<ElementIndex>(plain_[i].size()); }
  Workers workers() {
    const auto choice = below(std::size_t{4});
    if (choice == 0 && waits_) return the_host;
    return choice == 1 && context_.devices() > 0 ? one_device(any_device()) : all_devices;
  }
  /// Elements of a vector of at most this length.
  Part part(ElementIndex size) {
    const ElementIndex begin = below(size);
    return {begin, begin + 1 + below(size - begin)};
  }
  Value fresh() { return static_cast<Value>(random_()); }

  void remake(std::size_t i) {
    vectors_[i] = nullptr;  // work on it may be under way
    const ElementIndex size = 20 + below(ElementIndex{30});
    vectors_[i] = std::make_unique<Vector<Value>>(context_, "v" + std::to_string(i), size);
    plain_[i].assign(static_cast<std::size_t>(size), fresh());
    vectors_[i]->fill(plain_[i][0]);
  }

  // --- Operations
  void remake_one() { remake(any()); }
  void change_in_place() {
    const auto i = any();
    const Part p = part(size(i));
    map(workers(), "haloheap::test::affine", vectors_[i]->slice(p.begin, p.end), Affine{},
        vectors_[i]->slice(p.begin, p.end));
    for (ElementIndex at = p.begin; at < p.end; ++at) plain(i, at) = Affine{}(plain(i, at));
  }
  void combine() {
    const auto out = any(), in = other(out);
    const ElementIndex length = 1 + below(std::min(size(out), size(in)));
    const ElementIndex to = below(size(out) - length + 1), from = below(size(in) - length + 1);
    map(workers(), "haloheap::test::combine", vectors_[out]->slice(to, to + length), Combine{},
        std::as_const(*vectors_[in]).slice(from, from + length), vectors_[out]->slice(to, to + length));
    for (ElementIndex at = 0; at < length; ++at)
      plain(out, to + at) = Combine{}(plain(in, from + at), plain(out, to + at));
  }
  void spread() {
    const auto out = any(), in = other(out);
    const ElementIndex length = std::min(size(out), size(in));
    map_overlap(workers(), "haloheap::test::spread", vectors_[out]->slice(0, length), Spread{}, 1,
                Edge<Value>{}, std::as_const(*vectors_[in]).slice(0, length));
    for (ElementIndex at = 0; at < length; ++at)
      plain(out, at) = Spread{}(Window<Value>{plain_[in].data(), at, length, Edge<Value>{}});
  }
  void cross() {
    const auto out = below(std::size_t{2}), in = 1 - out;
    map_overlap(workers(), "haloheap::test::cross", *matrices_[out], Cross{}, 1, Edge<Value>{},
                *matrices_[in]);
    Values next(plain_matrices_[out].size());
    for (ElementIndex row = 0; row < rows; ++row)
      for (ElementIndex column = 0; column < columns; ++column)
        next[static_cast<std::size_t>(row * columns + column)] = Cross{}(TileWindow<Value>{
            plain_matrices_[in].data(), row, column, rows, columns, columns, Edge<Value>{}});
    plain_matrices_[out] = next;
  }
  /// A kernel that is launched by hand.
  void combine_matrices() {
    const auto out = below(std::size_t{2}), in = 1 - out;
    map(workers(), "haloheap::test::combine", *matrices_[out], Combine{}, *matrices_[in], *matrices_[out]);
    for (std::size_t at = 0; at < plain_matrices_[out].size(); ++at)
      plain_matrices_[out][at] = Combine{}(plain_matrices_[in][at], plain_matrices_[out][at]);
  }
  /// As a graph, if the device copies last; others use what it uses in between.
  void repeat() {
    const auto a = any(), b = other(a);
    const ElementIndex length = std::min(size(a), size(b));
    const Workers who =
        context_.devices() > 0 && below(std::size_t{2}) == 0 ? one_device(any_device()) : all_devices;
    Repeated repeated(context_, [&] {
      map(who, "haloheap::test::combine", vectors_[a]->slice(0, length), Combine{},
          std::as_const(*vectors_[b]).slice(0, length), vectors_[a]->slice(0, length));
      map_overlap(who, "haloheap::test::spread", vectors_[b]->slice(0, length), Spread{}, 1, Edge<Value>{},
                  std::as_const(*vectors_[a]).slice(0, length));
    });
    const ElementIndex runs = 1 + below(ElementIndex{3});
    for (ElementIndex run = 0; run < runs; ++run) {
      const ElementIndex times = 1 + below(ElementIndex{5});
      repeated(static_cast<std::uint64_t>(times));
      for (ElementIndex n = 0; n < times; ++n) {
        for (ElementIndex at = 0; at < length; ++at) plain(a, at) = Combine{}(plain(b, at), plain(a, at));
        for (ElementIndex at = 0; at < length; ++at)
          plain(b, at) = Spread{}(Window<Value>{plain_[a].data(), at, length, Edge<Value>{}});
      }
      if (below(std::size_t{2}) == 0) change_in_place();
      if (below(std::size_t{2}) == 0) combine();
    }
    launched_ += repeated.launched();
  }
  void pair_up() {
    const auto i = any(), j = any(), out = below(std::size_t{2});
    const ElementIndex down = below(size(i) - rows), across = below(size(j) - columns);
    map_pairs(workers(), "haloheap::test::pairs", *matrices_[out], Combine{}, vectors_[i]->begin() + down,
              vectors_[j]->begin() + across);
    for (ElementIndex at = 0; at < rows * columns; ++at)
      plain_matrices_[out][static_cast<std::size_t>(at)] =
          Combine{}(plain(i, down + at / columns), plain(j, across + at % columns));
  }
  void increment() {
    if (context_.devices() == 0) return;
    const auto i = any();
    const Part p = part(size(i));
    const int device = any_device();
    const auto elements = vectors_[i]->read_write(on_device(device), p.begin, p.end);
    backend::parallel_for("haloheap::test::increment",
                          Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<ElementIndex>>(
                              elements.exec(), 0, p.end - p.begin),
                          Increment{elements.data()});
    for (ElementIndex at = p.begin; at < p.end; ++at) plain(i, at) += 11;
  }
  void running_sums() {
    const auto i = any();
    scan(workers(), "haloheap::test::scan", Sum<Value>{}, Scan::inclusive, *vectors_[i], *vectors_[i]);
    for (ElementIndex at = 1; at < size(i); ++at) plain(i, at) += plain(i, at - 1);
  }
  void sum_up() {
    const auto i = any();
    Value expected = 0;
    for (const Value value : plain_[i]) expected += value;
    const Value sum = reduce(workers(), "haloheap::test::sum", Sum<Value>{}, *vectors_[i]);
    if (sum != expected) wrong_ = "a sum";
  }
  void read_elements() {
    const auto i = any();
    for (int n = 0; n < 3; ++n) {
      const ElementIndex at = below(size(i));
      if (std::as_const(*vectors_[i])[at] != plain(i, at)) wrong_ = "an element that the host read";
    }
  }
  void write_element() {
    const auto i = any();
    const ElementIndex at = below(size(i));
    (*vectors_[i])[at] = plain(i, at) = fresh();
  }
  void write_range() {
    const auto i = any();
    const Part p = part(size(i));
    const auto elements = vectors_[i]->write(p.begin, p.end);
    for (ElementIndex at = p.begin; at < p.end; ++at) elements[at - p.begin] = plain(i, at) = fresh();
  }
  void read_range() {
    const auto i = any();
    const Part p = part(size(i));
    compare(i, p.begin, p.end);
  }
  void change_range() {
    const auto i = any();
    const Part p = part(size(i));
    const auto elements = vectors_[i]->read_write(p.begin, p.end);
    for (ElementIndex at = p.begin; at < p.end; ++at)
      elements[at - p.begin] = plain(i, at) += elements[at - p.begin];
  }
  void read_tile() {
    const Part of_rows = part(rows), of_columns = part(columns);
    compare_matrix(below(std::size_t{2}), {of_rows.begin, of_rows.end, of_columns.begin, of_columns.end});
  }
  void write_tile() {
    const auto i = below(std::size_t{2});
    const Part r = part(rows), c = part(columns);
    const auto access = matrices_[i]->write({r.begin, r.end, c.begin, c.end});
    const auto tile = access.tile();
    for (ElementIndex row = r.begin; row < r.end; ++row)
      for (ElementIndex column = c.begin; column < c.end; ++column)
        tile(row - r.begin, column - c.begin) =
            plain_matrices_[i][static_cast<std::size_t>(row * columns + column)] = fresh();
  }
  void resize() {
    const auto i = any();
    const ElementIndex old = size(i), now = 20 + below(ElementIndex{30});
    vectors_[i]->resize(now);
    plain_[i].resize(static_cast<std::size_t>(now));
    if (now <= old) return;
    const auto added = vectors_[i]->write(old, now);
    for (ElementIndex at = old; at < now; ++at) added[at - old] = plain(i, at) = fresh();
  }
  void insert_and_erase() {
    const auto i = any();
    Vector<Value>& vector = *vectors_[i];
    Values& values = plain_[i];
    const ElementIndex at = below(size(i) + 1), count = below(ElementIndex{5});
    const Value value = fresh();
    vector.insert(vector.begin() + at, count, value);
    values.insert(values.begin() + at, static_cast<std::size_t>(count), value);
    // As many as pair_up uses are left.
    const ElementIndex most = std::min(ElementIndex{5}, size(i) - 19), from = below(size(i) - most),
                       to = from + below(most);
    vector.erase(vector.begin() + from, vector.begin() + to);
    values.erase(values.begin() + from, values.begin() + to);
  }
  void manage() {
    const auto i = any();
    Vector<Value>& vector = *vectors_[i];
    switch (below(std::size_t{4})) {
      case 0:
        vector.release_devices();
        break;
      case 1:
        vector.flush();
        break;
      case 2:
        vector.update_host();
        break;
      default:
        return context_.fence();
    }
    for (ElementIndex at = 0; at < size(i); ++at)
      if (std::as_const(vector).unchecked(at) != plain(i, at))
        wrong_ = "an element that is current on the host";
  }

  Value& plain(std::size_t i, ElementIndex at) { return plain_[i][static_cast<std::size_t>(at)]; }

  void compare(std::size_t i, ElementIndex begin, ElementIndex end) {
    const auto elements = std::as_const(*vectors_[i]).read(begin, end);
    for (ElementIndex at = begin; at < end; ++at)
      if (elements[at - begin] != plain(i, at)) wrong_ = "a range that the host read";
  }
  void compare_matrix(std::size_t i, const Rect& rect) {
    const auto access = std::as_const(*matrices_[i]).read(rect);
    const auto tile = access.tile();
    for (ElementIndex row = rect.row; row < rect.row_end; ++row)
      for (ElementIndex column = rect.column; column < rect.column_end; ++column)
        if (tile(row - rect.row, column - rect.column) !=
            plain_matrices_[i][static_cast<std::size_t>(row * columns + column)])
          wrong_ = "a tile that the host read";
  }

  std::mt19937_64 random_;
  bool waits_;
  Context context_;
  std::vector<std::unique_ptr<Vector<Value>>> vectors_;
  std::vector<std::unique_ptr<Matrix<Value>>> matrices_;
  std::vector<Values> plain_, plain_matrices_;
  std::string wrong_;
  std::uint64_t launched_ = 0;
};

const std::vector<Program::Operation> Program::operations = {
    &Program::change_in_place, &Program::change_in_place, &Program::combine,
    &Program::combine,         &Program::combine,         &Program::spread,
    &Program::cross,           &Program::increment,       &Program::combine_matrices,
    &Program::pair_up,         &Program::repeat,          &Program::repeat,
    &Program::remake_one,      &Program::running_sums,    &Program::sum_up,
    &Program::read_elements,   &Program::write_element,   &Program::write_range,
    &Program::read_range,      &Program::change_range,    &Program::read_tile,
    &Program::write_tile,      &Program::resize,          &Program::insert_and_erase,
    &Program::manage};

class CoherenceQueues : public ::testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  }
  /// Programs of random operations, each with another order of the work.
  void run(std::size_t capacity, int steps) {
    const std::uint64_t programs = GetParam().asynchronous ? 20 : 4;
    std::uint64_t overtaking = 0, launched = 0;
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
      EmulatedQueues queues(seed);
      std::string wrong;
      {
        Program program(GetParam(), capacity, seed % 3 != 2, seed);
        wrong = program.run(steps);
        launched += program.launched();
      }
      EXPECT_EQ(wrong, "") << "seed " << seed;
      overtaking += queues.overtaking();
    }
    if (GetParam().devices > 1 && GetParam().asynchronous) {
      EXPECT_GT(overtaking, 0U);
    }
    if (capacity == unlimited && GetParam().asynchronous && GetParam().devices > 0) {
      EXPECT_EQ(launched > 0, GetParam().entry().keeps_results);
    }
  }
};

TEST_P(CoherenceQueues, any_order_that_the_events_allow_gives_the_same_values) {
  run(unlimited, 60);
}

// Copies go while work on them is under way.
TEST_P(CoherenceQueues, so_does_one_with_memory_for_few_copies) {
  run(700, 60);
}

/// Where the calls are to be done when they return, nothing is left to do. (Policy none always waits: it
/// keeps no copy.)
TEST_P(CoherenceQueues, calls_block_unless_they_are_asynchronous) {
  std::uint64_t left = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(GetParam().options());
    Vector<Value> v(context, "v", 100);
    v.fill(1);
    map(all_devices, "haloheap::test::affine", v, Affine{}, v);
    left += queues.waiting();
  }
  EXPECT_EQ(left > 0, GetParam().asynchronous && GetParam().entry().keeps_results);
}

TEST_P(CoherenceQueues, repetitions_block_unless_they_are_asynchronous) {
  std::uint64_t left = 0, launched = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(GetParam().options());
    Vector<Value> v(context, "v", 100);
    v.fill(1);
    Repeated repeated(context, [&] { map(all_devices, "haloheap::test::affine", v, Affine{}, v); });
    repeated(6);
    left += queues.waiting();
    launched += repeated.launched();
  }
  EXPECT_EQ(left > 0, GetParam().asynchronous && GetParam().entry().keeps_results);
  EXPECT_EQ(launched > 0, GetParam().entry().keeps_results);
}

struct SetTo {
  Value* value;
  KOKKOS_FUNCTION void operator()(ElementIndex) const { *value = 5; }
};

// What users launch on its instances may use memory of their own, which they give back when they please.
TEST_P(CoherenceQueues, a_context_waits_for_what_was_launched_on_its_instances) {
  const auto launch = [](const Context& context, Value& value) {
    backend::parallel_for("haloheap::test::set", Kokkos::RangePolicy<backend::Exec>(context.exec(0), 0, 1),
                          SetTo{&value});
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const EmulatedQueues queues(seed);
    Value before_fence = 0, before_end = 0;
    {
      Context context(GetParam().options());
      launch(context, before_fence);
      context.fence();
      EXPECT_EQ(before_fence, 5U);
      launch(context, before_end);
    }
    EXPECT_EQ(before_end, 5U);
  }
}

struct CopyFirst {
  const Value* from;
  Value* to;
  KOKKOS_FUNCTION void operator()(ElementIndex) const { *to = *from; }
};

template <class Dual, class Kernel>
void launch(const Dual& dual, const Kernel& kernel) {
  backend::parallel_for("haloheap::test::kernel", Kokkos::RangePolicy<backend::Exec>(dual.exec(), 0, 1),
                        kernel);
}

/// Nobody says that such a kernel uses the elements: it stands on the instance, and that is enough.
TEST_P(CoherenceQueues, kernels_on_the_instance_of_a_dual_view_need_no_fence) {
  if (!GetParam().entry().keeps_copies) GTEST_SKIP() << "copies do not last";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(GetParam().options());
    Vector<Value> v(context, "v", 20);
    v.fill(7);
    Value seen = 0, seen_later = 0;
    {
      DualView dual(v);
      dual.sync_device();
      launch(dual, CopyFirst{dual.view_device().data(), &seen});
      dual.view_host()(0) = 8;
      dual.modify_host();
      dual.sync_device();
      launch(dual, CopyFirst{dual.view_device().data(), &seen_later});
      launch(dual, SetTo{dual.view_device().data()});
      dual.modify_device();
      dual.sync_host();
      EXPECT_EQ(dual.view_host()(0), 5U) << "seed " << seed;
    }
    context.fence();
    EXPECT_EQ(seen, 7U) << "seed " << seed;
    EXPECT_EQ(seen_later, 8U) << "seed " << seed;
  }
}

/// Whether they were announced before they were launched or after.
TEST_P(CoherenceQueues, kernels_that_follow_modify_device_are_waited_for) {
  if (!GetParam().entry().keeps_copies) GTEST_SKIP() << "copies do not last";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(GetParam().options());
    Vector<Value> v(context, "v", 20);
    v.fill(7);
    {
      DualView dual(v);
      dual.sync_device();
      dual.modify_device();
      launch(dual, SetTo{dual.view_device().data()});
      dual.sync_host();
      EXPECT_EQ(dual.view_host()(0), 5U) << "seed " << seed;
      dual.modify_device();
      launch(dual, SetTo{dual.view_device().data() + 1});
      EXPECT_EQ(std::as_const(v)[1], 5U) << "by who knows of no DualView, seed " << seed;
      dual.modify_device();
      launch(dual, SetTo{dual.view_device().data() + 2});
    }
    EXPECT_EQ(std::as_const(v)[2], 5U) << "after its end, seed " << seed;
  }
}

TEST_P(CoherenceQueues, kernels_beside_other_uses_of_a_container_read_what_they_should) {
  if (!GetParam().entry().keeps_copies) GTEST_SKIP() << "copies do not last";
  ContextOptions options = GetParam().options();
  options.instances = 2;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(options);
    Vector<Value> v(context, "v", 20);
    v.fill(7);
    std::array<Value, 4> seen{};
    map(Workers{0, 1, 1}, "haloheap::test::affine", v, Affine{}, v);
    {
      DualView dual(v);
      EXPECT_FALSE(dual.need_sync_device());
      launch(dual, CopyFirst{dual.view_device().data(), &seen[0]});
      map(Workers{0, 1, 1}, "haloheap::test::affine", v, Affine{}, v);
      dual.sync_device();
      launch(dual, CopyFirst{dual.view_device().data(), &seen[1]});
      v[0] = 8;
      map(Workers{0, 1, 1}, "haloheap::test::affine", v, Affine{}, v);
      dual.sync_device();
      launch(dual, CopyFirst{dual.view_device().data(), &seen[2]});
    }
    v[0] = 9;
    map(Workers{0, 1, 1}, "haloheap::test::affine", v, Affine{}, v);
    DualView(v).sync_device();
    context.fence();
    EXPECT_EQ(seen, (std::array<Value, 4>{22, 67, 25, 0})) << "seed " << seed;
    EXPECT_EQ(std::as_const(v)[0], 28U) << "seed " << seed;
  }
}

TEST_P(CoherenceQueues, a_sync_of_a_dual_view_blocks_wherever_the_elements_come_from) {
  if (!GetParam().entry().keeps_copies) GTEST_SKIP() << "copies do not last";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const EmulatedQueues queues(seed);
    Context context(GetParam().options());
    Vector<Value> v(context, "v", 20), w(context, "w", 20);
    v.fill(7);
    DualView dual(v);
    map(one_device(context.devices() - 1), "haloheap::test::affine", v, Affine{}, v);
    dual.sync_device();
    EXPECT_EQ(dual.view_device().data()[19], 22U) << "seed " << seed;
    dual.sync_host();
    map(all_devices, "haloheap::test::affine", w, Affine{}, v);
    dual.sync_host();
    dual.view_host()(10) = 2;  // no copy from there is under way any more
    EXPECT_EQ(std::as_const(w)[10], 67U) << "seed " << seed;
  }
}

std::vector<Setting> settings_with_devices() {
  std::vector<Setting> all = all_settings();
  std::erase_if(all, [](const Setting& setting) { return setting.devices == 0; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceQueues, ::testing::ValuesIn(settings_with_devices()),
                         [](const auto& parameter) { return name_of(parameter.param); });

}  // namespace
}  // namespace haloheap::coherence
