// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heaps on two devices of one process: for backends whose devices can be chosen.
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/backend/device_guard.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/allocators/blocks.hpp>

namespace haloheap::allocators {
namespace {

using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>;

struct Fill {
  SlabWalk::Handle heap;
  Block* blocks;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    const std::size_t bytes = 16 + i % 100;
    blocks[i] = {static_cast<unsigned char*>(heap.allocate(bytes)), bytes};
    for (std::size_t b = 0; blocks[i].data != nullptr && b < bytes; ++b) blocks[i].data[b] = stamp(i, b);
  }
};

/// Counts blocks that are not there, or not as they were written, and gives them back.
struct Empty {
  SlabWalk::Handle heap;
  Block* blocks;
  unsigned* wrong;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    bool right = blocks[i].data != nullptr;
    for (std::size_t b = 0; right && b < blocks[i].bytes; ++b) right = blocks[i].data[b] == stamp(i, b);
    if (!right) Kokkos::atomic_inc(wrong);
    heap.deallocate(blocks[i].data);
  }
};

/// A heap, and all that a test of it needs, on one device.
class OnDevice {
 public:
  static constexpr unsigned threads = 100'000;

  explicit OnDevice(int device)
      : guard_(device),
        memory_(memory::make_memory_resource("device")),
        instance_(backend::Priority::low),
        heap_(exec(), {.bytes = std::size_t{64} << 20, .label = "of a device", .memory = memory_}),
        blocks_(memory_, "haloheap::test::blocks", threads),
        wrong_(memory_, "haloheap::test::wrong", 1) {
    Kokkos::deep_copy(exec(), wrong_.view(), 0U);
  }

  const Exec& exec() const { return instance_.exec(); }
  void fill() { run(Fill{heap_.handle(), blocks_.view().data()}); }
  void empty() { run(Empty{heap_.handle(), blocks_.view().data(), wrong_.view().data()}); }
  unsigned wrong() const { return fetch(exec(), wrong_.view().data(), 1).front(); }
  HeapStatistics statistics() const { return heap_.statistics(exec()); }

 private:
  template <class Kernel>
  void run(const Kernel& kernel) {
    Kokkos::parallel_for("haloheap::test::on_device", Policy(exec(), 0, threads), kernel);
  }

  // The device is current while memory and instance are made, and need not stay so: Kokkos changes it.
  backend::DeviceGuard guard_;
  std::shared_ptr<memory::MemoryResource> memory_;
  backend::Instance instance_;
  SlabWalk heap_;
  memory::Array<Block> blocks_;
  memory::Array<unsigned> wrong_;
};

TEST(TwoDevices, HaveHeapsOfTheirOwnInOneProcess) {
  if (backend::device_count() < 2) GTEST_SKIP() << "there is no second device";
  OnDevice first(0), second(1);
  for (OnDevice* device : {&first, &second}) device->fill();  // at the same time
  for (OnDevice* device : {&first, &second}) {
    EXPECT_GT(device->statistics().in_use, 0U);
    device->empty();
    EXPECT_EQ(device->wrong(), 0U);
    EXPECT_EQ(device->statistics().in_use, 0U);
    EXPECT_EQ(device->statistics().failures, 0U);
  }
}

}  // namespace
}  // namespace haloheap::allocators
