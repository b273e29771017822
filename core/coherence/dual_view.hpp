// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_DUAL_VIEW_HPP
#define HALOHEAP_CORE_COHERENCE_DUAL_VIEW_HPP

#include <haloheap/core/coherence/container.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace haloheap::coherence {

/// A container as code for Kokkos::DualView expects it: a View of all its elements on the host and one on a
/// device, and `sync` and `modify`, by which the program says what it needs and what it has changed. Beside
/// it the container can be used as ever: what another use of it has changed shows after the next sync.
///
/// The Views are good until the container is resized or ends, which is refused as long as this lives, or this
/// ends. Once the container has been moved, all that this could do is an error. Kernels are launched on
/// exec(), which all later uses of the container wait for, or the program waits for them before the container
/// is used again. Where the context has no devices both Views are the host's. A sync blocks until the
/// elements are there.
template <class C>
class DualView {
  using T = typename C::value_type;
  template <class Space>
  using ViewOn = typename C::template ViewOf<Space>;

 public:
  using DeviceSpace = Context::Exec::memory_space;
  using HostView = ViewOn<Kokkos::HostSpace>;
  using KernelView = ViewOn<DeviceSpace>;

  /// \throws DeviceFull, CapabilityError for policies whose copies on devices do not last, UsageError for a
  /// device that there is not
  explicit DualView(C& container, int device = 0)
      : container_(&container),
        context_(&container.context()),
        state_(container.main_.state),
        place_(on_device(device)) {
    if (container.context().devices() == 0 || container.empty()) return;
    kept_ = store().keep({container.object(), container.whole(), place_.memory, Access::read});
  }
  ~DualView() {
    // The container may be gone, which is an error that its end has told of, or have been moved.
    if (kept_ && !state_->ended) detail::ElementStore(*context_).let_go(kept_->use);
  }
  DualView(const DualView&) = delete;
  DualView& operator=(const DualView&) = delete;

  HostView view_host() const { return container().template view_of<Kokkos::HostSpace>(host_data()); }
  /// \throws UsageError where there is no device, and kernels do not reach the host's memory
  KernelView view_device() const {
    if (kept_) return container().template view_of<DeviceSpace>(static_cast<T*>(kept_->data));
    require_reach();
    return container().template view_of<DeviceSpace>(host_data());
  }
  const Context::Exec& exec() const { return container().context().exec(device_of(place_.memory)); }

  /// The view becomes current.
  void sync_host() {
    if (!kept_) return;
    (void)std::as_const(container()).read();
    store().wait_for_copies(kept_->use);
  }
  void sync_device() {
    if (!kept_) return;
    (void)std::as_const(container()).read(place_);
    store().wait_for_copies(kept_->use);  // in an asynchronous context, too
  }
  /// The view has been changed, and others are old. \throws UsageError if it was old itself
  void modify_host() {
    if (!kept_) return;
    if (need_sync_host()) throw_both_changed("the host");
    (void)container().read_write();
  }
  void modify_device() {
    if (!kept_) return;
    if (need_sync_device()) throw_both_changed("the device");
    (void)container().read_write(place_);
  }
  bool need_sync_host() const { return kept_ && !store().host_current(container().object()); }
  bool need_sync_device() const { return kept_ && !store().current(kept_->use); }

  /// The same by the memory space, or by an execution space of it.
  template <class Space>
  auto view() const {
    if constexpr (is_device<Space>)
      return view_device();
    else
      return view_host();
  }
  template <class Space>
  void sync() {
    is_device<Space> ? sync_device() : sync_host();
  }
  template <class Space>
  void modify() {
    is_device<Space> ? modify_device() : modify_host();
  }

 private:
  /// On a host that emulates devices, the host's memory is the host's.
  template <class Space>
  static constexpr bool is_device = std::is_same_v<typename Space::memory_space, DeviceSpace> &&
                                    !std::is_same_v<DeviceSpace, Kokkos::HostSpace>;

  /// \throws UsageError if it has ended or been moved since, or its context has ended
  C& container() const {
    if (state_->ended || container_->main_.state != state_)
      throw UsageError("the container of a DualView has ended or been moved, or its context has ended",
                       "its elements are elsewhere or nowhere",
                       "make the DualView of the container that they were moved to, after the move");
    return *container_;
  }
  detail::ElementStore store() const { return detail::ElementStore(container().context()); }
  T* host_data() const { return container().empty() ? nullptr : container().data(); }
  void require_reach() const {
    if (!Kokkos::SpaceAccessibility<Context::Exec, Kokkos::HostSpace>::accessible && !container().empty())
      throw UsageError("'" + container().label() + "' has no View on a device: its context has none");
  }
  [[noreturn]] void throw_both_changed(const std::string& where) const {
    throw UsageError("'" + container().label() + "' was changed on " + where + ", and elsewhere before",
                     "one of the changes would be lost", "call sync before the elements are changed");
  }

  C* container_;
  Context* context_;
  std::shared_ptr<const detail::HostState> state_;  ///< of the container, whether that is there or not
  Place place_;
  std::optional<detail::Grant> kept_;  ///< none: there is no device, or no element
};

}  // namespace haloheap::coherence

#endif
