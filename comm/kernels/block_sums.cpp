// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/comm/kernels/block_kernels.hpp>
#include <haloheap/comm/kernels/block_sums.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

/// Adds the values of one tile; a tile of a device is one value.
template <class T>
struct AddTile {
  static constexpr grid::Index tile = kernels_on_host ? 1024 : 1;

  const BlockArray* arrays;
  const KernelBlock* blocks;
  const grid::Index* first_values;  // a block
  int count;                        // of blocks
  grid::Index values;               // of all blocks

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index end = Kokkos::min((i + 1) * tile, values);
    int which = block_at(first_values, count, i * tile);
    for (grid::Index value = i * tile; value < end; ++value) {
      while (which + 1 < count && first_values[which + 1] <= value) ++which;
      add(blocks[which], static_cast<unsigned>(value - first_values[which]));
    }
  }

 private:
  KOKKOS_FUNCTION void add(const KernelBlock& block, unsigned value) const {
    const unsigned run = block.nx.divide(value);
    const BlockOffsets offsets(block, run, grid::Index{value - run * block.nx.value()} * sizeof(T));
    const std::byte* const from = arrays[block.from.array].data + offsets.from;
    std::byte* const to = arrays[block.to.array].data + offsets.to;
    T& sum = *reinterpret_cast<T*>(to);
    sum = static_cast<T>(sum + *reinterpret_cast<const T*>(from));
  }
};

/// Which sums are added at once: each comes after all before it with which it has cells in common.
std::vector<std::size_t> levels_of(const std::vector<HaloSum>& sums) {
  std::vector<std::size_t> levels;
  for (const HaloSum& sum : sums) {
    std::size_t level = 0;
    for (std::size_t before = 0; before < levels.size(); ++before)
      if (sums[before].field == sum.field && !intersect(sums[before].to, sum.to).empty())
        level = std::max(level, levels[before] + 1);
    levels.push_back(level);
  }
  return levels;
}

}  // namespace

struct BlockSums::Kernel {
  ValueType type;
  memory::Array<KernelBlock> blocks;
  memory::Array<grid::Index> first_values;
  grid::Index values = 0;

  Kernel(const std::string& label, ValueType of, const std::vector<BlockCopy>& sums)
      : type(of),
        blocks(memory::make_memory_resource("device"), label + "_blocks", sums.size()),
        first_values(memory::make_memory_resource("device"), label + "_first_values", sums.size()) {
    std::vector<KernelBlock> all;
    std::vector<grid::Index> firsts;
    with_value_type(type, [&]<class T>() {
      for (const BlockCopy& sum : sums) {
        all.push_back(make_kernel_block(sum, sizeof(T)));
        firsts.push_back(values);
        values += all.back().units;
      }
    });
    upload(blocks, all);
    upload(first_values, firsts);
  }
};

BlockSums::BlockSums(const std::string& label, const std::vector<HaloSum>& sums,
                     const std::vector<ValueType>& types)
    : label_(label) {
  const std::vector<std::size_t> levels = levels_of(sums);
  const std::size_t depth = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end()) + 1;
  for (std::size_t level = 0; level < depth; ++level)
    for (const auto& [type, name] : names_of(ValueType{}).names) {
      std::vector<BlockCopy> blocks;
      for (std::size_t i = 0; i < sums.size(); ++i)
        if (levels[i] == level && types[sums[i].field] == type)
          blocks.insert(blocks.end(), sums[i].blocks.begin(), sums[i].blocks.end());
      if (!blocks.empty()) kernels_.push_back(std::make_shared<const Kernel>(label, type, blocks));
    }
}

void BlockSums::run(const Exec& exec, const BlockArray* arrays) const {
  for (const auto& kernel : kernels_)
    with_value_type(kernel->type, [&]<class T>() {
      using Add = AddTile<T>;
      using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
      const Policy policy(exec, 0, (kernel->values + Add::tile - 1) / Add::tile);
      backend::parallel_for(label_, backend::as_kernel_argument(policy),
                            Add{arrays, kernel->blocks.data(), kernel->first_values.data(),
                                static_cast<int>(kernel->blocks.size()), kernel->values});
    });
}

}  // namespace haloheap::comm::detail
