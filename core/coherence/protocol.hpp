// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOL_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOL_HPP

#include <haloheap/core/base/registry.hpp>
#include <haloheap/core/coherence/planner.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap::coherence {

/// How copies are kept coherent. Holds no state: that is in Planner::state. After each call of one of these
/// it must be true for every element of an object that the main copy has its newest value or that a device
/// copy has it which write_back would save.
class Protocol {
 public:
  virtual ~Protocol() = default;

  /// Before a device copy is looked for.
  virtual void prepare(detail::Planner& /*planner*/, const detail::Request& /*request*/) const {}
  /// Whether a use inside of a larger copy may take that copy.
  virtual bool takes_larger_copies() const { return false; }
  /// The device copy that serves the request; no_copy: a new one of just these elements is needed.
  virtual detail::CopyId find(const detail::State& state, const detail::Request& request) const = 0;
  /// Brings what a use of `request` in device copy `copy` reads, and marks what it writes.
  virtual void use_on_device(detail::Planner& planner, detail::CopyId copy,
                             const detail::Request& request) const = 0;
  virtual void use_on_host(detail::Planner& planner, const detail::Request& request) const = 0;
  /// The use is over and its ticket stands.
  virtual void finish(detail::Planner& /*planner*/, detail::CopyId /*copy*/,
                      const detail::Request& /*request*/) const {}

  /// The main copy gets what only this device copy has.
  virtual void write_back(detail::Planner& planner, detail::CopyId copy) const = 0;
  /// The elements of a device copy are no longer the newest; those that only it has are lost, and the main
  /// copy's old ones become the newest.
  virtual void drop(detail::State& state, detail::CopyId copy) const = 0;
  /// A new object: the main copy has everything.
  virtual void begin(detail::State& state, detail::ObjectId object) const = 0;

  /// Whether a copy has the newest value of all these elements.
  virtual bool current(const detail::State& state, detail::CopyId copy, const Rect& rect) const = 0;
  /// Whether no device copy has any.
  virtual bool host_alone(const detail::State& state, detail::ObjectId object) const = 0;
};

/// A policy, as lists and help texts show it, and the properties by which others treat it.
struct PolicyEntry {
  std::string name;
  std::string help;
  std::unique_ptr<Protocol> (*make)();
  bool peer_copies = true;      ///< devices may copy straight to each other
  bool keeps_copies = true;     ///< device copies last beyond their uses, whatever the host does
  bool keeps_results = true;    ///< devices keep what calls have written until something else needs it
  bool keeps_operands = true;   ///< devices keep what calls have read
  bool sub_matrices = true;     ///< uses may be of rectangles that are no ranges of whole rows
  bool knows_elements = false;  ///< each copy knows which of its elements are the newest, not all or none
};

/// A new policy is a file pair in protocols/ and a line in protocol_list.cpp.
const Registry<PolicyEntry>& policies();

/// The names of the policies with a property, as a remedy says them: "a, b or c".
std::string policies_that(bool PolicyEntry::*property);

}  // namespace haloheap::coherence

#endif
