// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HALO_VIEW_FIELDS_HPP
#define HALOHEAP_UNIT_COMM_HALO_VIEW_FIELDS_HPP

#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap::testing {

/// How a View lies in its memory.
enum class ViewKind { right, left, stride, part, member };

inline const char* name_of(ViewKind kind) {
  switch (kind) {
    case ViewKind::right:
      return "LayoutRight";
    case ViewKind::left:
      return "LayoutLeft";
    case ViewKind::stride:
      return "LayoutStride";
    case ViewKind::part:
      return "part of a larger View";
    case ViewKind::member:
      return "member of a struct";
  }
  return "";
}

/// Values of so many bytes that nobody adds.
template <std::size_t Bytes>
struct Opaque {
  std::array<std::uint32_t, Bytes / 4> part;
};

struct ViewSpec {
  ViewKind kind = ViewKind::right;
  std::string word = "yx";  ///< of FieldView
  int type = 0;             ///< see make_view_field
  int quantities = 1;
  int rows = 1;  ///< into which quantities are divided, if the word has two letters for them
};

/// A View in memory that other processes can map, with what it takes to look at every byte of it.
struct ViewField {
  memory::Array<std::byte> memory;
  comm::FieldView view;
  std::size_t element = 0;
  std::vector<std::size_t> strides;  ///< bytes, as the View itself says
  std::size_t first = 0;             ///< bytes before its first value

  /// Where the value of a cell stands in `memory`.
  std::size_t at(const comm::HaloBounds& bounds, const grid::Triple& cell, int quantity) const {
    constexpr std::string_view letters = "xyz";
    std::size_t bytes = first;
    grid::Index rest = quantity;
    for (std::size_t index = view.indices.size(); index-- > 0;) {
      const auto dim = static_cast<int>(letters.find(view.indices[index]));
      const bool counts_quantities = view.indices[index] == 'q';
      const grid::Index position =
          counts_quantities ? rest % view.extents[index] : cell[dim] + bounds.low[dim];
      if (counts_quantities) rest /= view.extents[index];
      bytes += static_cast<std::size_t>(position) * strides[index];
    }
    return bytes;
  }
};

namespace detail {

using KernelSpace = Kokkos::DefaultExecutionSpace::memory_space;
template <class Data, class Layout>
using Unowned = Kokkos::View<Data, Layout, KernelSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T, std::size_t Rank>
struct Pointers {
  using type = typename Pointers<T, Rank - 1>::type*;
};
template <class T>
struct Pointers<T, 0> {
  using type = T;
};

template <class Layout>
Layout plain_layout(const std::vector<std::size_t>& n) {
  Layout layout;
  for (std::size_t i = 0; i < n.size(); ++i) layout.dimension[i] = n[i];
  return layout;
}

/// Steps of `step` values along the index that is the fastest, which is the second; gaps after each.
inline Kokkos::LayoutStride gappy_layout(const std::vector<std::size_t>& n, std::size_t step) {
  Kokkos::LayoutStride layout;
  std::size_t next = step;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const std::size_t index = (i + 1) % n.size();
    layout.dimension[index] = n[index];
    layout.stride[index] = next;
    next = next * n[index] + (step > 1 ? 0 : 2);
  }
  return layout;
}

template <class View>
ViewField finish(memory::Array<std::byte> memory, const View& view, const std::string& word) {
  using T = typename View::value_type;
  ViewField field{std::move(memory), comm::FieldView(view, word), sizeof(T), {}, 0};
  for (std::size_t i = 0; i < View::rank; ++i) field.strides.push_back(view.stride(i) * sizeof(T));
  field.first = static_cast<std::size_t>(reinterpret_cast<std::byte*>(view.data()) - field.memory.data());
  return field;
}

template <class T, std::size_t Rank, std::size_t... I>
ViewField make(const ViewSpec& spec, const std::vector<std::size_t>& n, std::index_sequence<I...>) {
  using Data = typename Pointers<T, Rank>::type;
  std::size_t values = 1;
  for (const std::size_t extent : n) values *= extent + 3;
  auto memory = memory::make_array<std::byte>(memory::make_memory_resource("device"), "haloheap::unit::view",
                                              (3 * values + 4) * sizeof(T));
  T* const start = reinterpret_cast<T*>(memory.data());
  const auto done = [&](const auto& view) { return finish(std::move(memory), view, spec.word); };
  switch (spec.kind) {
    case ViewKind::right:
      return done(Unowned<Data, Kokkos::LayoutRight>(start, plain_layout<Kokkos::LayoutRight>(n)));
    case ViewKind::left:
      return done(Unowned<Data, Kokkos::LayoutLeft>(start, plain_layout<Kokkos::LayoutLeft>(n)));
    case ViewKind::stride:
      return done(Unowned<Data, Kokkos::LayoutStride>(start + 1, gappy_layout(n, 1)));
    case ViewKind::member:
      return done(Unowned<Data, Kokkos::LayoutStride>(start + 1, gappy_layout(n, 3)));
    case ViewKind::part:
      break;
  }
  std::vector<std::size_t> larger = n;
  for (std::size_t& extent : larger) extent += 3;
  const Unowned<Data, Kokkos::LayoutRight> whole(start, plain_layout<Kokkos::LayoutRight>(larger));
  return done(Kokkos::subview(whole, std::make_pair(std::size_t{1}, n[I] + 1)...));
}

template <class T>
ViewField make(const ViewSpec& spec, const std::vector<std::size_t>& n) {
  if (n.size() == 2) return make<T, 2>(spec, n, std::make_index_sequence<2>());
  if (n.size() == 3) return make<T, 3>(spec, n, std::make_index_sequence<3>());
  if (n.size() == 4) return make<T, 4>(spec, n, std::make_index_sequence<4>());
  return make<T, 5>(spec, n, std::make_index_sequence<5>());
}

}  // namespace detail

/// Types by number; those from `number_types` on cannot be added.
inline constexpr int number_types = 6, view_types = 9;

inline ViewField make_view_field(const ViewSpec& spec, const comm::HaloBounds& bounds) {
  constexpr std::string_view letters = "xyz";
  std::vector<std::size_t> n;
  for (const char letter : spec.word)
    n.push_back(static_cast<std::size_t>(
        letter == 'q' ? spec.rows : bounds.whole().extent(static_cast<int>(letters.find(letter)))));
  if (const std::size_t last = spec.word.rfind('q'); last != spec.word.npos)
    n[last] = static_cast<std::size_t>(spec.quantities / spec.rows);
  switch (spec.type) {
    case 0:
      return detail::make<float>(spec, n);
    case 1:
      return detail::make<double>(spec, n);
    case 2:
      return detail::make<std::int32_t>(spec, n);
    case 3:
      return detail::make<std::uint8_t>(spec, n);
    case 4:
      return detail::make<std::int16_t>(spec, n);
    case 5:
      return detail::make<std::uint64_t>(spec, n);
    case 6:
      return detail::make<Opaque<12>>(spec, n);
    case 7:
      return detail::make<Opaque<16>>(spec, n);
    default:
      return detail::make<Opaque<24>>(spec, n);
  }
}

}  // namespace haloheap::testing

#endif
