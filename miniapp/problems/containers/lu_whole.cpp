// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/lu_app.hpp>

#include <algorithm>
#include <optional>

namespace haloheap {
namespace {

using coherence::all_devices;
using coherence::Context;
using coherence::ElementIndex;
using coherence::Vector;

/// Where an element is, for the call that makes it. SkePU 1 has no other way of telling.
using Position = std::int32_t;

struct PlaceOf {
  KOKKOS_FUNCTION Position operator()(ElementIndex i) const { return static_cast<Position>(i); }
};

/// Element `place` after column k has been eliminated.
template <class T>
struct EliminateColumn {
  ElementIndex n, k;

  KOKKOS_FUNCTION T operator()(ElementIndex /*i*/, const T* whole, Position place) const {
    const ElementIndex row = place / n, column = place % n;
    const T value = whole[place];
    if (row <= k || column < k) return value;
    const T factor = whole[row * n + k] / whole[k * n + k];
    return column == k ? factor : value - factor * whole[k * n + column];
  }
};

template <class T>
class LuWhole final : public LuApp<T> {
 public:
  using LuApp<T>::LuApp;

  void prepare(Context& context) override {
    a_.emplace(context, "A", elements());
    lu_.emplace(context, "LU", elements());
    places_.emplace(context, "places", elements());
    this->fill(a_->write().data());
  }

  void run(Context& /*context*/) override {
    map_index(all_devices, "haloheap::lu::places", *places_, PlaceOf{});
    result_ = &*a_;
    Vector<T>* next = &*lu_;
    for (ElementIndex k = 0; k < calls(); ++k) {
      map_array(all_devices, "haloheap::lu::whole", *next, EliminateColumn<T>{this->size(), k}, *result_,
                *places_);
      std::swap(result_, next);
    }
    result_->update_host();
  }

  void clear() override {
    a_.reset();
    lu_.reset();
    places_.reset();
  }

  /// The first call finds the matrix on the host, where no device has written a part.
  std::optional<ReplicatedWork> replicated() const override {
    if (calls() < 2) return std::nullopt;
    return ReplicatedWork{"lu", static_cast<double>(this->matrix_bytes()), static_cast<double>(calls() - 1)};
  }
  std::size_t bytes() const override {
    return 2 * this->matrix_bytes() + static_cast<std::size_t>(elements()) * sizeof(Position);
  }

 private:
  const T* factors() const override { return &std::as_const(*result_).unchecked(0); }
  ElementIndex steps() const override { return calls(); }
  ElementIndex calls() const { return this->size() - 1; }
  ElementIndex elements() const { return this->size() * this->size(); }

  std::optional<Vector<T>> a_, lu_;
  std::optional<Vector<Position>> places_;
  Vector<T>* result_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<ContainerApp> make_lu_whole(const LuSettings& settings) {
  return std::make_unique<LuWhole<T>>(settings);
}

template std::unique_ptr<ContainerApp> make_lu_whole<float>(const LuSettings&);
template std::unique_ptr<ContainerApp> make_lu_whole<double>(const LuSettings&);

}  // namespace haloheap
