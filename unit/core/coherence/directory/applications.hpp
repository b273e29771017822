// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_APPLICATIONS_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_APPLICATIONS_HPP

#include <haloheap/core/coherence/directory.hpp>

namespace haloheap::coherence::test {

/// What the applications of Table 1 of [Dastgeer2016] use, call by call, without their numbers. Each device
/// has one part of a vector of `elements`; the last one also what does not divide.
struct Application {
  detail::Directory& directory;
  ElementIndex elements;
  std::size_t element_bytes;
  bool whole_first = false;  ///< devices have room for whole vectors before they are used

  /// Each call reads one vector whole on every device and updates the other; they change places.
  void nbody(int calls) const;
  /// As nbody, but the first vector comes from the host, the other is written, and there is a third of
  /// indices.
  void lu(int calls) const;
  /// Two calls a step, from one vector to the other and back, and one on a vector alone.
  void sph(int steps) const;

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(elements) * element_bytes; }

 private:
  detail::ObjectId add() const;
  void use(detail::ObjectId object, const Rect& rect, Memory memory, Access access) const;
  void parts(detail::ObjectId object, Access access) const;
  void whole(detail::ObjectId object) const;
  void on_host(detail::ObjectId object) const;
};

}  // namespace haloheap::coherence::test

#endif
