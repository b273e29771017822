// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/protocols/initial.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::detail {
namespace {

void require_range(const Object& object, const Rect& rect) {
  if (rect.rows() == 1 || rect.columns() == object.whole.columns()) return;
  throw CapabilityError(fmt::format("the policy initial has no sub-matrices: {} of '{}' is no range",
                                    to_string(rect, object.vector), object.label),
                        "the matrix cannot be used so",
                        "use whole rows, or the policy " + policies_that(&PolicyEntry::sub_matrices));
}

}  // namespace

void InitialProtocol::prepare(Planner& planner, const Request& request) const {
  const State& state = planner.state;
  require_range(state.object(request.object), request.rect);
  const CopyId found = find(state, request);
  bool stale = found != no_copy && !state.copy(found).valid;
  for (const CopyId id : state.object(request.object).copies) {
    const Copy& copy = state.copy(id);
    const bool others_news = id != found && copy.modified && overlap(copy.rect, request.rect);
    // A new copy that is read is filled by way of the main copy in any case.
    stale = stale || (others_news && (found != no_copy || writes(request.access)));
  }
  if (stale) flush(planner, request);
}

void InitialProtocol::write_back_all(Planner& planner, ObjectId object, const Rect& needed) const {
  for (const CopyId id : planner.state.object(object).copies) {
    const Copy& copy = planner.state.copy(id);
    // Another part of the same call, which is modified but has yet to be written.
    if (copy.pins > 0 && !overlap(copy.rect, needed)) continue;
    write_back(planner, id);
  }
}

void InitialProtocol::flush(Planner& planner, const Request& request) const {
  State& state = planner.state;
  write_back_all(planner, request.object, request.rect);
  std::vector<CopyId>& copies = state.object(request.object).copies;
  for (std::size_t i = copies.size(); i-- > 0;)
    if (state.copy(copies[i]).pins == 0) planner.release(copies[i]);
}

void InitialProtocol::use_on_device(Planner& planner, CopyId id, const Request& request) const {
  State& state = planner.state;
  const Object& object = state.object(request.object);
  if (reads(request.access) && !state.copy(id).valid) {
    write_back_all(planner, request.object, request.rect);
    planner.copy(object.main, id, request.rect);
  }
  state.copy(id).valid = true;
  if (!writes(request.access)) return;
  for (const CopyId other : object.copies)
    if (other != id && overlap(state.copy(other).rect, request.rect)) state.copy(other).valid = false;
  state.copy(id).modified = true;
  state.main_of(request.object).valid = false;
}

void InitialProtocol::use_on_host(Planner& planner, const Request& request) const {
  if (writes(request.access)) {
    flush(planner, request);  // copies in use stay: of other elements
  } else {
    write_back_all(planner, request.object, request.rect);
  }
}

void InitialFlushProtocol::finish(Planner& planner, CopyId /*copy*/, const Request& request) const {
  if (writes(request.access)) flush(planner, request);  // other parts of the call stay until they end
}

std::unique_ptr<Protocol> make_initial_flush_protocol() {
  return std::make_unique<InitialFlushProtocol>();
}

std::unique_ptr<Protocol> make_initial_protocol() {
  return std::make_unique<InitialProtocol>();
}

}  // namespace haloheap::coherence::detail
