// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/memory_overlap.hpp>
#include <haloheap/comm/halo/view_shapes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace haloheap::comm::detail {
namespace {

constexpr std::string_view letters = "xyzq";

/// The word of a View that has none of its own: "yx", "qyx", "zyx", "qzyx".
std::string usual_word(int dims) {
  return dims == 2 ? "qyx" : "qzyx";
}

/// Each letter of the grid's dimensions once, and any number of q.
bool is_word(const std::string& word, int dims) {
  const std::string_view needed = letters.substr(0, static_cast<std::size_t>(dims));
  for (const char letter : word)
    if (letter != 'q' &&
        (needed.find(letter) == needed.npos || std::count(word.begin(), word.end(), letter) > 1))
      return false;
  return std::all_of(needed.begin(), needed.end(),
                     [&](char letter) { return word.find(letter) != word.npos; });
}

/// Of a word that is not the usual one.
const char* example(int dims) {
  return dims == 2 ? "FieldView(view, \"yxq\") for view(y, x, quantity)"
                   : "FieldView(view, \"zyxq\") for view(z, y, x, quantity)";
}

std::string word_of(const FieldView& view, const std::string& name, int dims) {
  const std::size_t rank = view.extents.size(), usual = static_cast<std::size_t>(dims) + 1;
  std::string word = view.indices;
  if (word.empty() && (rank == usual || rank + 1 == usual)) word = usual_word(dims).substr(usual - rank);
  if (word.size() == rank && is_word(word, dims)) return word;
  const std::string given = view.indices.empty() ? "" : fmt::format(" and the word '{}'", view.indices);
  throw UsageError(
      fmt::format("the field {} has {} indices{}, which are not those of a grid of {} dimensions", name, rank,
                  given, dims),
      "it is not known which of them is x",
      fmt::format("say with a letter of '{}' which index is which, q for each that counts quantities: {}",
                  usual_word(dims), example(dims)));
}

void require_memory(const FieldView& view, const std::string& name) {
  if (view.data == nullptr)
    throw UsageError(fmt::format("the field {} is null", name), "nothing was made",
                     "give a View that has memory");
  if (!view.reachable)
    throw UsageError(fmt::format("kernels cannot reach the memory of the field {}", name), "nothing was made",
                     "give a View in memory of the device, or in pinned or managed memory");
}

/// @param counts what x, y, z and q should be
void require_extents(const FieldView& view, const std::string& name, const std::string& word,
                     const HaloBounds& bounds) {
  const grid::Box whole = bounds.whole();
  std::vector<grid::Index> expected;
  for (std::size_t index = 0; index < word.size(); ++index) {
    const auto dim = static_cast<int>(letters.find(word[index]));
    expected.push_back(word[index] == 'q' ? view.extents[index] : whole.extent(dim));
  }
  const auto own = [&](int dim) {
    return fmt::format("{} + {} + {} in {}", bounds.low[dim], bounds.own[dim], bounds.high[dim],
                       letters[static_cast<std::size_t>(dim)]);
  };
  std::vector<std::string> sums;
  for (int dim = 0; dim < bounds.dims; ++dim) sums.push_back(own(dim));
  if (expected != view.extents)
    throw UsageError(
        fmt::format("the field {} has the extents {}, but its halo asks for {} in the order '{}'", name,
                    fmt::join(view.extents, " x "), fmt::join(expected, " x "), word),
        "ghost cells would be read and written elsewhere",
        fmt::format("make it for low ghost cells + own cells + high ghost cells: {}; or say which index is "
                    "which, as in {}",
                    fmt::join(sums, ", "), example(bounds.dims)));
}

/// The slowest index must lie beyond all that the faster ones reach.
void require_apart(const FieldView& view, const std::string& name) {
  std::vector<std::pair<grid::Index, grid::Index>> by_stride;
  for (std::size_t index = 0; index < view.extents.size(); ++index)
    if (view.extents[index] > 1) by_stride.emplace_back(view.strides[index], view.extents[index]);
  std::sort(by_stride.begin(), by_stride.end());
  grid::Index reached = 1;
  for (const auto& [stride, extent] : by_stride) {
    if (stride < reached)
      throw UsageError(fmt::format("values of the field {} share their place in memory", name),
                       "ghost cells would overwrite each other", "give a View whose values lie apart");
    reached = stride * (extent - 1) + reached;
  }
}

PlacesInMemory places_of(const FieldView& view) {
  const auto bytes = static_cast<grid::Index>(view.element_bytes);
  PlacesInMemory places{view.data, bytes, {}};
  for (std::size_t index = 0; index < view.extents.size(); ++index)
    places.dimensions.push_back({view.strides[index] * bytes, view.extents[index]});
  return places;
}

/// Fields of one set. Between sets they may share their memory: one set at a time is exchanged.
void require_apart(const std::vector<FieldView>& set) {
  for (std::size_t second = 1; second < set.size(); ++second)
    for (std::size_t first = 0; first < second; ++first)
      if (share_memory(places_of(set[first]), places_of(set[second])))
        throw UsageError(
            fmt::format("the fields {} and {}, of which one is number {} and the other number {}, "
                        "share their places in memory",
                        name_of_field(set[first], first), name_of_field(set[second], second), first, second),
            "ghost cells of one would overwrite values of the other",
            "give each View once, and Views whose values lie apart");
}

/// Each shape at each place of one more dimension.
std::vector<FieldShape> at_all_places(const std::vector<FieldShape>& shapes,
                                      const PlacesInMemory::Dimension& dimension) {
  std::vector<FieldShape> all;
  for (FieldShape shape : shapes)
    for (grid::Index place = 0; place < dimension.extent; ++place, shape.origin += dimension.stride)
      all.push_back(shape);
  return all;
}

void require_alike(const std::vector<FieldShape>& one, const std::vector<FieldShape>& other,
                   const FieldView& view, const FieldView& other_view, const std::string& name) {
  if (one == other && view.type == other_view.type) return;
  throw UsageError(fmt::format("the field {} is not laid out in the second set as in the first", name),
                   "one set's ghost cells would be written in the other's places",
                   "give both sets Views of one type, layout and size");
}

}  // namespace

std::string name_of_field(const FieldView& view, std::size_t number) {
  return view.label.empty() ? fmt::format("number {}", number) : fmt::format("'{}'", view.label);
}

std::vector<FieldShape> shapes_of(const FieldView& view, std::size_t number, const HaloBounds& bounds) {
  const std::string name = name_of_field(view, number);
  require_memory(view, name);
  const std::string word = word_of(view, name, bounds.dims);
  require_extents(view, name, word, bounds);
  require_apart(view, name);
  FieldShape shape{.element = static_cast<grid::Index>(view.element_bytes)};
  std::vector<PlacesInMemory::Dimension> divided;
  for (std::size_t index = 0; index < word.size(); ++index) {
    const std::size_t dim = letters.find(word[index]);
    const grid::Index stride = view.strides[index] * shape.element;
    if (word[index] == 'q' && word.find('q', index + 1) != word.npos) {
      divided.push_back({stride, view.extents[index]});
      continue;
    }
    shape.stride[dim] = stride;
    if (word[index] == 'q') shape.quantities = view.extents[index];
  }
  shape.origin = -FieldShape{.stride = shape.stride}.at(bounds.whole().lo);
  std::vector<FieldShape> shapes{shape};
  for (const auto& dimension : divided) shapes = at_all_places(shapes, dimension);
  return shapes;
}

std::vector<ExchangedField> fields_of(const std::vector<std::vector<FieldView>>& sets,
                                      const HaloBounds& bounds) {
  if (sets.front().empty() && sets.back().empty())
    throw UsageError("a halo was given no fields", "there is nothing to exchange", "give one or more");
  if (sets.front().size() != sets.back().size())
    throw UsageError(fmt::format("{} and {} fields are no two sets", sets.front().size(), sets.back().size()),
                     "there is nothing to exchange", "give one field or more, and as many in both sets");
  std::vector<ExchangedField> fields;
  for (std::size_t number = 0; number < sets.front().size(); ++number) {
    const FieldView &first = sets.front()[number], &second = sets.back()[number];
    const std::vector<FieldShape> shapes = shapes_of(first, number, bounds);
    if (sets.size() > 1)
      require_alike(shapes, shapes_of(second, number, bounds), first, second, name_of_field(first, number));
    for (const FieldShape& shape : shapes) fields.push_back({shape, {first.data, second.data}, first.type});
  }
  for (const std::vector<FieldView>& set : sets) require_apart(set);
  return fields;
}

}  // namespace haloheap::comm::detail
