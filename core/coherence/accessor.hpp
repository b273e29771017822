// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ACCESSOR_HPP
#define HALOHEAP_CORE_COHERENCE_ACCESSOR_HPP

#include <haloheap/core/coherence/element_store.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace haloheap::coherence {

/// Where elements are to be used.
struct Place {
  Memory memory = host;
  int instance = 0;  ///< of a device: whose queue the kernels stand in
};
inline constexpr Place on_host{};
constexpr Place on_device(int device, int instance = 0) {
  return {memory_of_device(device), instance};
}

/// Elements that may be used until this ends: they are current, and what is written counts. T is const where
/// they are read only. Work on a device is launched on exec(), before this ends. Hands out Views without a
/// copy. Ends before its container does, and before that is resized. Move-only.
template <class T, class Space>
class Accessor {
 public:
  using View = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Tile = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Accessor() = default;
  Accessor(Context& context, const detail::Request& request) {
    hold(context, request);
    bring();
  }
  ~Accessor() { release(); }
  Accessor(Accessor&& other) noexcept { swap(other); }
  Accessor& operator=(Accessor&& other) noexcept {
    release();
    swap(other);
    return *this;
  }

  /// The use is over, as at the end of this object's life.
  void release() noexcept {
    Context* const context = std::exchange(context_, nullptr);
    if (context == nullptr) return;
    if (std::exchange(brought_, false)) {
      detail::ElementStore(*context).finish(grant_.use);
    } else {
      detail::ElementStore(*context).cancel(grant_.use);
    }
  }

  /// The use, for who ends several at once, if there is one; for this it is over.
  bool hand_over(detail::Use& use) noexcept {
    if (context_ == nullptr || !brought_) return false;
    use = grant_.use;
    context_ = nullptr;
    brought_ = false;
    return true;
  }

  /// The two halves of a use, for calls with several: all are held before any is brought.
  void hold(Context& context, const detail::Request& request) {
    release();
    rect_ = request.rect;
    home_ = &context;
    grant_ = {};
    grant_.use.request = request;
    if (rect_.empty()) return;
    grant_.use = detail::ElementStore(context).hold(request);
    context_ = &context;
  }
  void bring() {
    if (context_ == nullptr) return;
    grant_ = detail::ElementStore(*context_).bring(grant_.use);
    brought_ = true;
  }

  /// The first element of rect().
  T* data() const { return static_cast<T*>(grant_.data); }
  /// Elements from one row to the next.
  ElementIndex pitch() const { return grant_.pitch; }
  const Rect& rect() const { return rect_; }
  ElementIndex size() const { return rect_.elements(); }
  /// The elements of a vector: begin, begin + 1, ... of rect().
  View view() const { return View(data(), static_cast<std::size_t>(rect_.columns())); }
  /// The elements of a matrix: the rows and columns of rect().
  Tile tile() const {
    return Tile(data(), Kokkos::LayoutStride(static_cast<std::size_t>(rect_.rows()),
                                             static_cast<std::size_t>(pitch()),
                                             static_cast<std::size_t>(rect_.columns()), 1));
  }
  T& operator[](ElementIndex i) const { return data()[i]; }
  /// The elements of the first row.
  T* begin() const { return data(); }
  T* end() const { return data() + rect_.columns(); }
  /// The instance of the device to launch work on, also where there are no elements, and after the end of
  /// the use. \throws UsageError on the host
  const Context::Exec& exec() const {
    if (home_ == nullptr) throw UsageError("an access that was never made has no instance to launch work on");
    return home_->exec(device_of(grant_.use.request.memory), grant_.use.request.instance);
  }

 private:
  void swap(Accessor& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(home_, other.home_);
    std::swap(grant_, other.grant_);
    std::swap(rect_, other.rect_);
    std::swap(brought_, other.brought_);
  }

  Context* context_ = nullptr;  // null: over, or nothing to use
  Context* home_ = nullptr;     // null: was never one
  detail::Grant grant_;
  Rect rect_;
  bool brought_ = false;
};

template <class T>
using HostAccessor = Accessor<T, Kokkos::HostSpace>;
template <class T>
using DeviceAccessor = Accessor<T, Context::Exec::memory_space>;

}  // namespace haloheap::coherence

#endif
