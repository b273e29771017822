// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/snapshot.hpp>

#include <algorithm>

namespace haloheap::coherence::detail {

bool Snapshot::Part::is_of(const Copy& copy) const {
  if (!copy.live) return serial == 0;
  return copy.serial == serial && copy.valid == valid && copy.modified == modified && copy.current == current;
}

Snapshot::Snapshot(const State& state) : all_(state.statistics) {
  for (const Copy& copy : state.copies)
    copies_.push_back(copy.live ? Part{copy.serial, copy.object, copy.valid, copy.modified, copy.current}
                                : Part{});
  for (const auto& object : state.objects) objects_.push_back(object ? object->statistics : Statistics());
}

bool Snapshot::is_of(const State& state, const std::vector<bool>& objects) const {
  const auto wanted = [&](ObjectId object) {
    return object >= 0 && static_cast<std::size_t>(object) < objects.size() &&
           objects[static_cast<std::size_t>(object)];
  };
  static const Part none;
  static const Copy dead;
  for (std::size_t i = 0; i < std::max(copies_.size(), state.copies.size()); ++i) {
    const Part& part = i < copies_.size() ? copies_[i] : none;
    const Copy& copy = i < state.copies.size() ? state.copies[i] : dead;
    const bool matters = wanted(part.object) || (copy.live && wanted(copy.object));
    if (matters && !part.is_of(copy)) return false;
  }
  return true;
}

void Snapshot::restore_copies(State& state) const {
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    Copy& copy = state.copies[i];
    if (!copy.live || copy.serial != copies_[i].serial) continue;
    copy.valid = copies_[i].valid;
    copy.modified = copies_[i].modified;
    copy.current = copies_[i].current;
  }
}

void Snapshot::restore_statistics(State& state) const {
  state.statistics = all_;
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (state.objects[i]) state.objects[i]->statistics = objects_[i];
}

void Snapshot::count_again(State& state, const Snapshot& later, std::uint64_t times) const {
  state.statistics.add_difference(all_, later.all_, times);
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (state.objects[i]) state.objects[i]->statistics.add_difference(objects_[i], later.objects_[i], times);
}

}  // namespace haloheap::coherence::detail
