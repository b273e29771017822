// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/allocators/partitioned_table.hpp>

#include <bit>

namespace haloheap {
namespace {

using Exec = PartitionedTable::Exec;
using TuplePolicy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>;

struct Count {
  JoinHash hash;
  const Tuple* tuples;
  std::uint32_t* sizes;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    Kokkos::atomic_inc(&sizes[hash.partition(tuples[i].key)]);
  }
};

struct Sum {
  std::uint32_t* sizes;
  KOKKOS_FUNCTION void operator()(std::uint32_t i, std::uint32_t& sum, bool last) const {
    const std::uint32_t size = sizes[i];
    if (last) sizes[i] = sum;
    sum += size;
  }
};

struct Scatter {
  JoinHash hash;
  const Tuple* from;
  Tuple* to;
  std::uint32_t* places;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    to[Kokkos::atomic_fetch_add(&places[hash.partition(from[i].key)], 1U)] = from[i];
  }
};

struct Chain {
  JoinHash hash;
  const Tuple* tuples;
  std::uint32_t *first, *next;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    next[i] = Kokkos::atomic_exchange(&first[hash.bucket(tuples[i].key)], i);
  }
};

}  // namespace

JoinHash JoinHash::of(std::uint32_t tuples) {
  const std::uint64_t partitions = (std::uint64_t{tuples} >> bucket_bits) + 1;
  return {static_cast<unsigned>(std::bit_width(std::bit_ceil(partitions)) - 1)};
}

PartitionedTable::PartitionedTable(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                                   const JoinHash& hash, const std::vector<Tuple>& tuples)
    : hash_(hash),
      tuples_(memory, "join_tuples", tuples.size()),
      sorted_(memory, "join_partitions", tuples.size()),
      places_(memory, "join_places", hash.partitions()) {
  backend::copy_async(exec, tuples_.data(), tuples.data(), tuples.size() * sizeof(Tuple));
  exec.fence("haloheap::PartitionedTable");
}

void PartitionedTable::partition(const Exec& exec) {
  std::uint32_t* const places = places_.view().data();
  const Tuple* const tuples = tuples_.view().data();
  Kokkos::deep_copy(exec, places_.view(), 0U);
  Kokkos::parallel_for("haloheap::join_count", TuplePolicy(exec, 0, size()), Count{hash_, tuples, places});
  Kokkos::parallel_scan("haloheap::join_sum", TuplePolicy(exec, 0, hash_.partitions()), Sum{places});
  Kokkos::parallel_for("haloheap::join_scatter", TuplePolicy(exec, 0, size()),
                       Scatter{hash_, tuples, sorted_.view().data(), places});
}

BucketChains::BucketChains(const std::shared_ptr<memory::MemoryResource>& memory, const JoinHash& hash,
                           std::uint32_t tuples)
    : hash_(hash), first_(memory, "join_buckets", hash.buckets()), next_(memory, "join_chains", tuples) {}

void BucketChains::build(const Exec& exec, const PartitionedTable& table) {
  Kokkos::deep_copy(exec, first_.view(), none);
  Kokkos::parallel_for("haloheap::join_build", TuplePolicy(exec, 0, table.size()),
                       Chain{hash_, table.tuples(), first_.view().data(), next_.view().data()});
}

}  // namespace haloheap
