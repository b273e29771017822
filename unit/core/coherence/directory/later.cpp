// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/later.hpp>

#include <utility>

namespace haloheap::coherence::test {

Later::Later(int queues, unsigned seed)
    : lines_(static_cast<std::size_t>(queues)), random_(seed), eagerness_(static_cast<int>(seed % 3)) {}

bool Later::done(const detail::Ticket& ticket) const {
  return lines_[static_cast<std::size_t>(ticket.queue)].done >= ticket.number;
}

std::vector<detail::Ticket> Later::done() const {
  std::vector<detail::Ticket> tickets;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    tickets.push_back({static_cast<detail::Queue>(i), lines_[i].done});
  return tickets;
}

bool Later::ready(const Action& action) const {
  for (const detail::Ticket& ticket : action.after)
    if (!done(ticket)) return false;
  return true;
}

void Later::add(Action action) {
  Line& line = lines_[static_cast<std::size_t>(action.ticket.queue)];
  require(action.ticket.number == line.added + 1, "a ticket has no work, or work no ticket");
  for (const detail::Ticket& ticket : action.after)
    require(ticket.number <= lines_[static_cast<std::size_t>(ticket.queue)].added,
            "a dependence on work that does not exist yet");
  ++line.added;
  for (const BufferPtr& buffer : action.buffers) ++buffer->pending;
  line.actions.push_back(std::move(action));
}

void Later::release(Action action) {
  releases_.push_back(std::move(action));
}

void Later::run_front(Line& line) {
  const Action action = std::move(line.actions.front());
  line.actions.pop_front();
  if (action.run) action.run();
  for (const BufferPtr& buffer : action.buffers) --buffer->pending;
  line.done = action.ticket.number;
}

void Later::run_release(std::size_t which) {
  require(releases_[which].buffers[0]->pending == 0, "memory is given back while work still uses it");
  releases_[which].run();
  releases_.erase(releases_.begin() + static_cast<std::ptrdiff_t>(which));
}

/// Only what has to be done first.
void Later::force(const detail::Ticket& ticket) {
  Line& line = lines_[static_cast<std::size_t>(ticket.queue)];
  require(ticket.number <= line.added, "a wait for work that does not exist");
  while (line.done < ticket.number) {
    for (const detail::Ticket& before : line.actions.front().after) force(before);
    run_front(line);
  }
}

bool Later::run_any() {
  const std::size_t choices = lines_.size() + releases_.size();
  const std::size_t start = random_() % choices;
  for (std::size_t i = 0; i < choices; ++i) {
    const std::size_t choice = (start + i) % choices;
    if (choice >= lines_.size()) {
      if (!ready(releases_[choice - lines_.size()])) continue;
      run_release(choice - lines_.size());
      return true;
    }
    Line& line = lines_[choice];
    if (line.actions.empty() || !ready(line.actions.front())) continue;
    run_front(line);
    return true;
  }
  return false;
}

void Later::wait(std::span<const detail::Ticket> tickets) {
  const unsigned more = eagerness_ == 0 ? 0 : static_cast<unsigned>(random_()) % (eagerness_ == 1 ? 4U : 30U);
  for (unsigned i = 0; i < more && run_any(); ++i) {
  }
  for (const detail::Ticket& ticket : tickets) force(ticket);
}

bool Later::release_one(Memory memory) {
  for (std::size_t i = 0; i < releases_.size(); ++i) {
    if (releases_[i].buffers[0]->memory != memory) continue;
    for (const detail::Ticket& ticket : releases_[i].after) force(ticket);
    run_release(i);
    return true;
  }
  return false;
}

void Later::all() {
  while (run_any()) {
  }
  for (const Line& line : lines_) require(line.actions.empty(), "work waits for itself");
}

}  // namespace haloheap::coherence::test
