// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_WORLD_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_WORLD_HPP

#include <haloheap/core/coherence/directory.hpp>
#include <haloheap/unit/core/coherence/directory/memories.hpp>
#include <haloheap/unit/core/coherence/directory/operation.hpp>

#include <optional>

namespace haloheap::coherence::test {

/// Containers whose elements are version numbers, memories that hold them, and a directory whose plans move
/// them. All functions throw a Violation where something is not as it must be. What is observed is compared
/// with the truth, which knows of no flags.
class World {
 public:
  explicit World(const Setting& setting);

  /// Rectangles are cut to the object as it is; of an empty one nothing is used.
  void use(Memory memory, Access access, const Rect& rect, detail::ObjectId object = 0, int failures = 0);
  void together(detail::Request first, detail::Request second, bool reserve_first);
  /// A use that is under way until it is closed: it may read and write its elements at any time. Operations
  /// that would conflict with it are left out.
  void open(detail::Request request, bool only_reserve);
  /// Ends an open use, if there is one; any number will do.
  void close(std::size_t which = 0);
  void direct(Access access, const Rect& rect, detail::ObjectId object = 0);
  void resize(ElementIndex rows, ElementIndex columns, detail::ObjectId object = 0);
  void replace(detail::ObjectId object = 0);
  void invalidate(detail::ObjectId object = 0);
  void flush(detail::ObjectId object = 0);
  void update_host(detail::ObjectId object = 0);
  void release_devices(detail::ObjectId object = 0);
  void apply(const Operation& operation);

  /// All work that is left is done; the outcome must be that of the program's order.
  void end();

  detail::Directory& directory() { return directory_; }
  const Memories& memories() const { return memories_; }
  const Versions& truth(detail::ObjectId object = 0) const {
    return truth_[static_cast<std::size_t>(object)];
  }

 private:
  /// A use with its dependences, what its object was before and is after it. Without dependences and versions
  /// if it was only reserved.
  struct Held {
    detail::Use use;
    std::vector<detail::Ticket> after;
    Versions old, written;
    bool brought = true;
  };

  Versions& truth_of(detail::ObjectId object) { return truth_[static_cast<std::size_t>(object)]; }
  void add(detail::ObjectId object);
  bool cut(detail::Request& request) const;
  bool oldest_first() const { return setting_.entry().keeps_copies; }
  bool refused(const detail::Request& request) const;
  std::optional<detail::Use> reserve(const detail::Request& request, int failures);
  bool get_memory(const detail::Use& use, int failures);
  std::optional<Held> acquire(const detail::Request& request, int failures);
  Held update(const detail::Use& use);
  Held held(const detail::Use& use);
  void check_full(const DeviceFull& error, const detail::Request& request, bool relieved) const;
  void cancel(const detail::Use& use);
  void read(const Held& operand) const;
  void write_truth(const detail::Request& request);
  void begin(Held& operand);
  void work(std::vector<Held> operands);
  void finish(const std::vector<Held>& operands);
  void wait_on_host(const Held& operand);
  void finish_on_host(const Held& operand);
  void finish_on_device(const std::vector<Held>& operands);
  bool conflicts(const detail::Request& request) const;
  bool conflicts(detail::ObjectId object, Access access) const;
  template <class Function>
  void as_if_written(const Function& function);
  void carry_out(const detail::Plan& plan);
  bool try_carry_out(const detail::Plan& plan, int& failures);
  void host_waits(detail::ObjectId object, const std::vector<detail::Ticket>& tickets);
  void require_main(detail::ObjectId object);
  void check();

  Setting setting_;
  detail::Directory directory_;
  Truth truth_;
  std::unique_ptr<Later> later_;
  Memories memories_;
  Version newest_ = garbage;
  std::vector<Held> open_;
};

}  // namespace haloheap::coherence::test

#endif
