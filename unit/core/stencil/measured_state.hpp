// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_MEASURED_STATE_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_MEASURED_STATE_HPP

#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/stencil/measure_history.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>

#include <memory>
#include <vector>

namespace haloheap::testing {

/// What a measure says of a state that a pass leaves: what the pass has found on its way, and what the
/// measure's own kernel finds in memory.
template <class Measure>
class MeasuredState {
 public:
  MeasuredState(const Measure& measure, const stencil::Subdomain& where)
      : measurement_(stencil::measurement_of(measure)),
        measure_(measurement_.on(where)),
        history_(memory::make_memory_resource("device"), measurement_.kinds) {
    history_.reserve(2);
  }

  const stencil::StateMeasure& measure() const { return *measure_; }
  /// For the pass.
  stencil::MeasureTarget target() const { return {measure_.get(), history_.slots()}; }
  /// For its kernels.
  stencil::detail::MeasureTally<Measure> tally() const {
    using OnSubdomain = stencil::detail::StateMeasureOf<Measure>;
    return {dynamic_cast<const OnSubdomain&>(*measure_).parts(history_.slots())};
  }

  struct Found {
    std::vector<double> on_the_way, afterwards;
  };
  /// After the pass. @param fields that it has left
  Found found(const backend::Exec& exec, const void* fields) const {
    history_.fold(exec);
    measure_->run(exec, fields, history_.slots());
    history_.fold(exec);
    exec.fence("haloheap::unit::measured_state");
    const std::vector<stencil::MeasuredWords> words = history_.read();
    const std::size_t count = measurement_.kinds.kinds.size();
    Found found;
    for (std::size_t i = 0; i < count; ++i) {
      found.on_the_way.push_back(words[i].value(measurement_.kinds.kinds[i]));
      found.afterwards.push_back(words[count + i].value(measurement_.kinds.kinds[i]));
    }
    return found;
  }

 private:
  stencil::Measurement measurement_;
  std::unique_ptr<stencil::StateMeasure> measure_;
  stencil::MeasureHistory history_;
};

}  // namespace haloheap::testing

#endif
