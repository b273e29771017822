// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/miniapp/problems/containers/lu_app.hpp>
#include <haloheap/miniapp/problems/containers/lu_kernels.hpp>

#include <array>
#include <cmath>
#include <optional>

namespace haloheap {
namespace {

using coherence::all_devices;
using coherence::Context;
using coherence::DeviceAccessor;
using coherence::ElementIndex;
using coherence::Matrix;
using coherence::Part;
using coherence::Place;
using coherence::Rect;
using lu_kernels::Tile;

template <class T, class Space>
Tile<T> tile_of(const coherence::Accessor<T, Space>& access) {
  return {access.data(), access.pitch()};
}
template <class T>
Tile<const T> read_only(const Tile<T>& tile) {
  return {tile.data, tile.pitch};
}

template <class T>
class LuBlocked final : public LuApp<T> {
 public:
  using LuApp<T>::LuApp;

  void prepare(Context& context) override {
    matrix_.emplace(context, "LU", n(), n());
    this->fill(matrix_->write().data());
  }

  void run(Context& context) override {
    std::iota(this->rows_.begin(), this->rows_.end(), ElementIndex{0});
    reserve(context);
    for (ElementIndex begin = 0; begin < n(); begin += this->settings_.block) {
      const ElementIndex end = std::min(n(), begin + this->settings_.block);
      if (this->settings_.pivot) pivot(context, begin, end);
      finish_rows(context, begin, end);
      update(context, begin, end);
    }
    matrix_->update_host();
  }

  void clear() override { matrix_.reset(); }
  std::size_t bytes() const override { return this->matrix_bytes(); }

 private:
  const T* factors() const override { return &std::as_const(*matrix_).unchecked(0, 0); }
  ElementIndex steps() const override { return (n() + this->settings_.block - 1) / this->settings_.block; }
  ElementIndex n() const { return this->size(); }

  Part rows_of(const Context& context, int part) const {
    return coherence::part_of(n(), part, all_devices.parts(context), this->settings_.block);
  }
  Place place_of(const Context& context, int part) const { return all_devices.place(context, part); }
  /// Whose rows `row` is one of. No block is divided.
  Place owner(const Context& context, ElementIndex row) const {
    int part = 0;
    while (rows_of(context, part).end <= row) ++part;
    return place_of(context, part);
  }

  /// One copy a device for its own rows and for those that it is going to read or, with pivoting, exchange.
  void reserve(Context& context) {
    for (int part = 0; part < context.devices(); ++part) {
      const Part mine = rows_of(context, part);
      if (mine.begin < mine.end)
        matrix_->reserve(place_of(context, part), {0, this->settings_.pivot ? n() : mine.end, 0, n()});
    }
  }

  /// Partial pivoting of columns [begin, end), all rows, on the host; the same exchanges elsewhere, where
  /// the rows are that are going to be finished.
  void pivot(Context& context, ElementIndex begin, ElementIndex end) {
    const std::vector<ElementIndex> pivots = factor_panel(context, begin, end);
    const Place place = owner(context, begin);
    for (ElementIndex row = begin; row < end; ++row) {
      const ElementIndex other = pivots[static_cast<std::size_t>(row - begin)];
      if (other == row) continue;
      std::swap(this->rows_[static_cast<std::size_t>(row)], this->rows_[static_cast<std::size_t>(other)]);
      swap_rows(context, place, row, other, 0, begin);
      swap_rows(context, place, row, other, end, n());
    }
  }

  std::vector<ElementIndex> factor_panel(Context& context, ElementIndex begin, ElementIndex end) {
    const auto access = matrix_->read_write(Rect{begin, n(), begin, end});
    const Tile<T> panel = tile_of(access);
    const ElementIndex rows = n() - begin, columns = end - begin;
    std::vector<ElementIndex> pivots;
    for (ElementIndex k = 0; k < columns; ++k) {
      const ElementIndex best = largest_below(panel, k, rows);
      pivots.push_back(begin + best);
      if (best != k) std::swap_ranges(&panel(k, 0), &panel(k, 0) + columns, &panel(best, 0));
      launch(context, "haloheap::lu::panel", coherence::on_host, 1, rows - k,
             lu_kernels::EliminateRow<T>{panel.at(k, k), columns - k});
    }
    return pivots;
  }

  static ElementIndex largest_below(const Tile<T>& panel, ElementIndex column, ElementIndex rows) {
    ElementIndex best = column;
    for (ElementIndex row = column + 1; row < rows; ++row)
      if (std::abs(panel(row, column)) > std::abs(panel(best, column))) best = row;
    return best;
  }

  void swap_rows(Context& context, Place place, ElementIndex row, ElementIndex other, ElementIndex begin,
                 ElementIndex end) {
    if (begin == end) return;
    const auto x = matrix_->read_write(place, {row, row + 1, begin, end});
    const auto y = matrix_->read_write(place, {other, other + 1, begin, end});
    launch(context, "haloheap::lu::swap", place, 0, end - begin, lu_kernels::SwapRows<T>{x.data(), y.data()});
  }

  /// Rows [begin, end) of U, and of L what is below its diagonal. With pivoting the square on the diagonal is
  /// done.
  void finish_rows(Context& context, ElementIndex begin, ElementIndex end) {
    const Place place = owner(context, begin);
    const ElementIndex size = end - begin;
    if (this->settings_.pivot) {
      if (end == n()) return;
      const auto square = std::as_const(*matrix_).read(place, {begin, end, begin, end});
      const auto right = matrix_->read_write(place, {begin, end, end, n()});
      return solve(context, place, tile_of(square), tile_of(right), size, n() - end);
    }
    const auto access = matrix_->read_write(place, {begin, end, begin, n()});
    const Tile<T> rows = tile_of(access);
    with_exec(context, place, [&](const auto& exec) { lu_kernels::factor_square(exec, rows, size); });
    solve(context, place, read_only(rows), rows.at(0, size), size, n() - end);
  }

  void solve(Context& context, Place place, const Tile<const T>& l, const Tile<T>& x, ElementIndex size,
             ElementIndex columns) {
    launch(context, "haloheap::lu::columns", place, 0, columns, lu_kernels::SolveColumn<T>{l, x, size});
  }

  /// All rows below: the columns [begin, end) of L, and what is right of them. Each device takes all columns
  /// of its rows, though only those from `begin` on change: that is the same sub-matrix until its own rows
  /// are finished, which the policy `paper` can find again.
  void update(Context& context, ElementIndex begin, ElementIndex end) {
    std::array<DeviceAccessor<const T>, coherence::max_devices> above;
    std::array<DeviceAccessor<T>, coherence::max_devices> below;
    const int parts = all_devices.parts(context);
    const ElementIndex first = this->settings_.pivot ? end : begin;  // of the columns that are read
    if (end == n()) return;
    const auto each = [&](const auto& work) {
      for (int part = 0; part < parts; ++part) {
        const Part mine = rows_of(context, part);
        const Rect rest{std::max(mine.begin, end), mine.end, 0, n()};
        if (!rest.empty()) work(static_cast<std::size_t>(part), place_of(context, part), rest);
      }
    };
    each([&](std::size_t part, Place place, const Rect& /*rest*/) {
      above[part] = std::as_const(*matrix_).read(place, {begin, end, first, n()});
    });
    each([&](std::size_t part, Place place, const Rect& rest) {
      below[part] = matrix_->read_write(place, rest);
    });
    each([&](std::size_t part, Place place, const Rect& rest) {
      update_rows(context, place, tile_of(above[part]), tile_of(below[part]), rest.rows(), begin, end);
    });
  }

  void update_rows(Context& context, Place place, const Tile<const T>& above, const Tile<T>& below,
                   ElementIndex rows, ElementIndex begin, ElementIndex end) {
    const ElementIndex depth = end - begin;
    const bool solved = this->settings_.pivot;  // by the host, with the panel
    if (!solved)
      launch(context, "haloheap::lu::rows", place, 0, rows,
             lu_kernels::SolveRow<T>{above, below.at(0, begin), depth});
    with_exec(context, place, [&](const auto& exec) {
      lu_kernels::subtract_product(exec, below.at(0, end), read_only(below.at(0, begin)),
                                   solved ? above : above.at(0, depth), rows, n() - end, depth);
    });
  }

  std::optional<Matrix<T>> matrix_;
};

}  // namespace

template <class T>
std::unique_ptr<ContainerApp> make_lu_blocked(const LuSettings& settings) {
  return std::make_unique<LuBlocked<T>>(settings);
}

template std::unique_ptr<ContainerApp> make_lu_blocked<float>(const LuSettings&);
template std::unique_ptr<ContainerApp> make_lu_blocked<double>(const LuSettings&);

}  // namespace haloheap
