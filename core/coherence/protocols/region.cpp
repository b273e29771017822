// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/protocols/region.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace haloheap::coherence::detail {
namespace {

/// The part of `rect` that is taken at once from the region of a copy: its largest rectangle there.
Rect largest_part(const Region& region, const Rect& rect) {
  Rect best;
  ElementIndex maximum = 0;
  for (const Rect& mine : region.rects()) {
    const Rect part = intersect(mine, rect);
    const ElementIndex elements = part.elements();
    if (elements <= maximum) continue;
    best = part;
    maximum = elements;
  }
  return best;
}

struct Source {
  CopyId copy = no_copy;
  Rect part;
  ElementIndex elements = 0;  ///< of the part
  bool away = true;           ///< in another memory
  const Link* link = nullptr;
};

/// Whether a part comes faster than that of another source: by seconds a byte.
bool faster(const Source& a, const Source& b, std::size_t element_bytes) {
  // What is in the memory already crosses no link, however small the pieces: no directory moves less.
  if (a.away != b.away) return !a.away;
  if (a.link->latency != b.link->latency || a.link->bandwidth != b.link->bandwidth) {
    const auto bytes = [&](const Source& s) {
      return static_cast<double>(s.elements) * static_cast<double>(element_bytes);
    };
    const double mine = a.link->seconds(bytes(a)) * bytes(b), other = b.link->seconds(bytes(b)) * bytes(a);
    if (mine != other) return mine < other;
  }
  return std::tuple(-a.elements, a.copy) < std::tuple(-b.elements, b.copy);
}

/// Where a part of `rect` comes from fastest, of the main copy and the device copies with a direct link or of
/// those without.
Source best_source(const State& state, const Copy& target, const Rect& rect, bool direct) {
  const Object& object = state.object(target.object);
  Source best;
  const auto look = [&](CopyId id) {
    const Copy& copy = state.copy(id);
    if (!overlap(copy.rect, rect)) return;
    const Link& link = state.topology.link(copy.memory, target.memory);
    if (&copy == &target || link.direct != direct) return;
    const Rect part = largest_part(copy.current, rect);
    if (part.empty()) return;
    const Source source{id, part, part.elements(), copy.memory != target.memory, &link};
    if (best.copy == no_copy || faster(source, best, object.element_bytes)) best = source;
  };
  look(object.main);
  for (const CopyId id : object.copies) look(id);
  return best;
}

/// The request, or more: what lies around it in a device copy that has all of it, up to the topology's grain.
Rect widened(const State& state, const Request& request) {
  const Object& object = state.object(request.object);
  const auto grain = static_cast<ElementIndex>(state.topology.host_grain / object.element_bytes);
  const Rect& rect = request.rect;
  if (rect.elements() >= grain) return rect;
  for (const CopyId id : object.copies) {
    if (state.copy(id).pins > 0) continue;  // what lies around may be about to be written
    for (const Rect& mine : state.copy(id).current.rects()) {
      if (!mine.contains(rect)) continue;
      const ElementIndex columns = std::min(grain, mine.columns()),
                         rows = std::max<ElementIndex>(1, grain / mine.columns());
      const Rect around{rect.row / rows * rows, (rect.row / rows + 1) * rows, rect.column / columns * columns,
                        (rect.column / columns + 1) * columns};
      const Rect part = intersect(around, mine);
      return part.contains(rect) ? part : rect;
    }
  }
  return rect;
}

/// The elements of a device copy that neither the main copy nor another device copy has.
void find_unique(const State& state, CopyId id, std::vector<Rect>& rects) {
  const Copy& copy = state.copy(id);
  rects = copy.current.rects();
  const auto others = [&](CopyId other) {
    if (other == id) return;
    for (const Rect& rect : state.copy(other).current.rects()) remove_from(rects, rect);
  };
  others(state.object(copy.object).main);
  for (const CopyId other : state.object(copy.object).copies) others(other);
}

constexpr std::size_t max_asked = 16;

/// One more than max_asked stands for any number.
void remember(std::vector<Rect>& asked, const Rect& rect) {
  if (asked.size() > max_asked || std::find(asked.begin(), asked.end(), rect) != asked.end()) return;
  asked.push_back(rect);
}

}  // namespace

CopyId RegionProtocol::find(const State& state, const Request& request) const {
  CopyId best = no_copy;
  std::tuple<ElementIndex, ElementIndex, CopyId> best_key;
  for (const CopyId id : state.object(request.object).copies) {
    const Copy& copy = state.copy(id);
    if (copy.memory != request.memory || !copy.rect.contains(request.rect)) continue;
    const ElementIndex there = reads(request.access) ? copy.current.elements_in(request.rect) : 0;
    // The largest of equal ones: what is written there need not be copied when more of it is read.
    const std::tuple key(-there, -copy.rect.elements(), id);
    if (best != no_copy && best_key <= key) continue;
    best = id;
    best_key = key;
  }
  return best;
}

void RegionProtocol::fetch(Planner& planner, CopyId id, const Rect& wanted) const {
  State& state = planner.state;
  const CopyId main_id = state.object(state.copy(id).object).main;
  std::vector<Rect>& todo = planner.todo;
  todo.assign(1, wanted);
  for (const Rect& mine : state.copy(id).current.rects()) remove_from(todo, mine);
  while (!todo.empty()) {
    const Rect rect = todo.back();
    todo.pop_back();
    Source source = best_source(state, state.copy(id), rect, true);
    if (source.copy == no_copy) {
      // Through the host, where it stays: the next device that reads it takes it from there.
      source = best_source(state, state.copy(id), rect, false);
      planner.copy(source.copy, main_id, source.part);
      state.copy(main_id).current.add(source.part);
      source.copy = main_id;
    }
    planner.copy(source.copy, id, source.part);
    for (const Rect& rest : subtract(rect, source.part)) todo.push_back(rest);
  }
  state.copy(id).current.add(wanted);
}

/// What a copy of the policy `paper` could still have is kept: ranges that uses asked for and that no write
/// has touched since. All others it would bring as a whole, after it had written back what only they have.
/// Elements of a use that is under way are such a range: they are kept, and not read.
void RegionProtocol::simplify(Planner& planner, CopyId id) const {
  State& state = planner.state;
  Copy& copy = state.copy(id);
  const std::size_t maximum = state.topology.max_pieces;
  if (maximum == 0 || copy.current.rects().size() <= maximum || copy.asked.size() > max_asked) return;
  Region kept;
  for (const Rect& rect : copy.asked)
    if (copy.current.contains(rect)) kept.add(rect);
  for (const Rect& rect : kept.rects()) copy.current.remove(rect);
  write_back(planner, id);
  copy.current = std::move(kept);
}

void RegionProtocol::own(State& state, CopyId owner, const Rect& rect) {
  const Object& object = state.object(state.copy(owner).object);
  if (owner != object.main) state.copy(object.main).current.remove(rect);
  for (const CopyId id : object.copies)
    if (id != owner) state.copy(id).current.remove(rect);
  state.copy(owner).current.add(rect);
}

void RegionProtocol::use_on_device(Planner& planner, CopyId id, const Request& request) const {
  remember(planner.state.copy(id).asked, request.rect);
  if (reads(request.access)) fetch(planner, id, request.rect);
  if (writes(request.access)) own(planner.state, id, request.rect);
}

void RegionProtocol::use_on_host(Planner& planner, const Request& request) const {
  const CopyId main_id = planner.state.object(request.object).main;
  if (reads(request.access) && !planner.state.copy(main_id).current.contains(request.rect))
    fetch(planner, main_id, widened(planner.state, request));
  if (!writes(request.access)) return;
  own(planner.state, main_id, request.rect);
  for (const CopyId id : planner.state.object(request.object).copies) simplify(planner, id);
}

void RegionProtocol::write_back(Planner& planner, CopyId id) const {
  State& state = planner.state;
  const CopyId main_id = state.object(state.copy(id).object).main;
  find_unique(state, id, planner.todo);
  for (const Rect& rect : planner.todo) {
    planner.copy(id, main_id, rect);
    state.copy(main_id).current.add(rect);
  }
}

void RegionProtocol::drop(State& state, CopyId id) const {
  std::vector<Rect> lost;
  find_unique(state, id, lost);
  for (const Rect& rect : lost) state.main_of(state.copy(id).object).current.add(rect);
  state.copy(id).current.clear();
}

void RegionProtocol::begin(State& state, ObjectId object) const {
  Copy& main = state.main_of(object);
  main.current.clear();
  main.current.add(main.rect);
}

bool RegionProtocol::current(const State& state, CopyId copy, const Rect& rect) const {
  return state.copy(copy).current.contains(rect);
}

bool RegionProtocol::host_alone(const State& state, ObjectId object) const {
  for (const CopyId id : state.object(object).copies)
    if (!state.copy(id).current.empty()) return false;
  return true;
}

std::unique_ptr<Protocol> make_region_protocol() {
  return std::make_unique<RegionProtocol>();
}

}  // namespace haloheap::coherence::detail
