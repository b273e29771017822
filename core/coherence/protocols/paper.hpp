// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOLS_PAPER_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOLS_PAPER_HPP

#include <haloheap/core/coherence/protocols/flags.hpp>

namespace haloheap::coherence::detail {

/// The new mechanism of [Dastgeer2016], Figure 5 and Algorithms 1 and 2. It is called MSI there but is MOSI:
/// a modified copy stays modified while others are filled from it. What the text leaves open or gets wrong is
/// decided as docs/guide/coherence.md lists.
class PaperProtocol final : public FlagProtocol {
 public:
  void use_on_device(Planner& planner, CopyId copy, const Request& request) const override;
  void use_on_host(Planner& planner, const Request& request) const override;

 private:
  void update(Planner& planner, CopyId copy) const;                // Algorithm 1
  void invalidate_others(Planner& planner, CopyId written) const;  // Algorithm 2
};

std::unique_ptr<Protocol> make_paper_protocol();

}  // namespace haloheap::coherence::detail

#endif
