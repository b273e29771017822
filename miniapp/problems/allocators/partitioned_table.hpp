// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_PARTITIONED_TABLE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_PARTITIONED_TABLE_HPP

#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/join_tables.hpp>

#include <memory>
#include <vector>

namespace haloheap {

/// Where tuples of a key belong: partitions of some 1024 tuples, each with as many hash buckets.
struct JoinHash {
  static constexpr unsigned bucket_bits = 10;
  unsigned partition_bits = 0;

  static JoinHash of(std::uint32_t tuples);

  std::uint32_t partitions() const { return 1U << partition_bits; }
  std::size_t buckets() const { return std::size_t{1} << (partition_bits + bucket_bits); }
  KOKKOS_FUNCTION std::uint32_t partition(std::uint32_t key) const {
    return lanes::bits::mix(key) & lanes::bits::low<std::uint32_t>(partition_bits);
  }
  /// Of all partitions.
  KOKKOS_FUNCTION std::uint64_t bucket(std::uint32_t key) const {
    const std::uint32_t hash = lanes::bits::mix(key);
    return std::uint64_t{hash & lanes::bits::low<std::uint32_t>(partition_bits)} << bucket_bits |
           (hash >> partition_bits & lanes::bits::low<std::uint32_t>(bucket_bits));
  }
};

/// A table on the device, and the same in the order of its partitions.
class PartitionedTable {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  PartitionedTable(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                   const JoinHash& hash, const std::vector<Tuple>& tuples);

  /// Three kernels: count, sum, scatter.
  void partition(const Exec& exec);

  std::uint32_t size() const { return static_cast<std::uint32_t>(sorted_.size()); }
  const Tuple* tuples() const { return sorted_.view().data(); }

 private:
  JoinHash hash_;
  memory::Array<Tuple> tuples_, sorted_;
  memory::Array<std::uint32_t>
      places_;  ///< of each partition: first its size, then where its next tuple goes
};

/// Chains of the tuples of one partitioned table, by bucket.
class BucketChains {
 public:
  using Exec = PartitionedTable::Exec;
  static constexpr std::uint32_t none = ~0U;

  BucketChains(const std::shared_ptr<memory::MemoryResource>& memory, const JoinHash& hash,
               std::uint32_t tuples);

  void build(const Exec& exec, const PartitionedTable& table);

  /// For kernels: calls visit(tuple) for each tuple with that key, until it says false.
  struct Finder {
    JoinHash hash;
    const Tuple* tuples;
    const std::uint32_t *first, *next;

    template <class Visit>
    KOKKOS_FUNCTION void operator()(std::uint32_t key, const Visit& visit) const {
      for (std::uint32_t i = first[hash.bucket(key)]; i != none; i = next[i])
        if (tuples[i].key == key && !visit(tuples[i])) return;
    }
  };
  Finder finder(const PartitionedTable& table) const {
    return {hash_, table.tuples(), first_.view().data(), next_.view().data()};
  }

 private:
  JoinHash hash_;
  memory::Array<std::uint32_t> first_, next_;
};

}  // namespace haloheap

#endif
