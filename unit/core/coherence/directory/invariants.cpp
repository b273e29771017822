// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/invariants.hpp>

namespace haloheap::coherence::test {
namespace {

bool newest(const Memories& memories, detail::CopyId copy, const Versions& truth, const Rect& rect) {
  return equal(memories.at(copy)->now, truth, rect);
}

/// The elements of a region, each counted once.
void require_disjoint(const detail::Region& region, const Rect& whole) {
  for (std::size_t i = 0; i < region.rects().size(); ++i) {
    require(whole.contains(region.rects()[i]), "a region is larger than its copy");
    for (std::size_t j = 0; j < i; ++j)
      require(!overlap(region.rects()[i], region.rects()[j]), "rectangles of a region overlap");
  }
}

void check_modified(const detail::State& state, const detail::Object& object) {
  for (const detail::CopyId id : object.copies) {
    const detail::Copy& copy = state.copy(id);
    if (!copy.modified) continue;
    require(copy.valid, "I4: modified and not valid");
    require(!state.copy(object.main).valid, "I3: the main copy is valid although a copy is modified");
    for (const detail::CopyId other : object.copies)
      require(other == id || !state.copy(other).modified || !overlap(copy.rect, state.copy(other).rect),
              "I5: two modified copies overlap");
  }
}

}  // namespace

void check_flags(const detail::State& state, const Memories& memories, const Versions& truth,
                 detail::ObjectId id) {
  const detail::Object& object = state.object(id);
  check_modified(state, object);
  if (state.copy(object.main).valid)
    require(newest(memories, object.main, truth, object.whole), "I3: the main copy is valid and old");
  for (const detail::CopyId copy : object.copies)
    if (state.copy(copy).valid)
      require(newest(memories, copy, truth, state.copy(copy).rect), "I2: a copy is valid and old");
  const Versions& main = memories.at(object.main)->now;
  for_each(object.whole, [&](ElementIndex row, ElementIndex column) {
    bool covered = main.at(row, column) == truth.at(row, column);
    for (const detail::CopyId copy : object.copies)
      covered = covered || (state.copy(copy).modified &&
                            state.copy(copy).rect.contains({row, row + 1, column, column + 1}));
    require(covered, "I1: the newest value of an element is lost");
  });
}

void check_regions(const detail::State& state, const Memories& memories, const Versions& truth,
                   detail::ObjectId id) {
  const detail::Object& object = state.object(id);
  std::vector<detail::CopyId> copies = object.copies;
  copies.push_back(object.main);
  detail::Region covered;
  for (const detail::CopyId copy : copies) {
    require_disjoint(state.copy(copy).current, state.copy(copy).rect);
    for (const Rect& rect : state.copy(copy).current.rects()) {
      require(newest(memories, copy, truth, rect), "I2: a region has old elements");
      covered.add(rect);
    }
  }
  require(covered.contains(object.whole), "I1: the newest value of an element is lost");
}

void check_host_state(const detail::Directory& directory, const Memories& memories, const Versions& truth,
                      detail::ObjectId id) {
  const detail::State& state = directory.state();
  const detail::Object& object = state.object(id);
  if (object.host_state->readable)
    require(newest(memories, object.main, truth, object.whole), "readable, and old on the host");
  if (!object.host_state->writable) return;
  require(object.host_state->readable, "writable and not readable");
  for (const detail::CopyId copy : object.copies)
    require(!state.copy(copy).valid && state.copy(copy).current.empty(), "writable, and current on a device");
}

}  // namespace haloheap::coherence::test
