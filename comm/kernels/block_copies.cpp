// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/arrive.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/kernels/block_kernels.hpp>
#include <haloheap/comm/kernels/waiting_blocks.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/base/error.hpp>

#include <algorithm>

namespace haloheap::comm::detail {

struct BlockCopies::Tiles {
  // One of both holds the blocks; on a host it is the memory, as nothing is gained by copying them.
  BlocksInKernel few;
  Kokkos::View<grid::Index*, Exec> first_tiles;
  Kokkos::View<KernelBlock*, Exec> blocks;
  grid::Index count = 0, before = 0;  // all, and those before the peers are told
  grid::Index lines = 0;              // of a cache that are read or written

  bool empty() const { return count == 0; }

  /// Whether a thread of a host copies all this in the microsecond or two in which others wake.
  bool little(const Exec& exec) const {
    constexpr grid::Index few_lines = 512;
    return kernels_on_host && (lines <= few_lines || exec.concurrency() == 1);
  }

  template <class Visit>
  void with_blocks(Visit&& visit) const {
    if constexpr (!kernels_on_host)
      if (blocks.extent(0) == 0) return visit(few);
    visit(BlocksInMemory{static_cast<int>(blocks.extent(0)), first_tiles.data(), blocks.data()});
  }
};

namespace {

using Exec = backend::Exec;
using backend::kernels_on_host, detail::tile_lanes;
constexpr int block_size = 256;
// Kernels that wait for peers have blocks of just this size, and a multiprocessor holds so many of them: the
// compiler sees to it. (Kokkos goes down to 128 threads by itself, and not further.)
constexpr int peer_block_size = 128, peer_blocks_each = 8;

template <class Blocks>
struct CopyAlone {
  TileCopier<Blocks> copier;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index tile = i / tile_lanes;
    copier.copy(copier.block_of(tile), tile, static_cast<unsigned>(i % tile_lanes));
  }
};

/// Copies with signals. Not more workers than are at home on the device at once, each with many tiles, so
/// that waiting for a late peer leaves room for other kernels (PeerSignals::max_blocks). The first workers
/// announce before they wait for anything.
template <class Blocks>
struct CopyWithPeers {
  using Channels = SignalDuties::Channels;
  // A host may run its workers one after the other: who waits must not keep the next from announcing.
  static constexpr int announcers = backend::warp_size;

  TileCopier<Blocks> copier;
  grid::Index tiles_before, tiles;  // those before the peers are told, and all
  unsigned workers;                 // a multiple of the lanes
  PeerSignals signals;
  SignalDuties duties;

  KOKKOS_FUNCTION void operator()(unsigned worker) const {
    const backend::Signal number = *signals.exchange + (duties.first_kernel ? 1 : 0);
    for_channels(worker, duties.announce,
                 [&](const PeerChannel& channel, int) { backend::post_signal(channel.peer_ready, number); });
    copy_tiles(worker, 0, tiles_before, number);
    if (duties.raise.count > 0 || duties.first_kernel) tell(number);
    copy_tiles(worker, tiles_before, tiles, number);
    for_channels(worker, duties.await,
                 [&](const PeerChannel& channel, int n) { wait(channel.arrived, number, n); });
  }

 private:
  template <class Visit>
  KOKKOS_FUNCTION void for_channels(unsigned worker, const Channels& channels, const Visit& visit) const {
    for (int i = static_cast<int>(worker); worker < announcers && i < channels.count; i += announcers)
      visit(signals.channels[channels.first + i], channels.first + i);
  }

  KOKKOS_FUNCTION void wait(const backend::Signal* signal, backend::Signal number, int channel) const {
    if (backend::await_signal(signal, number, signals.timeout, signals.lost)) return;
    if (*signals.lost != 0) return;
    *signals.lost = channel + 1;
    *signals.lost_on_host = channel + 1;
  }

  KOKKOS_FUNCTION void copy_tiles(unsigned worker, grid::Index first, grid::Index end,
                                  backend::Signal number) const {
    int ready = BlockCopy::no_channel,
        arrived = BlockCopy::no_channel;  // channels that this worker has waited for
    for (grid::Index tile = first + worker / tile_lanes; tile < end; tile += workers / tile_lanes) {
      const int which = copier.block_of(tile);
      const int ready_channel = copier.blocks.blocks[which].ready_channel,
                arrived_channel = copier.blocks.blocks[which].arrived_channel;
      if (!duties.always_ready && ready_channel != BlockCopy::no_channel && ready_channel != ready) {
        ready = ready_channel;
        wait(signals.channels[ready].ready, number, ready);
      }
      if (arrived_channel != BlockCopy::no_channel && arrived_channel != arrived) {
        arrived = arrived_channel;
        wait(signals.channels[arrived].arrived, number, arrived);
      }
      copier.copy(which, tile, worker % tile_lanes);
    }
  }

  /// Whoever comes last knows that everybody's values are written.
  KOKKOS_FUNCTION void tell(backend::Signal number) const {
    if (!backend::arrive_last(signals.workers_done, workers)) return;
    *signals.workers_done = 0;
    *signals.exchange = number;
    for (int i = 0; i < duties.raise.count; ++i)
      backend::post_signal(signals.channels[duties.raise.first + i].peer_arrived, number);
  }
};

KernelPlace make_place(const BlockPlace& place) {
  return {place.array, place.first, {place.stride[0], place.stride[1], place.stride[2]}};
}

grid::Index tiles_of(const KernelBlock& block) {
  const auto divided = [](grid::Index all, grid::Index each) { return (all + each - 1) / each; };
  if (kernels_on_host) return divided(block.units, host_tile_bytes / block.unit);
  return divided(block.units, grid::Index{tile_lanes} * units_in_flight);
}

grid::Index lines_of(const BlockCopy& block) {
  constexpr grid::Index line = 64;
  return (block.run + line - 1) / line * block.count[0] * block.count[1] * block.count[2];
}

template <class Value>
Kokkos::View<Value*, Exec> on_device(const std::string& label, const std::vector<Value>& values) {
  Kokkos::View<Value*, Exec> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), values.size());
  Kokkos::deep_copy(view, Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                              values.data(), values.size()));
  return view;
}

template <class Bounds, class Number, class Kernel>
void launch(const std::string& label, const Exec& exec, Number threads, const Kernel& kernel, bool little) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Number>, Bounds>;
  backend::parallel_for(label, backend::as_kernel_argument(Policy(exec, 0, threads)), kernel, little);
}

}  // namespace

KernelBlock make_kernel_block(const BlockCopy& block, int unit) {
  if (block.bytes() / unit >= grid::Index{1} << 31)
    throw UsageError("one side of the halo has 2^31 values or more", "",
                     "use a smaller depth or fewer quantities");
  const auto divisor = [](grid::Index extent) { return Divisor(static_cast<unsigned>(extent)); };
  return {.from = make_place(block.from),
          .to = make_place(block.to),
          .nx = divisor(block.run / unit),
          .ny = divisor(block.count[0]),
          .nz = divisor(block.count[1]),
          .units = static_cast<unsigned>(block.bytes() / unit),
          .planes = static_cast<unsigned>(block.count[1] * block.count[2]),
          .unit = static_cast<unsigned>(unit),
          .ready_channel = block.ready_channel,
          .arrived_channel = block.arrived_channel};
}

int peer_kernel_blocks(int ranks) {
  if (kernels_on_host) return 1;
  return require_waiting_blocks(backend::residency().multiprocessors, peer_blocks_each, ranks);
}

int BlockCopies::unit(const BlockCopy& block) {
  // The lowest bit that is set in any of these is the largest power of two that divides all of them.
  grid::Index all = widest_unit | block.run;
  for (const BlockPlace* place : {&block.from, &block.to}) {
    all |= place->first | place->alignment;
    for (std::size_t dim = 0; dim < 3; ++dim)
      if (block.count[dim] > 1) all |= place->stride[dim];
  }
  return static_cast<int>(all & -all);
}

BlockCopies::BlockCopies(std::string label, const std::vector<BlockCopy>& blocks,
                         const std::vector<BlockCopy>& after)
    : label_(std::move(label)) {
  Tiles tiles;
  std::vector<KernelBlock> all;
  std::vector<grid::Index> first_tiles;
  const auto add = [&](const BlockCopy& block) {
    if (block.bytes() == 0) return;
    all.push_back(make_kernel_block(block, unit(block)));
    first_tiles.push_back(tiles.count);
    tiles.count += tiles_of(all.back());
    tiles.lines += lines_of(block);
  };
  for (const BlockCopy& block : blocks) add(block);
  tiles.before = tiles.count;
  for (const BlockCopy& block : after) add(block);
  if (!kernels_on_host && all.size() <= blocks_in_kernel) {
    tiles.few.count = static_cast<int>(all.size());
    std::copy(all.begin(), all.end(), tiles.few.blocks);
    std::copy(first_tiles.begin(), first_tiles.end(), tiles.few.first_tiles);
  } else {
    tiles.blocks = on_device(label_ + "_blocks", all);
    tiles.first_tiles = on_device(label_ + "_first_tiles", first_tiles);
  }
  tiles_ = std::make_shared<const Tiles>(std::move(tiles));
}

bool BlockCopies::empty() const {
  return tiles_->empty();
}

void BlockCopies::run(const Exec& exec, const BlockArray* arrays) const {
  if (empty()) return;
  tiles_->with_blocks([&]<class Blocks>(const Blocks& blocks) {
    launch<Kokkos::LaunchBounds<block_size>>(label_, exec, tiles_->count * tile_lanes,
                                             CopyAlone<Blocks>{{blocks, arrays}}, tiles_->little(exec));
  });
}

void BlockCopies::run(const Exec& exec, const BlockArray* arrays, const PeerSignals& signals,
                      const SignalDuties& duties) const {
  const grid::Index maximum =
      kernels_on_host ? exec.concurrency() : grid::Index{signals.max_blocks} * peer_block_size;
  const auto workers = static_cast<unsigned>(
      std::clamp<grid::Index>(tiles_->count * tile_lanes, kernels_on_host ? 1 : peer_block_size, maximum));
  tiles_->with_blocks([&]<class Blocks>(const Blocks& blocks) {
    launch<Kokkos::LaunchBounds<peer_block_size, peer_blocks_each>>(
        label_, exec, workers,
        CopyWithPeers<Blocks>{{blocks, arrays}, tiles_->before, tiles_->count, workers, signals, duties},
        workers == 1);
  });
}

}  // namespace haloheap::comm::detail
