// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Several host threads use different elements of one context. A program of its own, so that it can be run
// alone where races are looked for (preset tsan).
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/coherence/dual_view.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <thread>

namespace haloheap::coherence {
namespace {

/// Kokkos' backend Threads launches kernels from the thread that started it, and throws in any other.
#ifdef KOKKOS_ENABLE_THREADS
constexpr bool any_thread_launches = !std::is_same_v<Context::Exec, Kokkos::Threads>;
#else
constexpr bool any_thread_launches = true;
#endif

struct AddFirst {
  KOKKOS_FUNCTION int operator()(ElementIndex, const int* whole, int x) const { return x + whole[0]; }
};
struct Difference {
  KOKKOS_FUNCTION int operator()(int x, int y) const { return x - y; }
};
struct PlaceOf {
  KOKKOS_FUNCTION int operator()(ElementIndex plane, ElementIndex row, ElementIndex column) const {
    return static_cast<int>(100 * plane + 10 * row + column);
  }
};
struct Middle {
  KOKKOS_FUNCTION int operator()(const Window<int>& w) const { return w(-1) + w(0) + w(1); }
};
struct Up {
  KOKKOS_FUNCTION int operator()(const TileWindow<int>& w) const { return w(-1, 0) + 1; }
};
struct Pairs {
  struct Sum {
    int value = 0;
    KOKKOS_FUNCTION void operator+=(const Sum& other) { value += other.value; }
  };
  KOKKOS_FUNCTION void pair(ElementIndex, const int* x, ElementIndex j, Sum& sum) const { sum.value += x[j]; }
  KOKKOS_FUNCTION int result(ElementIndex, const int*, const Sum& sum, int before) const {
    return sum.value + before;
  }
};

/// Calls work(0), ..., work(count - 1), each from a thread of its own.
template <class Work>
void in_threads(int count, const Work& work) {
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&work, number] { EXPECT_NO_THROW(work(number)) << "thread " << number; });
  for (std::thread& thread : threads) thread.join();
}

std::vector<Setting> settings_of_threads() {
  std::vector<Setting> settings;
  for (const Setting& setting : all_settings())
    if (setting.devices == 0 || setting.devices == 2) settings.push_back(setting);
  return settings;
}

class CoherenceThreads : public testing::TestWithParam<Setting> {};

/// The results of one call of each kind, of elements that no other thread uses.
int all_calls(Context& context, const Workers& workers, int number) {
  const ElementIndex size = 5000;
  int wrong = 0;
  const auto expect = [&](bool right) { wrong += right ? 0 : 1; };
  Vector<int> x(context, "x", size), y(context, "y", size);
  map_index(workers, "haloheap::test::index", x, IndexOf{});
  map(workers, "haloheap::test::add_one", y, AddOne{}, x);
  expect(y[number] == number + 1);
  const int sum = static_cast<int>(size * (size - 1) / 2);
  expect(reduce(workers, "haloheap::test::sum", Sum<int>{}, x) == sum);
  expect(map_reduce<int>(workers, "haloheap::test::max", Max<int>{}, AddOne{}, y) == size + 1);
  scan(workers, "haloheap::test::scan", Sum<int>{}, Scan::inclusive, y, x);
  expect(y[size - 1] == sum && y[number] == number * (number + 1) / 2);
  map_array(workers, "haloheap::test::add_first", y, AddFirst{}, x, y);
  map_overlap(workers, "haloheap::test::middle", y, Middle{}, 1, Edge<int>{}, x);
  expect(y[10 + number] == 3 * (10 + number));
  map_pairs_reduce(workers, "haloheap::test::pairs", y.slice(0, 50), Pairs{}, x.slice(0, 50), x.slice(0, 50));
  expect(y[number] == 49 * 25 + number);
  Matrix<int> m(context, "m", 20, 30), n(context, "n", 20, 30);
  m.fill(number);
  map_overlap(workers, "haloheap::test::up", n, Up{}, 1, Edge<int>{}, m);
  expect(std::as_const(n)(7, 7) == number + 1);
  map(workers, "haloheap::test::add_one", m, AddOne{}, n);
  expect(reduce(workers, "haloheap::test::sum", Sum<int>{}, m) == 20 * 30 * (number + 2));
  Tensor3<int> t(context, "t", 5, 6, 7);
  map_index(workers, "haloheap::test::place", t, PlaceOf{});
  expect(std::as_const(t)(4, 5, number % 7) == 450 + number % 7);
  map_pairs(workers, "haloheap::test::pairs", n, Difference{}, x.begin() + 100, x.begin());
  expect(std::as_const(n)(7, number) == 107 - number);
  return wrong;
}

TEST_P(CoherenceThreads, all_calls_may_be_made_at_once) {
  if (!any_thread_launches) GTEST_SKIP() << "kernels are launched from one thread only";
  Context context(GetParam().options());
  std::atomic<int> wrong{0};
  in_threads(4, [&](int number) {
    const Workers workers = number == 3 ? the_host : all_devices;
    for (int i = 0; i < 4; ++i) wrong += all_calls(context, workers, number);
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(CoherenceThreads, each_reduction_has_partial_results_of_its_own) {
  if (!any_thread_launches) GTEST_SKIP() << "kernels are launched from one thread only";
  ContextOptions options = GetParam().options();
  options.check_uses =
      false;  // which would find that one vector is used by two calls, where sums are wrong otherwise
  Context context(options);
  constexpr ElementIndex size = 50000;
  std::atomic<int> wrong{0};
  in_threads(3, [&](int number) {
    Vector<double> v(context, "v", size * (number + 1)), sums(context, "sums", size);
    v.fill(number + 1);
    const auto expected = static_cast<double>(v.size()) * (number + 1);
    for (int i = 0; i < 12; ++i) {
      if (reduce(all_devices, "haloheap::test::sum", Sum<double>{}, v) != expected) ++wrong;
      scan(all_devices, "haloheap::test::scan", Sum<double>{}, Scan::exclusive, sums, v.slice(0, size));
      if (sums[size - 1] != static_cast<double>(size - 1) * (number + 1)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

/// Also where one thread launches all kernels: no lock guards what is lent but that of the context.
TEST(CoherenceLending, one_borrower_at_a_time) {
  Context context(ContextOptions{.devices = 0});
  std::atomic<int> made{0};
  constexpr int threads = 4, rounds = 300;
  in_threads(threads, [&](int) {
    for (int i = 0; i < rounds; ++i) {
      std::shared_ptr<void> thing = detail::ElementStore(context).lend(typeid(int));
      if (!thing) {
        thing = std::make_shared<int>(0);
        ++made;
      }
      ++*static_cast<int*>(thing.get());
      detail::ElementStore(context).give_back(typeid(int), std::move(thing));
    }
  });
  EXPECT_LE(made, threads);
  int sum = 0;
  for (std::shared_ptr<void> thing; (thing = detail::ElementStore(context).lend(typeid(int)));)
    sum += *static_cast<int*>(thing.get());
  EXPECT_EQ(sum, threads * rounds);
}

/// Elements of one vector that belong to one thread, and what they have to be.
class Owner {
 public:
  Owner(Vector<int>& vector, ElementIndex begin, ElementIndex size, unsigned seed)
      : vector_(vector), begin_(begin), values_(static_cast<std::size_t>(size), 0), random_(seed) {}

  /// Some use, on the host or a device. Returns the number of wrong elements.
  int step() {
    const ElementIndex size = static_cast<ElementIndex>(values_.size());
    const ElementIndex a = below(size), b = a + 1 + below(size - a);
    const int devices = vector_.context().devices();
    const bool on_a_device = devices > 0 && below(3) != 0;
    const Place place = on_a_device ? on_device(static_cast<int>(below(devices))) : on_host;
    switch (below(on_a_device ? 3 : 7)) {
      case 0:
        return on_a_device ? check(std::as_const(vector_).read(place, begin_ + a, begin_ + b), a)
                           : check(std::as_const(vector_).read(begin_ + a, begin_ + b), a);
      case 1:
        return on_a_device ? fill(vector_.write(place, begin_ + a, begin_ + b), a)
                           : fill(vector_.write(begin_ + a, begin_ + b), a);
      case 2:
        return on_a_device ? change(vector_.read_write(place, begin_ + a, begin_ + b), a)
                           : change(vector_.read_write(begin_ + a, begin_ + b), a);
      case 3:
        vector_[begin_ + a] = value(a) = ++newest_;
        return 0;
      case 4:
        vector_[begin_ + a] += 3;
        value(a) += 3;
        return 0;
      default:
        return std::as_const(vector_)[begin_ + a] == value(a) ? 0 : 1;
    }
  }

 private:
  ElementIndex below(ElementIndex limit) {
    return static_cast<ElementIndex>(random_() % static_cast<unsigned>(limit));
  }
  int& value(ElementIndex i) { return values_[static_cast<std::size_t>(i)]; }

  template <class A>
  int check(const A& use, ElementIndex first) {
    int wrong = 0;
    for (ElementIndex i = 0; i < use.size(); ++i) wrong += use.data()[i] == value(first + i) ? 0 : 1;
    return wrong;
  }
  /// As a kernel would: devices are emulated, or this is not called.
  template <class A>
  int fill(const A& use, ElementIndex first) {
    for (ElementIndex i = 0; i < use.size(); ++i) use.data()[i] = value(first + i) = ++newest_;
    return 0;
  }
  template <class A>
  int change(const A& use, ElementIndex first) {
    return check(use, first) + fill(use, first);
  }

  Vector<int>& vector_;
  ElementIndex begin_;
  std::vector<int> values_;
  std::mt19937 random_;
  int newest_ = 0;
};

/// With room for all, and with so little that threads evict what others have used.
TEST_P(CoherenceThreads, disjoint_elements_may_be_used_at_once) {
  if (GetParam().devices > 0 && !backend::kernels_on_host) GTEST_SKIP() << "the host uses device memory here";
  constexpr int threads = 4;
  constexpr ElementIndex each = 48;
  for (const std::size_t capacity : {unlimited, threads * each * sizeof(int)}) {
    ContextOptions options = GetParam().options();
    options.capacity = capacity;
    // Found overlaps would hide what happens without the checks.
    options.check_uses = capacity == unlimited;
    Context context(options);
    Vector<int> v(context, "v", threads * each);
    v.fill(0);
    std::atomic<int> wrong{0};
    in_threads(threads, [&](int number) {
      Owner owner(v, number * each, each, static_cast<unsigned>(number));
      for (int i = 0; i < 400; ++i) wrong += owner.step();
    });
    EXPECT_EQ(wrong, 0) << capacity;
  }
}

/// Containers come and go, and calls of the main thread run beside uses of others.
TEST_P(CoherenceThreads, containers_come_and_go_beside_calls) {
  ContextOptions options = GetParam().options();
  options.capacity = 64000;
  Context context(options);
  std::atomic<int> wrong{0};
  std::thread other([&] {
    for (int i = 0; i < 60; ++i) {
      Vector<int> v(context, "v", 100 + i);
      v.fill(i);
      if (context.devices() > 0) (void)v.read(on_device(i % context.devices()), 10, 20);
      v[i] += 1;
      v.resize(200);
      std::vector<int> mine(30, i);
      {
        Vector<int> adopted(context, "adopted", mine.data(), 30);
        adopted[3]++;
        if (context.devices() > 0) (void)adopted.read_write(on_device(0));
        if (GetParam().entry().keeps_copies) DualView(adopted).sync_host();
      }
      if (mine[3] != i + 1 || mine[4] != i) ++wrong;
      v.push_back(i);
      v.erase(v.begin() + 150, v.end());
      v.flush();
      if (std::as_const(v)[i] != i + 1 || v.statistics().hits + v.statistics().misses == 0) ++wrong;
    }
  });
  for (int i = 0; i < 8; ++i) wrong += all_calls(context, all_devices, i);
  other.join();
  context.fence();
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceThreads, testing::ValuesIn(settings_of_threads()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
