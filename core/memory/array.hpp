// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ARRAY_HPP
#define HALOHEAP_CORE_MEMORY_ARRAY_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/memory/array_support.hpp>
#include <haloheap/core/memory/space.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace haloheap::memory {

/// `size()` elements of T, one after the other, in the memory of a resource that is chosen at run time. The
/// elements start out undefined. Owns the memory; move-only.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>, "the elements are copied as bytes");

 public:
  using KernelView = Kokkos::View<T*, backend::Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using HostView = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  /// In the space that promises just what the resource gives.
  using Storage = std::variant<Kokkos::View<T*, PageableSpace>, Kokkos::View<T*, DeviceSpace>,
                               Kokkos::View<T*, SharedSpace>>;

  /// \throws UsageError for a null resource; OutOfMemory
  Array(std::shared_ptr<MemoryResource> resource, std::string label, std::size_t size)
      : label_(std::move(label)), size_(size), resource_(std::move(resource)) {
    detail::require_array_fits(resource_.get(), label_, size_, sizeof(T));
    const backend::Properties properties = resource_->properties();
    if (!properties.device_accessible) {
      place<PageableSpace>();
    } else if (!properties.host_accessible) {
      place<DeviceSpace>();
    } else {
      place<SharedSpace>();
    }
  }
  Array(Array&&) noexcept = default;
  Array& operator=(Array&&) noexcept = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() = default;

  T* data() const {
    return std::visit([](const auto& view) { return view.data(); }, storage_);
  }
  std::size_t size() const { return size_; }
  const std::string& label() const { return label_; }
  MemoryResource& resource() const { return *resource_; }
  const Storage& storage() const { return storage_; }

  /// Whether the host may use data() directly; if not, copy (deep_copy below).
  bool host_accessible() const { return resource_->properties().host_accessible; }

  /// Whether kernels may use view(). True for all memory on the host backend.
  bool kernel_accessible() const {
    return std::visit(
        [](const auto& view) {
          using Space = typename std::decay_t<decltype(view)>::memory_space;
          return bool{Kokkos::SpaceAccessibility<backend::Exec, Space>::accessible};
        },
        storage_);
  }

  /// The elements for kernels of the default execution space. Does not own them.
  /// \throws UsageError unless kernel_accessible()
  KernelView view() const {
    if (!kernel_accessible()) detail::throw_inaccessible(*resource_, label_, "kernels");
    return KernelView(data(), size_);
  }

  /// The elements for the host. Does not own them.
  /// \throws UsageError unless host_accessible()
  HostView host_view() const {
    if (!host_accessible()) detail::throw_inaccessible(*resource_, label_, "the host");
    return HostView(data(), size_);
  }

 private:
  template <class Space>
  void place() {
    storage_ = Kokkos::View<T*, Space>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, Space(resource_), label_), size_);
  }

  std::string label_;
  std::size_t size_;
  std::shared_ptr<MemoryResource> resource_;
  Storage storage_;
};

template <class T>
Array<T> make_array(std::shared_ptr<MemoryResource> resource, std::string label, std::size_t size) {
  return Array<T>(std::move(resource), std::move(label), size);
}

/// Copies all elements, whatever the resources; the work is enqueued on `execution`.
/// \throws UsageError if the sizes differ
template <class Execution, class T>
void deep_copy(const Execution& execution, const Array<T>& to, const Array<T>& from) {
  detail::require_same_size(to.label(), to.size(), from.label(), from.size());
  if (to.size() == 0) return;
  std::visit([&](const auto& target, const auto& source) { Kokkos::deep_copy(execution, target, source); },
             to.storage(), from.storage());
}

}  // namespace haloheap::memory

#endif
