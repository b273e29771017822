// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_measurement.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace haloheap {
namespace planted {

/// Forgets some of what is given back.
struct LeakySlabWalk {
  struct Handle {
    allocators::SlabWalk::Handle heap;
    KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return heap.allocate(bytes); }
    KOKKOS_FUNCTION void deallocate(void* block) const {
      if (reinterpret_cast<std::size_t>(block) % 1024 != 0) heap.deallocate(block);
    }
  };
  allocators::SlabWalk heap;

  LeakySlabWalk(const allocators::SlabWalk::Exec& exec, allocators::HeapConfig config)
      : heap(exec, std::move(config)) {}
  void reset(const allocators::SlabWalk::Exec& exec) { heap.reset(exec); }
  allocators::HeapStatistics statistics(const allocators::SlabWalk::Exec& exec) const {
    return heap.statistics(exec);
  }
  Handle handle() const { return {heap.handle()}; }
};

}  // namespace planted

namespace {

MallocSettings settings_of(const std::string& text) {
  return read_malloc(deck::load_text(app_schema(), "problem = 'malloc_sweep'\n" + text, "a.toml").point(0));
}

std::string cause(const std::string& text) {
  try {
    settings_of(text);
  } catch (const UsageError& error) {
    const std::string all = error.what();
    return all.substr(0, all.find('\n'));
  }
  return "";
}

MallocResult run(const std::string& text) {
  const auto memory = memory::make_memory_resource("device");
  return run_malloc({}, settings_of(text), memory, memory, [] {});
}

allocators::Promises promises_of(const std::string& allocator) {
  return settings_of("allocator.name = '" + allocator + "'\nmalloc.pattern = 'allocate'").allocator.promises;
}

/// Those that serve requests of so many bytes, and take them back.
std::vector<std::string> freeing_allocators(std::size_t bytes) {
  std::vector<std::string> names = lane_allocators();
  std::erase_if(names, [bytes](const std::string& name) {
    const allocators::Promises promises = promises_of(name);
    return !promises.frees || promises.largest < bytes;
  });
  return names;
}

TEST(Malloc, ReadsAllKeys) {
  const MallocSettings malloc = settings_of(
      "allocator = {name = 'slab_walk', pool = 0.5, page = 512, word = 64, seed = 7}\n"
      "malloc = {threads = 100, size = 16, largest = 48, pattern = 'churn', state = 'cold', rounds = 3, held "
      "= 5}\n"
      "run = {repetitions = 4, warmup = 2, verify = true}");
  EXPECT_EQ(malloc.allocator.name, "slab_walk");
  EXPECT_EQ(malloc.allocator.config.bytes, std::size_t{1} << 29);
  EXPECT_EQ(malloc.allocator.config.page_bytes, 512U);
  EXPECT_EQ(malloc.allocator.config.word_bits, 64U);
  EXPECT_EQ(malloc.allocator.seed, 7U);
  EXPECT_EQ(malloc.pattern, MallocPattern::churn);
  EXPECT_EQ(malloc.blocks(), 500);
  EXPECT_EQ(malloc.sizes.smallest, 16U);
  EXPECT_EQ(malloc.sizes.largest, 48U);
  EXPECT_TRUE(malloc.cold);
  EXPECT_TRUE(malloc.verify);
  EXPECT_EQ(malloc.rounds, 3);
  EXPECT_EQ(malloc.warm_ups, 2);
  EXPECT_EQ(settings_of("malloc = {threads = 100, held = 5}").blocks(), 100) << "only churn holds several";
}

TEST(Malloc, RefusesWhatCannotBe) {
  EXPECT_EQ(cause("allocator.page = 300"),
            "a.toml:2:18: allocator.page: a page of 300 bytes is not a power of two, 16 or more");
  EXPECT_EQ(cause("allocator.word = 48"), "a.toml:2:18: allocator.word: there are no words of 48 bits");
  EXPECT_EQ(cause("allocator = {pool = 0.0001, page = 1048576}"),
            "a.toml:2:21: allocator.pool: a pool of 107374 bytes has no room for a page of 1048576");
  EXPECT_EQ(cause("allocator = {name = 'slab_walk', pool = 1e-6, page = 16}"),
            "a.toml:2:41: allocator.pool: the heap 'heap' is to have 1073 bytes");
  EXPECT_EQ(cause("malloc = {size = 64, largest = 32}"),
            "a.toml:2:32: malloc.largest: 32 bytes are less than malloc.size = 64");
  EXPECT_EQ(cause("allocator.name = 'random_walk'\nmalloc.size = 257"),
            "a.toml:3:15: malloc.size: 'random_walk' serves no more than 256 bytes a request, not 257");
  EXPECT_EQ(cause("allocator.name = 'random_walk'\nmalloc.largest = 257"),
            "a.toml:3:18: malloc.largest: 'random_walk' serves no more than 256 bytes a request, not 257");
  EXPECT_EQ(
      cause("allocator.name = 'block_header'"),
      "a.toml:2:18: allocator.name: 'block_header' cannot run problem 'malloc_sweep': whole teams call it, "
      "and here each thread does for itself");
  EXPECT_EQ(cause("allocator.name = 'warp_header_over_native'"),
            "a.toml:2:18: allocator.name: 'warp_header_over_native' cannot run problem 'malloc_sweep': it is "
            "there for "
            "comparisons in other problems");
  EXPECT_EQ(cause("malloc = {pattern = 'churn', threads = 10000000, held = 1000}"),
            "a.toml:2:57: malloc.held: 10000000 threads with 1000 blocks each hold more than can be counted");
}

TEST(Malloc, RefusesWhatAnAllocatorCannotDo) {
  EXPECT_EQ(cause("allocator.name = 'bump'\nmalloc.pattern = 'churn'"),
            "a.toml:3:18: malloc.pattern: 'bump' frees nothing before a reset");
  EXPECT_EQ(cause("allocator.name = 'bump'\nmalloc = {pattern = 'allocate', free = 50.0}"),
            "a.toml:3:40: malloc.free: 'bump' frees nothing before a reset");
  EXPECT_EQ(cause("allocator.name = 'bump'\nmalloc.pattern = 'fill'"), "");
  EXPECT_EQ(cause("allocator.name = 'native'\nmalloc.pattern = 'fill'"),
            "a.toml:3:18: malloc.pattern: 'native' does not keep to its pool, and so is never full");
  EXPECT_EQ(
      cause("allocator.name = 'slab_walk'\nmalloc = {pattern = 'fill', size = 4}"),
      "a.toml:3:36: malloc.size: blocks that fill a pool hold a pointer, and 4 bytes have no room for it");
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {pattern = 'fill', free = 1.0}"),
            "a.toml:3:36: malloc.free: pattern \"fill\" starts with an empty pool");
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {state = 'cold', free = 1.0}"),
            "a.toml:3:34: malloc.free: a heap that is reset before each repetition is empty");
}

TEST(Malloc, EachPatternServesAllThatFits) {
  for (const std::string& name : freeing_allocators(600)) {
    const bool keeps_to_pool = promises_of(name).resets;
    const std::string base =
        "allocator = {name = '" + name + "', pool = 0.0078125}\nrun = {verify = true, repetitions = 2}\n";
    for (const std::string pattern : {"allocate", "allocate_free", "churn"}) {
      const auto result =
          run(base + "malloc = {threads = 333, size = 17, largest = 600, pattern = '" + pattern + "'}");
      EXPECT_EQ(result.served, pattern == "churn" ? 4 * 333U : 333U) << name << " " << pattern;
      EXPECT_EQ(result.failures, 0U) << name << " " << pattern;
      EXPECT_EQ(result.wrong, std::uint64_t{0}) << name << " " << pattern;
      EXPECT_EQ(result.lost, keeps_to_pool ? 0 : std::optional<std::size_t>())
          << name << " " << pattern << ": all was given back, if it knows";
      EXPECT_TRUE(verification_of(result).value().passed());
      EXPECT_FALSE(result.pass_over_packed) << "sizes differ";
      EXPECT_GE(result.block_distance.value(), 17U) << name << " " << pattern << ": the smallest request";
      EXPECT_GT(result.create, 0);
      EXPECT_EQ(result.allocate.size(), 2U) << "without the warm-up";
      EXPECT_EQ(result.free.size(), pattern == "allocate_free" ? 2U : 0U);
      EXPECT_EQ(result.churn.size(), pattern == "churn" ? 2U : 0U);
      if (keeps_to_pool) {
        EXPECT_GE(result.full.in_use, result.served_bytes) << name << " " << pattern;
      }
    }
  }
}

TEST(Malloc, OneLaneAsksForAWarp) {
  for (const std::string& name : freeing_allocators(200)) {
    const std::string base =
        "allocator = {name = '" + name +
        "', pool = 0.0078125}\nrun = {verify = true, repetitions = 2}\n"
        "malloc = {threads = 101, size = 17, largest = 200, callers = 'warps', pattern = '";
    const auto kept = run(base + "allocate_free'}");
    EXPECT_EQ(kept.served, 101U) << name << ": as many as warps";
    EXPECT_EQ(kept.wrong, std::uint64_t{0}) << name;
    EXPECT_EQ(kept.lost.value_or(0), 0U) << name;
    EXPECT_EQ(kept.allocate.size(), 2U) << name;
    EXPECT_EQ(kept.free.size(), 2U) << name;
    EXPECT_FALSE(kept.steps) << name << ": they would be those of lanes";
    const auto at_once = run(base + "free_at_once'}");
    EXPECT_EQ(at_once.served, 101U) << name;
    EXPECT_EQ(at_once.lost.value_or(0), 0U) << name;
    EXPECT_EQ(at_once.at_once.size(), 2U) << name;
  }
  EXPECT_EQ(malloc_passed_bytes(settings_of("malloc = {size = 64, callers = 'warps'}")), 0U);
}

TEST(Malloc, RefusesWhatWarpsCannotDo) {
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {callers = 'warps', pattern = 'churn'}"),
            "a.toml:3:21: malloc.callers: with pattern \"churn\" every thread asks");
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {callers = 'warps', pattern = 'fill'}"),
            "a.toml:3:21: malloc.callers: with pattern \"fill\" every thread asks");
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {callers = 'warps', occupancy = 'full'}"),
            "a.toml:3:21: malloc.callers: kernels in which warps ask have any occupancy");
  EXPECT_EQ(cause("allocator.name = 'slab_walk'\nmalloc = {callers = 'warps', threads = 100000000}"),
            "a.toml:3:40: malloc.threads: 100000000 warps have more threads than can be counted");
}

TEST(Malloc, FillsAPoolToTheLastBlock) {
  std::vector<std::string> names = page_allocators();
  // Of blocks, too, some leave no remainder.
  for (const char* of_blocks : {"slab_walk", "bump"}) names.emplace_back(of_blocks);
  for (const std::string& name : names) {
    const auto result = run("allocator = {name = '" + name +
                            "', pool = 0.0009765625}\nrun.verify = true\n"
                            "malloc = {threads = 7, size = 256, pattern = 'fill'}");
    EXPECT_EQ(result.served, (std::size_t{1} << 20) / 256) << name;
    EXPECT_EQ(result.served_bytes, std::size_t{1} << 20) << name;
    EXPECT_EQ(result.wrong, std::uint64_t{0}) << name;
    const bool frees = promises_of(name).frees;
    EXPECT_EQ(result.lost, frees ? 0 : std::optional<std::size_t>()) << name << ", where it frees";
    if (frees) {
      EXPECT_GT(result.holes.in_use, std::size_t{3} << 17) << name << ": about half is left";
      EXPECT_LT(result.holes.in_use, std::size_t{5} << 17) << name;
    }
  }
}

TEST(Malloc, StartsWithTheShareThatIsFree) {
  const std::string base = "allocator = {name = 'page_queue', pool = 0.0009765625}\n";
  const auto full = run(base + "malloc = {threads = 100, size = 256, free = 0.0}");
  EXPECT_EQ(full.served, 0U);
  EXPECT_EQ(full.failures, 100U);
  EXPECT_FALSE(full.pass_over_packed) << "there is nothing to pass over";
  EXPECT_FALSE(full.block_distance) << "there is no block";
  EXPECT_EQ(run(base + "malloc = {threads = 100, size = 256}").block_distance, 256U) << "a page each";
  const auto half = run(base + "malloc = {threads = 100, size = 256, free = 50.0}");
  EXPECT_EQ(half.served, 100U);
  EXPECT_NEAR(static_cast<double>(half.full.in_use), 0.5 * (1 << 20) + 100 * 256, 0.06 * (1 << 20));
}

TEST(Malloc, CountsRequestsThatGetNothing) {
  const auto result =
      run("allocator = {name = 'page_queue', pool = 0.0009765625, page = 4096}\n"
          "malloc = {threads = 300, size = 4096, pattern = 'churn', held = 1, rounds = 2}");
  EXPECT_EQ(result.served, 256U);
  EXPECT_GT(result.failures, 44U) << "44 at the start, and more in each round";
}

TEST(Malloc, StepsAreCountedWhereThereAreSome) {
  const std::string few =
      "malloc = {threads = 500, pattern = 'allocate'}\nrun = {repetitions = 1, warmup = 0}\n"
      "allocator = {pool = 0.001, name = '";
  allocators::DeviceAllocators::for_each([&]<class A>() {
    const auto steps = run(few + A::name + "'}").steps;
    ASSERT_EQ(steps.has_value(), CountsSteps<typename A::Handle>) << A::name;
    if (!steps) return;
    EXPECT_GE(steps->threads, 1) << A::name;
    EXPECT_GE(steps->warps, steps->threads) << A::name << ": the slowest of a warp";
  });
}

TEST(Malloc, BlocksAreGivenBackAtOnce) {
  for (const std::string& name : freeing_allocators(256)) {
    // Room for a few threads only: what one gives back the next one has.
    const auto result = run("allocator = {name = '" + name +
                            "', pool = 0.0001220703125}\nrun = {verify = true, repetitions = 3, warmup = 2}\n"
                            "malloc = {threads = 3000, size = 256, pattern = 'free_at_once'}");
    EXPECT_EQ(result.at_once.size(), 3U) << name;
    EXPECT_TRUE(result.allocate.empty() && result.free.empty()) << name;
    EXPECT_EQ(result.failures, 0U) << name;
    EXPECT_EQ(result.served, 3000U) << name;
    if (promises_of(name).resets) {
      EXPECT_EQ(result.lost, std::size_t{0}) << name;
    }
  }
  EXPECT_EQ(cause("allocator.name = 'bump'\nmalloc.pattern = 'free_at_once'"),
            "a.toml:3:18: malloc.pattern: 'bump' frees nothing before a reset");
}

TEST(Malloc, FindsWhatIsLost) {
  const auto memory = memory::make_memory_resource("device");
  for (const std::string pattern : {"allocate_free", "churn"}) {
    const auto settings = settings_of(
        "allocator = {name = 'slab_walk', pool = 0.0078125}\nrun.verify = true\n"
        "malloc = {threads = 500, size = 64, pattern = '" +
        pattern + "'}");
    const allocators::HeapConfig config = heap_config(settings.allocator, memory);
    const auto leaky = MallocMeasurement<planted::LeakySlabWalk>({}, settings, config, memory).run([] {});
    EXPECT_EQ(leaky.wrong, std::uint64_t{0});
    ASSERT_GE(leaky.lost.value(), 64U) << pattern;
    const report::Verification verification = verification_of(leaky).value();
    EXPECT_FALSE(verification.passed());
    EXPECT_EQ(verification.differs,
              fmt::format("{} bytes that are lost: in use although all was given back", *leaky.lost));
    const auto whole = MallocMeasurement<allocators::SlabWalk>({}, settings, config, memory).run([] {});
    EXPECT_EQ(whole.lost, std::size_t{0}) << pattern;
  }
}

TEST(Malloc, ASoakWithGrowingSlabsLosesNothing) {
  const auto result = run(
      "allocator = {name = 'slab_walk', pool = 0.0009765625}\nrun = {verify = true, repetitions = 1, warmup "
      "= 0}\nmalloc = {threads = 100, size = 16, largest = 4096, pattern = 'churn', rounds = 500}");
  EXPECT_GT(result.failures, 0U) << "the pool is full at times";
  EXPECT_EQ(result.lost, std::size_t{0});
  EXPECT_EQ(result.wrong, std::uint64_t{0});
}

TEST(Malloc, VerificationNamesAllThatIsWrong) {
  MallocResult result;
  EXPECT_FALSE(verification_of(result)) << "nothing was verified";
  result.served = 9;
  result.wrong = 2;
  result.lost = 48;
  EXPECT_EQ(verification_of(result).value().differs,
            "2 of 9 blocks, 48 bytes that are lost: in use although all was given back");
}

TEST(Malloc, PassesAreMeasuredOverBlocksOfOneSize) {
  for (const std::string& name : lane_allocators()) {
    const auto result = run("allocator = {name = '" + name +
                            "', pool = 0.001}\nmalloc = {threads = 300, size = 48, pattern = 'allocate'}");
    EXPECT_GT(result.pass_over_packed.value(), 0) << name;
  }
  const auto passed = [](const std::string& malloc) {
    return malloc_passed_bytes(settings_of("allocator.name = 'slab_walk'\nmalloc = {" + malloc + "}"));
  };
  EXPECT_EQ(passed("threads = 300, size = 48"), 300U * 48);
  EXPECT_EQ(passed("threads = 300, size = 48, pattern = 'churn', held = 2"), 600U * 48);
  EXPECT_EQ(passed("threads = 2000000, size = 1000"), (std::size_t{1} << 30) / 1000 * 1000)
      << "no more than 1 GiB";
  EXPECT_EQ(passed("threads = 300, size = 8"), 0U);
  EXPECT_EQ(passed("threads = 300, size = 65"), 0U) << "blocks side by side would not begin with whole words";
  EXPECT_EQ(passed("threads = 300, size = 48, largest = 64"), 0U);
  EXPECT_EQ(passed("threads = 300, size = 48, pattern = 'fill'"), 0U);
}

/// Three blocks; of the fourth there was none.
void place(const malloc_kernels::Blocks& blocks, std::byte* first, int distance) {
  Kokkos::parallel_for(
      "place", malloc_kernels::Policy(0, 3),
      KOKKOS_LAMBDA(const int i) { blocks.held[i].block = first + i * distance; });
}

void number(std::uint32_t* words, int count) {
  Kokkos::parallel_for(
      "number", malloc_kernels::Policy(0, count), KOKKOS_LAMBDA(const int i) { words[i] = 1000000; });
}

TEST(Malloc, APassWritesTheBlocksAndNothingElse) {
  const Kokkos::DefaultExecutionSpace exec;
  const auto memory = memory::make_memory_resource("device");
  const memory::Array<std::byte> pool(memory, "pool", 4 * 100);
  const memory::Array<malloc_kernels::Held> held(memory, "held", 3);
  const memory::Array<std::uint32_t> keys(memory, "keys", 3);
  const malloc_kernels::Blocks blocks{held.view().data(), keys.view().data(), 3};
  auto* const words = reinterpret_cast<std::uint32_t*>(pool.view().data());
  number(words, 100);
  place(blocks, pool.view().data(), 80);
  malloc_kernels::pass(exec, blocks, 23);
  const auto found = allocators::fetch(exec, words, 100);
  for (std::uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(found[i], i < 60 && i % 20 < 5 ? i / 20 + i % 20 : 1000000) << i;
  malloc_kernels::pass(exec, pool.view().data(), 3, 20);
  const auto packed = allocators::fetch(exec, words, 16);
  for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(packed[i], i / 5 + i % 5) << i;
  EXPECT_EQ(packed[15], 1000000U);
}

TEST(AddressRange, OfBlocksGoesFromTheFirstByteToTheLast) {
  const Kokkos::DefaultExecutionSpace exec;
  const auto memory = memory::make_memory_resource("device");
  const memory::Array<std::byte> pool(memory, "pool", 4096);
  const memory::Array<malloc_kernels::Held> held(memory, "held", 4);
  const memory::Array<std::uint32_t> keys(memory, "keys", 4);
  const malloc_kernels::Blocks blocks{held.view().data(), keys.view().data(), 4};
  malloc_kernels::clear(exec, blocks);
  EXPECT_EQ(malloc_kernels::address_range(exec, blocks, {64, 64, 0}).bytes(), 0U) << "there is no block";
  place(blocks, pool.view().data() + 640, -320);
  const AddressRange range = malloc_kernels::address_range(exec, blocks, {64, 64, 0});
  EXPECT_EQ(range.begin, reinterpret_cast<std::uintptr_t>(pool.view().data()));
  EXPECT_EQ(range.bytes(), 640U + 64);
}

TEST(AddressRange, OfSeveralHoldsAll) {
  const AddressRange none, low{100, 150}, high{170, 200};
  EXPECT_EQ(none.with(low).bytes(), 50U);
  EXPECT_EQ(low.with(high).bytes(), 100U);
  EXPECT_EQ(high.with(low).bytes(), 100U);
  EXPECT_EQ(none.with(none).bytes(), 0U);
}

TEST(Malloc, SaysHowFarBlocksAreSpread) {
  const auto spread = [](const std::string& heap, const std::string& pattern) {
    return run("allocator = {name = '" + heap +
               "', pool = 0.0009765625}\nrun = {repetitions = 3, warmup = 1}\n"
               "malloc = {threads = 256, size = 256, rounds = 20, held = 1, pattern = '" +
               pattern + "'}");
  };
  const auto packed = spread("bump", "allocate");
  EXPECT_EQ(packed.range.bytes(), 256U * 256) << "side by side, as " << packed.range_least;
  EXPECT_EQ(packed.range_least, 256U * 256);
  EXPECT_EQ(packed.all_ranges.bytes(), 256U * 256) << "from the beginning again, since it is reset";
  for (const std::string pattern : {"allocate_free", "churn"}) {
    const auto random = spread("random_walk", pattern);
    EXPECT_EQ(random.range_least, 256U * 256) << pattern;
    EXPECT_GT(random.range.bytes(), 512U * 256) << pattern << ": random ones of 4096 pages";
    EXPECT_GE(random.all_ranges.bytes(), random.range.bytes()) << pattern;
    EXPECT_LE(random.all_ranges.bytes(), std::size_t{1} << 20) << pattern;
  }
  EXPECT_EQ(spread("slab_walk", "free_at_once").range.bytes(), 0U) << "blocks are not held together";
  EXPECT_EQ(spread("slab_walk", "fill").range.bytes(), 0U);
}

TEST(Malloc, FindsBlocksThatOverlap) {
  using malloc_kernels::Held;
  const Kokkos::DefaultExecutionSpace exec;
  const auto memory = memory::make_memory_resource("device");
  const memory::Array<std::byte> pool(memory, "pool", 4096);
  const memory::Array<Held> held(memory, "held", 4);
  const memory::Array<std::uint32_t> keys(memory, "keys", 4);
  const malloc_kernels::Blocks blocks{held.view().data(), keys.view().data(), 4};
  std::byte* const first = pool.view().data();
  const auto wrong = [&](int distance) {
    malloc_kernels::clear(exec, blocks);
    place(blocks, first, distance);
    return malloc_kernels::wrong_blocks(exec, blocks, {64, 64, 0}, 16);
  };
  EXPECT_EQ(wrong(64), 0U);
  EXPECT_GE(wrong(48), 1U) << "one of two that overlap is wrong, whoever writes last";
  EXPECT_EQ(wrong(68), 2U) << "not aligned";
}

TEST(RequestSizes, StayWithinTheirLimits) {
  const RequestSizes sizes{4, 7, 3};
  std::vector<int> met(8);
  for (std::uint32_t key = 0; key < 4000; ++key) ++met.at(sizes.of(key));
  for (int size = 0; size < 8; ++size)
    EXPECT_EQ(met[static_cast<std::size_t>(size)] > 800, size >= 4) << size;
  EXPECT_EQ((RequestSizes{9, 9, 1}.of(5)), 9U);
}

}  // namespace
}  // namespace haloheap
