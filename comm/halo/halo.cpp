// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/comm/halo/view_shapes.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/grid/decomposition.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::comm {
namespace {

/// @throws UsageError for widths that are none
HaloBounds bounds_of(const Grid& grid, const HaloWidth& width) {
  if (!width.fits(grid.dims))
    throw UsageError(
        fmt::format("{} widths of a halo do not fit a grid of {} dimensions", width.dimensions(), grid.dims),
        "", "give one width for all dimensions, or one for each");
  const grid::Box own = grid.own();
  HaloBounds bounds{.dims = grid.dims, .own = {own.extent(0), own.extent(1), own.extent(2)}};
  for (int dim = 0; dim < grid.dims; ++dim) {
    const auto [low, high] = width.of(dim);
    if (low < 0 || high < 0)
      throw UsageError(fmt::format("a halo cannot be {} and {} cells wide in {}", low, high, "xyz"[dim]), "",
                       "use widths of 0 or more");
    bounds.low[dim] = low, bounds.high[dim] = high;
  }
  return bounds;
}

/// The remedy is in terms of widths, which is what users of Halo choose.
void require_narrow(const Grid& grid, const HaloBounds& bounds) {
  grid::Triple widest;
  for (const int dim : {0, 1, 2}) widest[dim] = std::max(bounds.low[dim], bounds.high[dim]);
  if (const auto problem =
          halo_width_problem(grid.topology.ranks, grid.topology.periodic, grid.dims, widest, grid.cells))
    throw UsageError(problem->cause, problem->consequence,
                     "use a narrower halo, fewer ranks in that dimension, or a larger grid");
}

void require_numbers(const std::vector<FieldView>& fields) {
  for (std::size_t number = 0; number < fields.size(); ++number)
    if (fields[number].type == ValueType::bytes)
      throw UsageError(
          fmt::format("the values of the field {} cannot be added",
                      detail::name_of_field(fields[number], number)),
          "what comes from a neighbour cannot be accumulated",
          "accumulate fields of float, double or integers, and give the others a halo of their own");
}

std::vector<Terms::Item> items(const Grid& grid, const HaloConfig& config,
                               const std::vector<ExchangedField>& fields) {
  std::string types;
  for (const ExchangedField& field : fields)
    types += (types.empty() ? "" : ", ") + std::string(name_of(field.type));
  return {{"cells", detail::extent_text(grid.cells)},
          {"accumulate", config.accumulate ? "yes" : "no"},
          {"types of values", types}};
}

}  // namespace

Halo::Halo(const Communicator& communicator, const Grid& grid, const std::vector<FieldView>& fields,
           const HaloConfig& config)
    : Halo(Sets{fields}, communicator, grid, config) {}

Halo::Halo(const Communicator& communicator, const Grid& grid, const FieldSets& fields,
           const HaloConfig& config)
    : Halo(Sets{fields.first, fields.second}, communicator, grid, config) {}

Halo::Halo(const Sets& sets, const Communicator& communicator, const Grid& grid, const HaloConfig& config)
    : sets_(static_cast<int>(sets.size())) {
  require_kokkos("Halo");
  ExchangedFields fields{.bounds = {}, .fields = {}, .owner = "Halo"};
  agree_on(communicator, "Halo", set_up_timeout(config.halo.timeout), [&] {
    detail::require_grid(grid);
    bounds_ = bounds_of(grid, config.width);
    require_narrow(grid, bounds_);
    plan_ = HaloPlan::make(grid.topology, bounds_, grid.cells, config.exchange, config.messages);
    fields.fields = detail::fields_of(sets, bounds_);
    if (config.accumulate) require_numbers(sets.front());
    return Terms{items(grid, config, fields.fields), {}};
  });
  fields.bounds = bounds_;
  PhaseTimer& timer = config.timer ? *config.timer : untimed_;
  fill_.emplace(communicator, plan_, grid.topology, fields, config.halo, timer);
  if (!config.accumulate) return;
  fields.flow = detail::Flow::accumulate;
  add_.emplace(communicator, plan_, grid.topology, fields, config.halo, timer);
}

int Halo::known(int set) const {
  if (set < 0 || set >= sets_)
    throw UsageError(fmt::format("the halo was made for {} of fields and has none with number {}",
                                 sets_ == 1 ? "one set" : "two sets", set),
                     "nothing was sent", "give both sets to the constructor, and count them from 0");
  return set;
}

void Halo::begin(const Exec& instance, int set) {
  fill_->begin(instance, known(set));
}

void Halo::end(const Exec& instance, int set) {
  fill_->end(instance, known(set));
}

void Halo::exchange(const Exec& instance, int set) {
  fill_->exchange(instance, known(set));
}

void Halo::accumulate(const Exec& instance, int set) {
  if (!add_)
    throw UsageError("Halo::accumulate was called for a halo that was not prepared for it",
                     "nothing was added", "make it with accumulate = true");
  if (fill_->begun())
    throw UsageError("Halo::accumulate was called for an exchange that has begun and not ended",
                     "nothing was added", "call Halo::end first");
  add_->exchange(instance, known(set));
}

void Halo::check() {
  fill_->check();
  if (add_) add_->check();
}

}  // namespace haloheap::comm
