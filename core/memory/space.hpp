// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_SPACE_HPP
#define HALOHEAP_CORE_MEMORY_SPACE_HPP

#include <haloheap/backend/space_traits.hpp>
#include <haloheap/core/backend/space_kind.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace haloheap::memory {

namespace detail {
/// What the memory spaces share; see ResourceSpace for the meaning.
std::shared_ptr<MemoryResource> default_resource(backend::SpaceKind kind);
std::shared_ptr<MemoryResource> require_fit(backend::SpaceKind kind,
                                            std::shared_ptr<MemoryResource> resource);
void* allocate(const std::shared_ptr<MemoryResource>& resource, const char* space, const char* label,
               std::size_t bytes, std::size_t logical_bytes);
void deallocate(const char* space, const char* label, void* data, std::size_t bytes,
                std::size_t logical_bytes);
/// The resource of the live block, allocated through one of the spaces, that holds `address`; null if none
/// does.
std::shared_ptr<MemoryResource> owner_of(const void* address);

constexpr const char* space_name(backend::SpaceKind kind) {
  if (kind == backend::SpaceKind::pageable) return "HaloheapPageable";
  return kind == backend::SpaceKind::device ? "HaloheapDevice" : "HaloheapShared";
}
}  // namespace detail

/// A Kokkos memory space over a memory resource that is chosen at run time:
///   Kokkos::View<double*, DeviceSpace> u(Kokkos::view_alloc(DeviceSpace(resource), "u"), n);
/// A View keeps its resource alive. Kokkos::resize and Kokkos::realloc fall back to the default resource: use
/// those of haloheap (core/memory/resize.hpp).
template <backend::SpaceKind Kind>
class ResourceSpace {
 public:
  using base_space = typename backend::BaseSpace<Kind>::type;
  using memory_space = ResourceSpace;
  using execution_space = typename base_space::execution_space;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = typename base_space::size_type;
  using index_type = std::make_signed_t<size_type>;

  /// Over the default resource of the kind: pageable, device, managed.
  ResourceSpace() : resource_(detail::default_resource(Kind)) {}

  /// \throws UsageError if the resource is null or not accessible to all that this kind of space promises
  explicit ResourceSpace(std::shared_ptr<MemoryResource> resource)
      : resource_(detail::require_fit(Kind, std::move(resource))) {}

  const std::shared_ptr<MemoryResource>& resource() const { return resource_; }
  static constexpr const char* name() { return detail::space_name(Kind); }

  void* allocate(std::size_t bytes) const { return allocate("[unlabeled]", bytes); }
  void* allocate(const char* label, std::size_t bytes, std::size_t logical_bytes = 0) const {
    return detail::allocate(resource_, name(), label, bytes, logical_bytes);
  }
  template <class Execution>
  void* allocate(const Execution&, std::size_t bytes) const {
    return allocate(bytes);
  }
  template <class Execution>
  void* allocate(const Execution&, const char* label, std::size_t bytes,
                 std::size_t logical_bytes = 0) const {
    return allocate(label, bytes, logical_bytes);
  }
  void deallocate(void* data, std::size_t bytes) const { deallocate("[unlabeled]", data, bytes); }
  void deallocate(const char* label, void* data, std::size_t bytes, std::size_t logical_bytes = 0) const {
    detail::deallocate(name(), label, data, bytes, logical_bytes);
  }

 private:
  std::shared_ptr<MemoryResource> resource_;
};

using PageableSpace = ResourceSpace<backend::SpaceKind::pageable>;
using DeviceSpace = ResourceSpace<backend::SpaceKind::device>;
using SharedSpace = ResourceSpace<backend::SpaceKind::shared>;

namespace detail {
template <class Space>
struct BaseOf {
  using type = Space;
};
template <backend::SpaceKind Kind>
struct BaseOf<ResourceSpace<Kind>> {
  using type = typename backend::BaseSpace<Kind>::type;
};
template <class Space>
using base_of = typename BaseOf<Space>::type;

template <class Space>
inline constexpr bool is_resource_space = !std::is_same_v<Space, base_of<Space>>;

template <class To, class From>
inline constexpr bool is_pair_with_ours = (is_resource_space<To> ||
                                           is_resource_space<From>)&&!std::is_same_v<To, From> &&
                                          !std::is_same_v<To, Kokkos::AnonymousSpace> &&
                                          !std::is_same_v<From, Kokkos::AnonymousSpace>;

/// May a View in `From` become a View in `To`? A View that came from Kokkos has no resource, so it never
/// becomes ours.
template <class To, class From>
constexpr bool is_assignable() {
  if (!is_resource_space<From>) return false;
  if (is_resource_space<To>) return std::is_same_v<To, DeviceSpace> && std::is_same_v<From, SharedSpace>;
  return Kokkos::Impl::MemorySpaceAccess<base_of<To>, base_of<From>>::assignable;
}
}  // namespace detail
}  // namespace haloheap::memory

namespace Kokkos::Impl {

template <class To, class From>
requires haloheap::memory::detail::is_pair_with_ours<To, From>
struct MemorySpaceAccess<To, From> {
  enum : bool { assignable = haloheap::memory::detail::is_assignable<To, From>() };
  enum : bool {
    accessible = MemorySpaceAccess<haloheap::memory::detail::base_of<To>,
                                   haloheap::memory::detail::base_of<From>>::accessible
  };
  enum : bool { deepcopy = true };
};

template <class To, class From, class Execution>
struct DeepCopy<To, From, Execution,
                std::enable_if_t<haloheap::memory::detail::is_resource_space<To> ||
                                 haloheap::memory::detail::is_resource_space<From>>>
    : DeepCopy<haloheap::memory::detail::base_of<To>, haloheap::memory::detail::base_of<From>, Execution> {
  using DeepCopy<haloheap::memory::detail::base_of<To>, haloheap::memory::detail::base_of<From>,
                 Execution>::DeepCopy;
};

}  // namespace Kokkos::Impl

// A record in host-accessible memory writes its header from the host; the others copy it (also on the host
// backend, as on a real device).
KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(haloheap::memory::PageableSpace);
KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_SPECIALIZATION(haloheap::memory::DeviceSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(haloheap::memory::SharedSpace);

#endif
