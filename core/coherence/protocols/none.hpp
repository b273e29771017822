// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOLS_NONE_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOLS_NONE_HPP

#include <haloheap/core/coherence/protocols/flags.hpp>

namespace haloheap::coherence::detail {

/// No memory of what is where ("No CMO" in [Dastgeer2016], Figure 6): operands go to the device before each
/// use, what was written comes back after it, and device copies last as long as the use.
class NoneProtocol final : public FlagProtocol {
 public:
  void use_on_device(Planner& planner, CopyId copy, const Request& request) const override;
  void use_on_host(Planner& planner, const Request& request) const override;
  void finish(Planner& planner, CopyId copy, const Request& request) const override;
};

std::unique_ptr<Protocol> make_none_protocol();

}  // namespace haloheap::coherence::detail

#endif
