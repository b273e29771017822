// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_KERNELS_BLOCK_ARRAYS_HPP
#define HALOHEAP_UNIT_COMM_KERNELS_BLOCK_ARRAYS_HPP

#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <optional>

namespace haloheap::testing {

/// The arrays that blocks refer to, where kernels can reach them.
template <class T>
class Arrays {
 public:
  /// @param shift so many values of each array stand before the place where blocks start to count
  explicit Arrays(const std::vector<std::vector<T>>& values, std::size_t shift = 0) {
    std::vector<comm::detail::BlockArray> table;
    for (const auto& array : values)
      table.push_back(
          {reinterpret_cast<std::byte*>(arrays_.emplace_back(make_device_array(array)).data() + shift)});
    table_.emplace(make_device_array(table));
  }

  const comm::detail::BlockArray* table() const { return table_->data(); }
  std::vector<T> values(std::size_t array) const { return to_host(arrays_[array]); }

 private:
  std::vector<memory::Array<T>> arrays_;
  std::optional<memory::Array<comm::detail::BlockArray>> table_;
};

}  // namespace haloheap::testing

#endif
