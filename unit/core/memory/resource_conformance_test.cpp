// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every memory resource promises. A new resource is tested by standing in the list.
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include "bytes.hpp"
#include <cstdint>
#include <random>
#include <thread>

namespace haloheap::testing {
namespace {

class ResourceConformance : public ::testing::TestWithParam<memory::ResourceEntry> {
 protected:
  void SetUp() override {
    if (!GetParam().available()) GTEST_SKIP() << GetParam().name << ": " << GetParam().unavailable_reason();
    resource = memory::make_memory_resource(GetParam().name);
  }

  std::shared_ptr<memory::MemoryResource> resource;
};

std::uintptr_t address(const memory::Allocation& block) {
  return reinterpret_cast<std::uintptr_t>(block.data);
}

TEST_P(ResourceConformance, has_the_name_and_help_of_its_list_entry) {
  EXPECT_EQ(resource->name(), GetParam().name);
  EXPECT_FALSE(GetParam().help.empty());
}

TEST_P(ResourceConformance, is_accessible_to_someone_and_gives_the_default_alignment) {
  const backend::Properties properties = resource->properties();
  EXPECT_TRUE(properties.device_accessible || properties.host_accessible);
  EXPECT_GE(properties.max_alignment, backend::default_alignment);
}

TEST_P(ResourceConformance, aligns_every_size_to_every_alignment_it_offers) {
  for (std::size_t alignment = 1; alignment <= resource->properties().max_alignment; alignment *= 2) {
    for (const std::size_t bytes : {1, 3, 255, 256, 257, 4096, 10007, (4 << 20) + 1}) {
      const memory::Allocation block = resource->allocate(bytes, alignment, "aligned");
      EXPECT_EQ(address(block) % alignment, 0U) << bytes << " bytes aligned to " << alignment;
      EXPECT_EQ(block.bytes, bytes);
      EXPECT_EQ(block.alignment, alignment);
      resource->deallocate(block);
    }
  }
}

// One alone may lie well by chance, and large blocks may come from elsewhere than small ones. Of many sizes,
// so that no regular distance from one to the next keeps them well.
TEST_P(ResourceConformance, aligns_large_blocks_side_by_side) {
  const std::size_t alignment = resource->properties().max_alignment;
  std::vector<memory::Allocation> blocks;
  for (std::size_t mib = 2; mib <= 12; mib += 2)
    blocks.push_back(resource->allocate(mib << 20, alignment, "large"));
  for (const memory::Allocation& block : blocks) {
    EXPECT_EQ(address(block) % alignment, 0U) << block.bytes << " bytes aligned to " << alignment;
    resource->deallocate(block);
  }
}

TEST_P(ResourceConformance, refuses_an_alignment_it_cannot_give) {
  const std::size_t too_large = 2 * resource->properties().max_alignment;
  for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{257}, too_large}) {
    try {
      resource->deallocate(resource->allocate(64, alignment, "odd"));
      FAIL() << "aligned to " << alignment;
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("'" + GetParam().name + "' cannot align 'odd' to " + std::to_string(alignment) +
                          " bytes"),
                std::string::npos)
          << text;
    }
  }
}

TEST_P(ResourceConformance, zero_bytes_have_an_address_of_their_own) {
  const memory::Allocation first = resource->allocate(0);
  const memory::Allocation second = resource->allocate(0);
  const memory::Allocation third = resource->allocate(1);
  EXPECT_NE(first.data, nullptr);
  EXPECT_NE(first.data, second.data);
  EXPECT_NE(second.data, third.data);
  EXPECT_EQ(first.bytes, 0U);
  for (const memory::Allocation& block : {first, second, third}) resource->deallocate(block);
}

TEST_P(ResourceConformance, ignores_the_release_of_nothing) {
  resource->deallocate(memory::Allocation{});
  const memory::Allocation block = resource->allocate(8);
  EXPECT_NE(block.data, nullptr);
  resource->deallocate(block);
}

TEST_P(ResourceConformance, keeps_what_was_written_by_whoever_it_says_can_write) {
  const backend::Properties properties = resource->properties();
  for (const std::size_t bytes : {1, 100, 4097, 1 << 20, (5 << 20) + 3}) {
    const memory::Allocation block = resource->allocate(bytes, backend::default_alignment, "written");
    if (properties.host_accessible) {
      std::memset(block.data, 17, bytes);
      EXPECT_TRUE(holds_only(*resource, block, 17));
    }
    if (properties.device_accessible) {
      EXPECT_TRUE(!properties.host_accessible || count_others_from_kernel(block, 17) == 0);
      fill_from_kernel(block, 42);
      EXPECT_EQ(count_others_from_kernel(block, 42), 0U);
      EXPECT_TRUE(holds_only(*resource, block, 42));
    }
    resource->deallocate(block);
  }
}

TEST_P(ResourceConformance, live_blocks_do_not_overlap) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> size(0, 5000);
  std::vector<memory::Allocation> blocks;
  for (int i = 0; i < 150; ++i) {
    blocks.push_back(resource->allocate(size(random)));
    fill(*resource, blocks.back(), static_cast<Byte>(i));
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) resource->deallocate(blocks[i]);
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    blocks[i] = resource->allocate(size(random));
    fill(*resource, blocks[i], static_cast<Byte>(i));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(holds_only(*resource, blocks[i], static_cast<Byte>(i))) << "block " << i;
  }
  for (const memory::Allocation& block : blocks) resource->deallocate(block);
}

/// Every thread keeps a few blocks alive; returns how many it found changed by another thread.
int churn(memory::MemoryResource& resource, Byte mark) {
  int damaged = 0;
  std::vector<memory::Allocation> blocks(8);
  for (std::size_t round = 0; round < 200; ++round) {
    memory::Allocation& block = blocks[round % blocks.size()];
    if (block.data != nullptr && resource.properties().host_accessible && !holds_only(resource, block, mark))
      ++damaged;
    resource.deallocate(block);
    block = resource.allocate(16 + 37 * round % 3000, 64, "churn");
    if (resource.properties().host_accessible) fill(resource, block, mark);
  }
  for (const memory::Allocation& block : blocks) resource.deallocate(block);
  return damaged;
}

TEST_P(ResourceConformance, serves_several_threads_at_once) {
  std::vector<int> damaged(4, -1);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < damaged.size(); ++t) {
    threads.emplace_back([&, t] { damaged[t] = churn(*resource, static_cast<Byte>(t + 1)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(damaged, std::vector<int>(4, 0));
}

TEST_P(ResourceConformance, throws_out_of_memory_for_an_absurd_size_and_lives_on) {
  const std::size_t host_total = backend::host_memory().total;
  for (const std::size_t bytes : {std::max(2 * host_total, std::size_t{1} << 46), SIZE_MAX / 2, SIZE_MAX}) {
    try {
      resource->deallocate(resource->allocate(bytes, backend::default_alignment, "absurd"));
      FAIL() << bytes << " bytes were allocated";
    } catch (const OutOfMemory& error) {
      const std::string text = error.what();
      EXPECT_EQ(error.bytes(), bytes);
      EXPECT_EQ(text.rfind("out of " + GetParam().name + " memory: 'absurd' needs " + std::to_string(bytes) +
                               " bytes, ",
                           0),
                0U)
          << text;
      EXPECT_NE(text.find(" free of "), std::string::npos) << text;
    }
  }
  const memory::Allocation block = resource->allocate(1000);
  fill(*resource, block, 3);
  EXPECT_TRUE(holds_only(*resource, block, 3));
  resource->deallocate(block);
}

template <class Space>
bool takes(const std::shared_ptr<memory::MemoryResource>& resource) {
  try {
    return Space(resource).resource() == resource;
  } catch (const UsageError&) {
    return false;
  }
}

TEST_P(ResourceConformance, fits_exactly_the_memory_spaces_that_its_properties_allow) {
  const backend::Properties properties = resource->properties();
  EXPECT_EQ(takes<memory::PageableSpace>(resource), properties.host_accessible);
  EXPECT_EQ(takes<memory::DeviceSpace>(resource), properties.device_accessible);
  EXPECT_EQ(takes<memory::SharedSpace>(resource), properties.host_accessible && properties.device_accessible);
}

TEST_P(ResourceConformance, carries_an_array_there_and_back) {
  const auto host = memory::make_memory_resource("pageable");
  const auto source = memory::make_array<double>(host, "source", 1001);
  const auto middle = memory::make_array<double>(resource, "middle", 1001);
  const auto target = memory::make_array<double>(host, "target", 1001);
  for (std::size_t i = 0; i < source.size(); ++i) source.data()[i] = 0.5 * static_cast<double>(i);
  const Kokkos::DefaultExecutionSpace execution;
  memory::deep_copy(execution, middle, source);
  memory::deep_copy(execution, target, middle);
  execution.fence();
  for (std::size_t i = 0; i < target.size(); ++i) ASSERT_EQ(target.data()[i], 0.5 * static_cast<double>(i));
  EXPECT_EQ(middle.host_accessible(), resource->properties().host_accessible);
}

INSTANTIATE_TEST_SUITE_P(List, ResourceConformance, ::testing::ValuesIn(memory::memory_resources()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace haloheap::testing
