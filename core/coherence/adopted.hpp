// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ADOPTED_HPP
#define HALOHEAP_CORE_COHERENCE_ADOPTED_HPP

#include <haloheap/core/coherence/rect.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <utility>

namespace haloheap::coherence::detail {

/// Memory of the host that somebody else has: it is given out as it is, and never freed.
class AdoptedMemory final : public memory::MemoryResource {
 public:
  /// @param keeper lives as long as this; may be empty
  AdoptedMemory(void* data, std::size_t bytes, std::shared_ptr<const void> keeper)
      : data_(data), bytes_(bytes), keeper_(std::move(keeper)) {}

  backend::Properties properties() const override;
  std::string name() const override { return "adopted"; }

 private:
  /// \throws UsageError for more or less than there is: it can neither grow nor be freed
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const memory::Allocation& /*allocation*/) noexcept override {}

  void* data_;
  std::size_t bytes_;
  std::shared_ptr<const void> keeper_;
};

[[noreturn]] void throw_gaps(const std::string& label, const std::string& view);
[[noreturn]] void throw_other_rows(const std::string& label, ElementIndex adopted, ElementIndex columns);

/// The memory of a View, which lives on with what is returned. \throws UsageError if its elements do not lie
/// row after row without gaps
template <class View>
std::shared_ptr<AdoptedMemory> adopt(const std::string& label, const View& view) {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible,
                "the elements of a container are at home on the host: adopt a View there");
  std::size_t elements = 1;
  for (std::size_t dimension = View::rank(); dimension-- > 0;) {
    if (view.extent(dimension) > 1 && view.stride(dimension) != elements) throw_gaps(label, view.label());
    elements *= view.extent(dimension);
  }
  return std::make_shared<AdoptedMemory>(view.data(), elements * sizeof(typename View::value_type),
                                         std::make_shared<const View>(view));
}

}  // namespace haloheap::coherence::detail

#endif
