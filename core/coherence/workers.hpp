// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_WORKERS_HPP
#define HALOHEAP_CORE_COHERENCE_WORKERS_HPP

#include <haloheap/backend/launch.hpp>
#include <haloheap/core/coherence/accessor.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace haloheap::coherence {

/// Who does the work of a call: the host, or devices [first, first + count) of the context, a part each.
struct Workers {
  int first = 0;
  int count = 0;  ///< 0: the host; negative: all devices, and the host if there is none
  /// Of the devices: in whose queues the kernels stand. Negative: that of the container which is written, so
  /// that calls that write different ones may overlap
  int instance = -1;

  int parts(const Context& context) const { return std::max(1, count < 0 ? context.devices() : count); }
  Place place(const Context& context, int part) const {
    const bool host_works = count == 0 || context.devices() == 0;
    return host_works ? on_host : on_device(first + part, std::max(0, instance));
  }
};
inline constexpr Workers all_devices{0, -1};
inline constexpr Workers the_host{0, 0};
constexpr Workers one_device(int device) {
  return {device, 1};
}

/// The same, with the instance of a call that writes a container.
inline Workers workers_of(const Workers& workers, const Context& context, detail::ObjectId written) {
  if (workers.instance >= 0) return workers;
  return {workers.first, workers.count, std::max(0, written) % context.instances()};
}

/// Of `size` elements those of one part. Parts begin at multiples of `grain`.
struct Part {
  ElementIndex begin, end;
};
inline Part part_of(ElementIndex size, int part, int parts, ElementIndex grain = 1) {
  const ElementIndex grains = (size + grain - 1) / grain;
  return {std::min(size, grains * part / parts * grain), std::min(size, grains * (part + 1) / parts * grain)};
}

/// Calls work(part, place, elements) for each part of `size` elements that has any.
template <class Work>
void for_each_part(const Workers& workers, const Context& context, ElementIndex size, ElementIndex grain,
                   const Work& work) {
  const int parts = workers.parts(context);
  for (int part = 0; part < parts; ++part) {
    const Part mine = part_of(size, part, parts, grain);
    if (mine.begin < mine.end) work(part, workers.place(context, part), mine);
  }
}

/// Calls work(exec) with the execution-space instance of a place. What is launched there is waited for where
/// it is the host's.
template <class Work>
void with_exec(const Context& context, Place place, const Work& work) {
  if (place.memory == host) {
    const Kokkos::DefaultHostExecutionSpace exec;
    work(exec);
    backend::fence(exec, "haloheap::coherence::with_exec");
  } else {
    work(context.exec(device_of(place.memory), place.instance));
  }
}

/// Launches `kernel(i)` for i in [begin, end) at a place.
template <class Kernel>
void launch(const Context& context, const std::string& label, Place place, ElementIndex begin,
            ElementIndex end, const Kernel& kernel) {
  with_exec(context, place, [&](const auto& exec) {
    using Space = std::decay_t<decltype(exec)>;
    backend::parallel_for(
        label, Kokkos::RangePolicy<Space, Kokkos::IndexType<ElementIndex>>(exec, begin, end), kernel);
  });
}

}  // namespace haloheap::coherence

#endif
