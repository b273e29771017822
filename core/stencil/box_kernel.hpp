// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_BOX_KERNEL_HPP
#define HALOHEAP_CORE_STENCIL_BOX_KERNEL_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/outside.hpp>

#include <concepts>

/// One time step as a function that launches users' own kernels:
///
///     struct Step {
///       using Fields = haloheap::stencil::Fields<double>;
///       static constexpr int dims = 2, radius = 1;
///       void operator()(const Exec& exec, const FieldAccess<const double>& in,
///                       const FieldAccess<double>& out, const haloheap::grid::Box& box) const;
///     };
///
/// It enqueues on `exec` what computes `out` on the cells of `box` (local coordinates), from cells of `in` at
/// most `radius` away, and does not wait. Ghost cells are filled, and cells outside the grid have what the
/// sides say. It is called for several boxes a step, of any size, and must give a cell the same value in
/// each.
///
/// What an update rule may say of itself (core/stencil/rule.hpp) it may say, too: `Constants`, fields that no
/// step changes; `uses_step = true`, that it asks for the number of the step; `stages`, that a step has
/// several, for each of which it is called; and a member `outside`, see Ghost. What it then asks for is in a
/// fifth parameter, `const StepAccess<Constants>&` or `const StepAccess<>&`, which kernels copy by value.
namespace haloheap::stencil {

/// The fields of a subdomain for a user's own kernel, by value in it. Cell (0, 0, 0) is the first own one;
/// ghost cells have coordinates below 0, and from the number of own cells on. Small, for a kernel has
/// several: Kokkos passes functors above 512 bytes in a way that a graph cannot record.
template <class T>
class FieldAccess {
 public:
  FieldAccess(T* data, const grid::FieldLayout& layout)
      : first_(data + layout.origin),
        pitch_(layout.pitch),
        plane_(layout.plane),
        field_size_(layout.quantity_size) {}

  HALOHEAP_FUNCTION T& operator()(int field, grid::Index x, grid::Index y, grid::Index z = 0) const {
    return first_[field * field_size_ + z * plane_ + y * pitch_ + x];
  }

 private:
  T* first_;
  grid::Index pitch_, plane_, field_size_;
};

namespace detail {

/// A kernel as the rule whose fields, constants, steps and sides it has.
template <class Kernel>
struct WithoutValues {
  using Fields = typename Kernel::Fields;
  using Constants = typename ConstantsOfRule<Kernel>::type;
  static constexpr int dims = Kernel::dims, radius = Kernel::radius, max_fused_steps = 1;
  static constexpr int stages = [] {
    if constexpr (requires { Kernel::stages; })
      return Kernel::stages;
    else
      return 1;
  }();
  static constexpr bool uses_step = [] {
    if constexpr (requires { Kernel::uses_step; })
      return Kernel::uses_step;
    else
      return false;
  }();

  template <class Cell>
  HALOHEAP_FUNCTION Values<typename Fields::type, Fields::count> operator()(const Cell&) const {
    return {};
  }
};

template <class Kernel>
struct SidesOf : WithoutValues<Kernel> {
  SidesOf() = default;
  explicit SidesOf(const Kernel&) {}
};
template <HasOutside Kernel>
struct SidesOf<Kernel> : WithoutValues<Kernel> {
  static_assert(std::is_trivially_copyable_v<Kernel>,
                "kernels of one's own that say what is outside are copied into kernels as bytes: they are "
                "trivially copyable, and have the pointer data() of a View in place of the View");
  using T = typename Kernel::Fields::type;
  Kernel kernel;

  explicit SidesOf(const Kernel& all) : kernel(all) {}
  KOKKOS_FUNCTION T outside(int field, const Ghost<T>& ghost) const requires(!SeesFieldsOutside<Kernel>) {
    return kernel.outside(field, ghost);
  }
  KOKKOS_FUNCTION T outside(int field, const GhostOfRule<Kernel>& ghost) const
      requires(SeesFieldsOutside<Kernel>) {
    return kernel.outside(field, ghost);
  }
};

}  // namespace detail

/// What kernels of one's own may ask for besides the fields, by value in them.
/// @tparam Constants those of the kernel, if it has any
template <class Constants = NoConstants>
class StepAccess {
 public:
  using Constant = typename Constants::type;

  /// @param since stages since the cycle of passes began
  StepAccess(const Subdomain& where, grid::Index since, int stages)
      : constants{static_cast<const Constant*>(where.constants), where.constants_layout},
        places_(where),
        time_{where.done, since},
        stages_(stages) {}

  /// As far as `radius` from the cells of the box.
  FieldAccess<const Constant> constants;

  /// The place in the whole grid of a cell's local coordinate.
  KOKKOS_FUNCTION grid::Index index(int dim, grid::Index local) const { return places_.place(dim, local); }
  /// The number of the step, from 0 on, of kernels with uses_step or several stages: others are ended
  /// (Kokkos::abort). In kernels alone, since recorded launches are run again.
  KOKKOS_FUNCTION grid::Index step() const { return stages_done() / stages_; }
  /// Of the step, from 0 on. In kernels alone.
  KOKKOS_FUNCTION int stage() const { return static_cast<int>(stages_done() % stages_); }

 private:
  KOKKOS_FUNCTION grid::Index stages_done() const {
    if (time_.done == nullptr)
      Kokkos::abort(
          "a kernel that asks for the number of the step says so: static constexpr bool uses_step = true");
    return *time_.done + time_.since;
  }

  detail::CellPlaces places_;
  detail::Time time_;
  int stages_;
};

namespace detail {

template <class Kernel>
using KernelInput = FieldAccess<const typename Kernel::Fields::type>;
template <class Kernel>
using KernelOutput = FieldAccess<typename Kernel::Fields::type>;

template <class Kernel>
concept TakesBox = requires(const Kernel& kernel, const backend::Exec& exec, const KernelInput<Kernel>& in,
                            const KernelOutput<Kernel>& out, const grid::Box& box) {
  kernel(exec, in, out, box);
};

template <class Kernel>
concept TakesBoxAndStep = requires(const Kernel& kernel, const backend::Exec& exec,
                                   const KernelInput<Kernel>& in, const KernelOutput<Kernel>& out,
                                   const grid::Box& box,
                                   const StepAccess<typename ConstantsOfRule<Kernel>::type>& step) {
  kernel(exec, in, out, box, step);
};

}  // namespace detail

template <class Kernel>
concept BoxKernel = detail::NamesFields<Kernel> && detail::SaysItsReach<Kernel> &&
    (detail::TakesBox<Kernel> || detail::TakesBoxAndStep<Kernel>);

}  // namespace haloheap::stencil

#endif
