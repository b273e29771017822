// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOLS_INITIAL_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOLS_INITIAL_HPP

#include <haloheap/core/coherence/protocols/flags.hpp>

namespace haloheap::coherence::detail {

/// The initial mechanism of [Dastgeer2016], Figure 3: all goes through the main copy, and a write on the host
/// removes all device copies. By itself it would use stale copies; programs had to flush the container, which
/// writes modified copies back and removes all. This does that flush at the last moment at which it is
/// needed. Copies are ranges: there are no sub-matrices.
class InitialProtocol : public FlagProtocol {
 public:
  /// \throws CapabilityError for a rectangle that is no range
  void prepare(Planner& planner, const Request& request) const override;
  void use_on_device(Planner& planner, CopyId copy, const Request& request) const override;
  void use_on_host(Planner& planner, const Request& request) const override;

 protected:
  void flush(Planner& planner, const Request& request) const;

 private:
  /// All modified copies, whatever is needed: Figure 3.
  void write_back_all(Planner& planner, ObjectId object, const Rect& needed) const;
};

/// The same with the flush where programs had it: of each container that a call has written, when the call
/// ends.
class InitialFlushProtocol final : public InitialProtocol {
 public:
  void finish(Planner& planner, CopyId copy, const Request& request) const override;
};

std::unique_ptr<Protocol> make_initial_protocol();
std::unique_ptr<Protocol> make_initial_flush_protocol();

}  // namespace haloheap::coherence::detail

#endif
