// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HALO_HPP
#define HALOHEAP_COMM_HALO_HALO_HPP

#include <haloheap/comm/halo/field_view.hpp>
#include <haloheap/comm/halo/halo_config.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// Two sets of fields that take turns. Their n-th fields differ in nothing but where they are.
struct FieldSets {
  std::vector<FieldView> first, second;
};

/// The ghost cells of fields in a user's own Views: filled from the neighbours, or added to their owners.
///
///     Halo halo(communicator, grid, {density, momentum}, {.width = {2, 2}});
///     halo.begin(instance);      // packs and posts, without a host fence
///     interior(instance);        // whatever needs no ghost cells
///     halo.end(instance);        // ghost cells are valid for what is enqueued on `instance` after this
///
/// Each View holds the cells that this rank owns, Grid::own(), and around them the ghost cells: its extent in
/// x is low width + own cells + high width, and so in the other dimensions. The first own cell has the index
/// (low widths). Which index of a View is x, and how its layout and values may be: see FieldView. All fields
/// go in one message to each neighbour. Ghost cells beyond the sides of a grid that is not periodic are left
/// as they are.
///
/// Two sets of Views may take turns, as those of a double-buffered run do: give FieldSets{{now}, {next}}, and
/// the number of the set, 0 or 1, to each call. Calls without a number mean the first.
///
/// The Views and the communicator must outlive the halo. What it has enqueued must be done before it ends,
/// and its end is collective too.
class Halo {
 public:
  using Exec = backend::Exec;

  /// Collective. All ranks give as many fields, of the same values and quantities, in the same order, and the
  /// same configuration but for `timeout`, `buffers` and `timer`. Layouts need not be the same: values are
  /// packed in the order of rank 0's memory, which is fast for all whose layout is the same.
  /// @throws UsageError (AgreedError if not all ranks are wrong) that names the field, for a View that is
  /// null, has other extents, is not reached by kernels or whose word for its indices is none; for a View
  /// that is given twice, or shares memory with another of its set; for widths that are negative or wider
  /// than the smallest subdomain; for fields that cannot be added, if they are to be; else as HaloExchange.
  /// CapabilityError for transports that write into a View's memory where that cannot be mapped:
  /// memory::DeviceSpace can, and transport "auto" then takes another
  Halo(const Communicator& communicator, const Grid& grid, const std::vector<FieldView>& fields,
       const HaloConfig& config = {});
  /// The same for two sets.
  Halo(const Communicator& communicator, const Grid& grid, const FieldSets& fields,
       const HaloConfig& config = {});
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  /// Packs the border cells and posts what can be posted. They may be overwritten by work that is enqueued
  /// behind it. @throws as HaloExchange::begin
  void begin(const Exec& instance, int set = 0);
  /// @throws as HaloExchange::end
  void end(const Exec& instance, int set = 0);
  /// Both, for who has nothing to do between them. @throws as both
  void exchange(const Exec& instance, int set = 0);

  /// The reverse of an exchange: every ghost cell's value is added to its owner's cell, for deposition of
  /// particles and for finite elements. What ghost cells hold after it is not defined. Each sum has a fixed
  /// order, so that the same values on the same rank grid give the same bits. Goes through packed buffers
  /// with every transport, also with those that store straight into fields when these are filled.
  /// @throws UsageError without HaloConfig::accumulate; else as exchange
  void accumulate(const Exec& instance, int set = 0);

  /// To be called on all ranks if any writes ghost cells between two exchanges and the configuration promises
  /// that none does: see HaloExchangeConfig::alternating.
  void forget_last() { fill_->forget_last(); }
  /// @throws CommunicationError if a device has given up waiting for a peer
  void check();

  /// Which transport serves how many neighbours of this rank: "peer_store 2, pinned 1".
  std::string mix() const { return fill_->mix(); }
  /// See HaloExchange::why_not_mapped. Accumulated values go through other memory, and may be served
  /// otherwise.
  const std::string& why_not_mapped() const { return fill_->why_not_mapped(); }
  bool without_host() const { return fill_->without_host(); }
  const HaloPlan& plan() const { return plan_; }
  /// Own cells and ghost cells, counted from the first own cell.
  const HaloBounds& bounds() const { return bounds_; }

 private:
  using Sets = std::vector<std::vector<FieldView>>;

  Halo(const Sets& sets, const Communicator& communicator, const Grid& grid, const HaloConfig& config);
  int known(int set) const;

  int sets_;
  HaloBounds bounds_;
  HaloPlan plan_;
  PhaseTimer untimed_{false};
  std::optional<HaloExchange> fill_, add_;
};

}  // namespace haloheap::comm

#endif
