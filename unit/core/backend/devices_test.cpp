// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Several devices of one process: all that there are, or a few emulated ones. In a program of its own: once
// Kokkos has used several devices, each global fence leaves another one current than Kokkos' own.
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/peer.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace haloheap::backend {
namespace {

using Range = Kokkos::RangePolicy<Exec>;
using Numbers = std::vector<int>;

constexpr int size = 1 << 20;
constexpr std::size_t bytes = size * sizeof(int);

struct Count {
  int* values;
  int first;
  KOKKOS_FUNCTION void operator()(int i) const { values[i] = first + i; }
};

struct AddTo {
  const int* from;
  int* to;
  KOKKOS_FUNCTION void operator()(int i) const { to[i] += from[i]; }
};

int devices() {
  return kernels_on_host ? 3 : device_count();
}

Numbers counted_from(int first) {
  Numbers numbers(size);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// A queue and numbers on one device.
class OnDevice {
 public:
  explicit OnDevice(int number)
      : device(number),
        instance(Priority::low, number),
        values(std::make_shared<memory::detail::BackendResource>(MemoryKind::device, number),
               "haloheap::unit::values", size) {}

  const Exec& exec() const { return instance.exec(); }
  int* data() const { return values.data(); }
  void count(int first) const {
    Kokkos::parallel_for("haloheap::unit::count", Range(exec(), 0, size), Count{data(), first});
  }
  void add(const int* from) const {
    Kokkos::parallel_for("haloheap::unit::add", Range(exec(), 0, size), AddTo{from, data()});
  }
  Numbers content() const {
    Numbers numbers(size);
    copy_async(exec(), numbers.data(), data(), bytes);
    exec().fence("haloheap::unit::content");
    return numbers;
  }

  const int device;
  const Instance instance;
  const memory::Array<int> values;
};

/// Calls it for all pairs of devices, of one with itself too.
void for_all_pairs(const std::function<void(const OnDevice&, const OnDevice&)>& call) {
  for (int a = 0; a < devices(); ++a) {
    for (int b = 0; b < devices(); ++b) {
      SCOPED_TRACE(std::to_string(a) + " and " + std::to_string(b));
      const OnDevice first(a), second(b);
      call(first, second);
    }
  }
}

TEST(Devices, each_runs_the_kernels_of_its_instance_on_its_memory) {
  std::vector<std::unique_ptr<OnDevice>> all;
  for (int device = 0; device < devices(); ++device) all.push_back(std::make_unique<OnDevice>(device));
  for (const auto& each : all) each->count(100 * each->device);  // at the same time
  for (const auto& each : all) EXPECT_EQ(each->content(), counted_from(100 * each->device)) << each->device;
}

TEST(Devices, instances_come_and_go_without_a_change_of_the_current_one) {
  const int before = current_device();
  for (int device = 0; device < devices(); ++device) {
    auto instance = std::make_unique<Instance>(Priority::high, device);
    EXPECT_EQ(current_device(), before) << device;
    instance.reset();
    EXPECT_EQ(current_device(), before) << device;
  }
}

TEST(Devices, are_refused_where_there_are_none) {
  std::vector<int> wrong{-1};
  if (!kernels_on_host) wrong.push_back(device_count());
  for (const int device : wrong) {
    EXPECT_THROW(require_device(device), CapabilityError) << device;
    EXPECT_THROW(Instance(Priority::low, device), CapabilityError) << device;
    EXPECT_THROW(memory::detail::BackendResource(MemoryKind::device, device).allocate(8), CapabilityError)
        << device;
  }
  for (int device = 0; device < devices(); ++device) EXPECT_NO_THROW(require_device(device)) << device;
}

TEST(DevicesMemory, says_whose_it_is) {
  for (int device = 0; device < devices(); ++device) {
    EXPECT_EQ(memory::detail::BackendResource(MemoryKind::device, device).properties().device, device);
    EXPECT_EQ(memory::detail::BackendResource(MemoryKind::managed, device).properties().device, device);
    EXPECT_EQ(memory::detail::BackendResource(MemoryKind::pinned, device).properties().device, -1);
  }
  EXPECT_EQ(memory::detail::BackendResource(MemoryKind::device).properties().device, current_device());
}

TEST(DevicesMemory, is_out_by_the_name_of_its_device) {
  for (int device = 0; device < devices(); ++device) {
    memory::detail::BackendResource resource(MemoryKind::device, device);
    try {
      resource.deallocate(resource.allocate(std::numeric_limits<std::size_t>::max() / 4));
      FAIL() << device;
    } catch (const OutOfMemory& error) {
      const std::string place =
          ", device " + std::to_string(device) + (kernels_on_host ? " (emulated) has " : " has ");
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
}

TEST(DevicesEvent, of_one_is_waited_for_by_the_instance_of_another) {
  Event done, back;  // from device to device, too
  for_all_pairs([&](const OnDevice& first, const OnDevice& second) {
    for (int round = 1; round <= 5; ++round) {
      first.count(round);
      done.record(first.exec());
      done.wait_on(second.exec());
      copy_peer_async(second.exec(), second.data(), second.device, first.data(), first.device, bytes);
      back.record(second.exec());
      back.wait_on(first.exec());
    }
    first.count(0);
    back.wait_on_host();
    EXPECT_TRUE(back.ready());
    EXPECT_EQ(second.content(), counted_from(5));
    EXPECT_EQ(first.content(), counted_from(0));
  });
}

TEST(DevicesEvent, keeps_time_on_each) {
  Event begin(Timing::on), end(Timing::on);
  for (int device = 0; device < devices(); ++device) {
    const OnDevice on(device);
    const auto before = std::chrono::steady_clock::now();
    begin.record(on.exec());
    on.count(1);
    end.record(on.exec());
    end.wait_on_host();
    const std::chrono::duration<double> outside = std::chrono::steady_clock::now() - before;
    EXPECT_GE(seconds_between(begin, end), 0) << device;
    EXPECT_LE(seconds_between(begin, end), 1.01 * outside.count()) << device;
  }
}

TEST(DevicesEvent, is_ready_before_it_is_recorded) {
  const Event event;
  EXPECT_TRUE(event.ready());
  event.wait_on_host();
  for (int device = 0; device < devices(); ++device) {
    const OnDevice on(device);
    event.wait_on(on.exec());
    on.count(device);
    EXPECT_EQ(on.content(), counted_from(device));
  }
}

TEST(CopyPeerAsync, brings_bytes_from_each_device_to_each_by_an_instance_of_either) {
  for_all_pairs([](const OnDevice& first, const OnDevice& second) {
    for (const OnDevice* by : {&first, &second}) {
      first.count(3);
      second.count(0);
      for (const OnDevice* each : {&first, &second}) each->exec().fence("haloheap::unit::counted");
      copy_peer_async(by->exec(), second.data() + 10, second.device, first.data() + 5, first.device, 400);
      copy_peer_async(by->exec(), second.data(), second.device, first.data(), first.device, 0);
      by->exec().fence("haloheap::unit::copied");
      Numbers expected = counted_from(0);
      std::iota(expected.begin() + 10, expected.begin() + 110, 8);
      EXPECT_EQ(second.content(), expected);
    }
  });
}

/// 50 rows of 20 numbers of 1000 in a row to rows that are 130 apart.
void copy_rows(const OnDevice& to, const OnDevice& from) {
  copy_rows_peer_async(to.exec(), to.data() + 7, to.device, 130 * sizeof(int), from.data() + 3, from.device,
                       1000 * sizeof(int), 20 * sizeof(int), 50);
  copy_rows_peer_async(to.exec(), to.data(), to.device, 130 * sizeof(int), from.data(), from.device,
                       1000 * sizeof(int), 20 * sizeof(int), 0);
}

TEST(CopyRowsPeerAsync, brings_rows_from_each_device_to_each_and_nothing_between_them) {
  for_all_pairs([](const OnDevice& first, const OnDevice& second) {
    first.count(1);
    second.count(0);
    first.exec().fence("haloheap::unit::counted");
    copy_rows(second, first);
    Numbers expected = counted_from(0);
    for (int row = 0; row < 50; ++row)
      std::iota(expected.begin() + 7 + 130 * row, expected.begin() + 27 + 130 * row, 4 + 1000 * row);
    EXPECT_EQ(second.content(), expected);
    EXPECT_EQ(first.content(), counted_from(1));
  });
}

TEST(Peer, reaches_the_memory_of_another_device_once_it_is_enabled) {
  for (int device = 0; device < devices(); ++device) {
    EXPECT_NE(peer_unavailable_reason(device, device), "");
    EXPECT_NE(peer_unavailable_reason(device, -1), "");
    EXPECT_NE(peer_unavailable_reason(-1, device), "");
  }
  for_all_pairs([](const OnDevice& first, const OnDevice& second) {
    if (!peer_unavailable_reason(second.device, first.device).empty()) return;
    enable_peer(second.device, first.device);
    enable_peer(second.device, first.device);  // again is no error
    first.count(1);
    second.count(2);
    first.exec().fence("haloheap::unit::counted");
    second.add(first.data());
    Numbers expected(size);
    for (int i = 0; i < size; ++i) expected[static_cast<std::size_t>(i)] = 3 + 2 * i;
    EXPECT_EQ(second.content(), expected);
  });
}

}  // namespace
}  // namespace haloheap::backend
