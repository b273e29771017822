# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# Directories with one fault each, made of the real sources. The oracle has to find every one of them.
add_library(haloheap_coherence_mutant_main OBJECT mutant_main.cpp)
target_link_libraries(haloheap_coherence_mutant_main PUBLIC haloheap_coherence_oracle)

# In a directory without a fault it finds nothing, or it would prove nothing.
add_executable(coherence_mutant_without_fault $<TARGET_OBJECTS:haloheap_coherence_mutant_main>)
target_link_libraries(coherence_mutant_without_fault PRIVATE haloheap_coherence_oracle)
add_test(NAME coherence_mutant_without_fault COMMAND coherence_mutant_without_fault)
haloheap_test_properties(coherence_mutant_without_fault unit 120 1)
set_tests_properties(coherence_mutant_without_fault PROPERTIES PASS_REGULAR_EXPRESSION "The oracle found nothing")

# coherence_mutant(name file old new): `old` must be in the file exactly once.
function(coherence_mutant name file old new)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${coherence}/${file})
  file(READ ${coherence}/${file} text)
  string(FIND "${text}" "${old}" first)
  string(FIND "${text}" "${old}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "mutant ${name}: its text must be exactly once in core/coherence/${file}:\n${old}")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  set(mutated ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}.cpp)
  file(CONFIGURE OUTPUT ${mutated} CONTENT "@text@" @ONLY)  # not WRITE: what is the same is not compiled again
  add_executable(coherence_mutant_${name} ${mutated})
  target_link_libraries(coherence_mutant_${name} PRIVATE haloheap_coherence_mutant_main haloheap_coherence_oracle)
  add_test(NAME coherence_mutant_${name} COMMAND coherence_mutant_${name})
  haloheap_test_properties(coherence_mutant_${name} unit 120 1)
endfunction()

# --- The text of [Dastgeer2016], taken as it is printed --------------------------------------------------------------
# Algorithm 1, line 33: [offset_src, offset_dst + n_src).
coherence_mutant(source_range_as_printed protocols/paper.cpp [[      write_back(planner, owner);]] [[
      const Rect& from = state.copy(owner).rect;
      planner.copy(owner, main_id, {from.row, from.row_end, from.column, target.rect.column + from.columns()});
      state.copy(owner).modified = false;
      settle(state, target.object);]])
# Lines 42 and 43: not taken, as the main copy is not valid.
coherence_mutant(last_option_omitted protocols/paper.cpp [[so here it is.
    planner.copy(main_id, id, rect);]] [[so here it is.]])
# Footnote 10: at most two new ranges.
coherence_mutant(two_remainders protocols/paper.cpp
  [[for (const Rect& rest : subtract(rect, part)) todo.push_back(rest);]]
  [[int left = 2; for (const Rect& rest : subtract(rect, part)) if (left-- > 0) todo.push_back(rest);]])
# Figure 5: "clear the flags of all overlapping copies", that which is written among them.
coherence_mutant(writer_invalidates_itself protocols/paper.cpp
  [[copy.modified = copy.modified || writes(request.access);]]
  [[copy.modified = copy.modified || writes(request.access); if (writes(request.access)) copy.modified = copy.valid = false;]])
# The inverted test of SkePU 3: no write-back where the old copy covers the new.
coherence_mutant(cover_test_inverted protocols/paper.cpp [[    if (copy.modified)
      for]] [[    if (copy.modified && !copy.rect.contains(rect))
      for]])

# --- Flags -----------------------------------------------------------------------------------------------------------
coherence_mutant(modified_after_write_back protocols/flags.cpp [[  copy.modified = false;
  settle]] [[  settle]])
coherence_mutant(main_valid_too_early protocols/flags.cpp [[    if (state.copy(id).modified) return;]] [[    (void)id;]])
coherence_mutant(others_stay_valid protocols/paper.cpp [[    copy.modified = copy.valid = false;]] [[    copy.modified = false;]])
coherence_mutant(off_by_one_at_the_end protocols/paper.cpp
  [[if (overlap(copy.rect, request.rect)) copy.valid = copy.modified = false;]]
  [[Rect rect = request.rect; --rect.column_end; if (overlap(copy.rect, rect)) copy.valid = copy.modified = false;]])
coherence_mutant(peer_in_the_wrong_direction protocols/paper.cpp [[link(copy.memory, target.memory).direct]]
  [[link(target.memory, copy.memory).direct]])
coherence_mutant(initial_without_flush protocols/initial.cpp [[if (stale) flush(planner, request);]] [[(void)stale;]])
coherence_mutant(none_brings_nothing_back protocols/none.cpp [[  write_back(planner, id);
  planner.release(id);]] [[  planner.release(id);]])

# --- Regions ---------------------------------------------------------------------------------------------------------
coherence_mutant(region_others_keep_old protocols/region.cpp [[    if (id != owner) state.copy(id).current.remove(rect);]] [[    (void)id;]])
coherence_mutant(region_main_keeps_old protocols/region.cpp
  [[  if (owner != object.main) state.copy(object.main).current.remove(rect);]] [[]])
coherence_mutant(region_link_not_direct protocols/region.cpp [[if (&copy == &target || link.direct != direct) return;]]
  [[if (&copy == &target || !direct) return;]])
coherence_mutant(region_widened_over_copies_in_use protocols/region.cpp
  [[    if (state.copy(id).pins > 0) continue;  // what]] [[    // what]])
coherence_mutant(region_simplified_without_write_back protocols/region.cpp [[  write_back(planner, id);
  copy.current = std::move(kept);]] [[  copy.current = std::move(kept);]])
coherence_mutant(region_writes_back_old_parts protocols/region.cpp [[  find_unique(state, id, planner.todo);
  for]] [[  planner.todo.assign(1, state.copy(id).rect);
  for]])

# --- Room ------------------------------------------------------------------------------------------------------------
coherence_mutant(eviction_without_write_back directory.cpp [[  protocol_->write_back(planner_, id);
  planner_.release(id);]] [[  planner_.release(id);]])
coherence_mutant(eviction_of_copies_in_use directory.cpp [[copy.memory != memory || copy.pins > 0) continue;
    if (oldest]] [[copy.memory != memory) continue;
    if (oldest]])
coherence_mutant(eviction_of_the_newest directory.cpp [[copy.last_used < state_.copy(oldest).last_used]]
  [[copy.last_used > state_.copy(oldest).last_used]])

# --- Dependences -----------------------------------------------------------------------------------------------------
coherence_mutant(source_not_waited_for planner.cpp
  [[  source.history.collect(rect, false, step.ticket.queue, plan_.tickets, step.after.first);]] [[]])
coherence_mutant(target_not_waited_for planner.cpp
  [[  target.history.collect(rect, true, step.ticket.queue, plan_.tickets, step.after.first);]] [[]])
coherence_mutant(release_waits_for_nothing planner.cpp
  [[  copy.history.collect(copy.rect, true, -1, plan_.tickets, step.after.first);]] [[]])
coherence_mutant(use_waits_for_nothing planner.cpp
  [[  state.copy(id).history.collect(rect, write, queue, plan_.tickets, plan_.after.first);]]
  [[  (void)id, (void)rect, (void)write, (void)queue;]])
coherence_mutant(history_forgets_what_it_overlaps history.cpp [[if (!rect.contains(use.rect)) return false;]]
  [[if (!overlap(rect, use.rect)) return false;]])
coherence_mutant(resize_while_read directory.cpp [[  planner_.use(object.main, object.whole, true, -1);]] [[]])
