// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOLS_REGION_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOLS_REGION_HPP

#include <haloheap/core/coherence/protocol.hpp>

namespace haloheap::coherence::detail {

/// Each copy knows which of its elements are the newest, so only those move that are missing, and a use
/// inside of an existing copy takes that copy. Sources are taken in the order of the links' speed, but first
/// what is in the same memory: over links, no directory that waits for reads moves less.
class RegionProtocol final : public Protocol {
 public:
  bool takes_larger_copies() const override { return true; }
  CopyId find(const State& state, const Request& request) const override;
  void use_on_device(Planner& planner, CopyId copy, const Request& request) const override;
  void use_on_host(Planner& planner, const Request& request) const override;
  void write_back(Planner& planner, CopyId copy) const override;
  void drop(State& state, CopyId copy) const override;
  void begin(State& state, ObjectId object) const override;
  bool current(const State& state, CopyId copy, const Rect& rect) const override;
  bool host_alone(const State& state, ObjectId object) const override;

 private:
  void fetch(Planner& planner, CopyId target, const Rect& rect) const;
  void simplify(Planner& planner, CopyId copy) const;
  static void own(State& state, CopyId owner, const Rect& rect);
};

std::unique_ptr<Protocol> make_region_protocol();

}  // namespace haloheap::coherence::detail

#endif
