// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ACCESSOR_HPP
#define HALOHEAP_CORE_COHERENCE_ACCESSOR_HPP

#include <haloheap/core/coherence/context.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace haloheap::coherence {

/// Where elements are to be used.
struct Place {
  Memory memory = host;
};
inline constexpr Place on_host{};
constexpr Place on_device(int device) {
  return {memory_of_device(device)};
}

/// Elements that may be used until this ends: they are current, and what is written counts. T is const where
/// they are read only. Work on a device is launched on exec(), before this ends. Hands out Views without a
/// copy. Move-only.
template <class T, class Space>
class Accessor {
 public:
  using View = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Tile = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Accessor() = default;
  Accessor(Context& context, const Request& request)
      : context_(request.rect.empty() ? nullptr : &context),
        rect_(request.rect),
        device_(device_of(request.memory)) {
    if (context_) grant_ = context_->acquire(request);
  }
  ~Accessor() { release(); }
  Accessor(Accessor&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)),
        grant_(other.grant_),
        rect_(other.rect_),
        device_(other.device_) {}
  Accessor& operator=(Accessor&& other) noexcept {
    release();
    context_ = std::exchange(other.context_, nullptr);
    grant_ = other.grant_;
    rect_ = other.rect_;
    device_ = other.device_;
    return *this;
  }

  /// The use is over, as at the end of this object's life.
  void release() noexcept {
    if (Context* const context = std::exchange(context_, nullptr)) context->finish(grant_.use);
  }

  /// The first element of rect().
  T* data() const { return static_cast<T*>(grant_.data); }
  /// Elements from one row to the next.
  Index pitch() const { return grant_.pitch; }
  const Rect& rect() const { return rect_; }
  Index size() const { return rect_.elements(); }
  /// Of a vector: elements begin, begin + 1, ... of rect().
  View view() const { return View(data(), static_cast<std::size_t>(rect_.columns())); }
  /// Of a matrix.
  Tile tile() const {
    return Tile(data(), Kokkos::LayoutStride(static_cast<std::size_t>(rect_.rows()),
                                             static_cast<std::size_t>(pitch()),
                                             static_cast<std::size_t>(rect_.columns()), 1));
  }
  T& operator[](Index i) const { return data()[i]; }
  /// Of the first row.
  T* begin() const { return data(); }
  T* end() const { return data() + rect_.columns(); }
  /// Of a device only.
  const Context::Exec& exec() const { return context_->exec(device_); }

 private:
  Context* context_ = nullptr;  // null: over, or nothing to use
  Context::Grant grant_;
  Rect rect_;
  int device_ = -1;
};

template <class T>
using HostAccessor = Accessor<T, Kokkos::HostSpace>;
template <class T>
using DeviceAccessor = Accessor<T, Context::Exec::memory_space>;

}  // namespace haloheap::coherence

#endif
