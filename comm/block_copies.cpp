// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/arrive.hpp>
#include <haloheap/comm/block_copies.hpp>
#include <haloheap/core/base/error.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace haloheap {
namespace {

/// Division by a number that is known beforehand, for dividends below 2^31: a multiplication and a shift
/// instead of the twenty instructions that a GPU takes for a division (Granlund and Montgomery, "Division by
/// invariant integers using multiplication", PLDI 1994).
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(unsigned value) : value_(value) {
    while ((std::uint64_t{1} << bits_) < value) ++bits_;
    multiplier_ = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + bits_)) / value + 1);
  }

  KOKKOS_FUNCTION unsigned value() const { return value_; }
  KOKKOS_FUNCTION unsigned divide(unsigned n) const {
    return static_cast<unsigned>((std::uint64_t{n} * multiplier_) >> (31 + bits_));
  }

 private:
  std::uint32_t value_ = 1, multiplier_ = 1;
  unsigned bits_ = 0;
};

}  // namespace

template <class T>
struct BlockCopies<T>::Block {
  Index first_item;
  Divisor nx, ny, nz;
  int ready_line, arrived_line;
  BlockPlace from, to;
};

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr bool on_host = std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>;

// A thread of a device copies a value, so that neighbours touch neighbours; a thread of a host copies a row,
// which the compiler turns into wide loads.
constexpr int block_size = 256;

template <class T>
struct Copier {
  using Block = typename BlockCopies<T>::Block;
  Kokkos::View<const Block*, Exec, Kokkos::MemoryUnmanaged> blocks;
  const BlockArray<T>* arrays;

  KOKKOS_FUNCTION const Block& block_of(Index item) const {
    int low = 0, high = static_cast<int>(blocks.extent(0)) - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (blocks(middle).first_item <= item)
        low = middle;
      else
        high = middle - 1;
    }
    return blocks(low);
  }

  KOKKOS_FUNCTION void copy(const Block& block, Index item) const {
    const auto local = static_cast<unsigned>(item - block.first_item);
    unsigned x = 0, row = local;
    if constexpr (!on_host) {
      row = block.nx.divide(local);
      x = local - row * block.nx.value();
    }
    const unsigned plane = block.ny.divide(row), y = row - plane * block.ny.value();
    const unsigned quantity = block.nz.divide(plane), z = plane - quantity * block.nz.value();
    const T* const from = arrays[block.from.array].data + position(block.from, x, y, z, quantity);
    T* const to = arrays[block.to.array].data + position(block.to, x, y, z, quantity);
    if constexpr (on_host)
      copy_row(from, to, block.nx.value());
    else
      *to = *from;
  }

  KOKKOS_FUNCTION static Index position(const BlockPlace& place, Index x, Index y, Index z, Index quantity) {
    return place.first + x + y * place.row + z * place.plane + quantity * place.quantity;
  }

  KOKKOS_FUNCTION static void copy_row(const T* KOKKOS_RESTRICT from, T* KOKKOS_RESTRICT to, unsigned n) {
    for (unsigned x = 0; x < n; ++x) to[x] = from[x];
  }
};

template <class T>
struct CopyAlone {
  Copier<T> copier;

  KOKKOS_FUNCTION void operator()(Index item) const { copier.copy(copier.block_of(item), item); }
};

/// Copies with signals. Not more workers than are at home on the device at once, each with many values, so
/// that waiting for a late peer leaves room for other kernels. The first workers announce before they wait
/// for anything.
template <class T>
struct CopyWithPeers {
  using Lines = SignalDuties::Lines;
  // A host may run its workers one after the other: who waits must not keep the next from announcing.
  static constexpr int announcers = on_host ? 1 : 32;

  Copier<T> copier;
  Index items_before, items;  // those before the peers are told, and all
  unsigned workers;
  PeerSignals signals;
  SignalDuties duties;

  KOKKOS_FUNCTION void operator()(unsigned worker) const {
    const backend::Signal number = *signals.exchange + (duties.first_kernel ? 1 : 0);
    for_lines(worker, duties.announce,
              [&](const PeerLine& line, int) { backend::post_signal(line.peer_ready, number); });
    copy_items(worker, items_before, number);
    if (duties.raise.count > 0 || duties.first_kernel) tell(number);
    copy_items(items_before + worker, items, number);
    for_lines(worker, duties.await, [&](const PeerLine& line, int n) { wait(line.arrived, number, n); });
  }

 private:
  template <class Visit>
  KOKKOS_FUNCTION void for_lines(unsigned worker, const Lines& lines, const Visit& visit) const {
    for (int i = static_cast<int>(worker); worker < announcers && i < lines.count; i += announcers)
      visit(signals.lines[lines.first + i], lines.first + i);
  }

  KOKKOS_FUNCTION void wait(const backend::Signal* signal, backend::Signal number, int line) const {
    if (backend::await_signal(signal, number, signals.timeout, signals.lost)) return;
    if (*signals.lost != 0) return;
    *signals.lost = line + 1;
    *signals.lost_on_host = line + 1;
  }

  KOKKOS_FUNCTION void copy_items(Index first, Index end, backend::Signal number) const {
    int ready = BlockCopy::no_line, arrived = BlockCopy::no_line;  // lines that this worker has waited for
    for (Index i = first; i < end; i += workers) {
      const auto& block = copier.block_of(i);
      if (!duties.always_ready && block.ready_line != BlockCopy::no_line && block.ready_line != ready) {
        ready = block.ready_line;
        wait(signals.lines[ready].ready, number, ready);
      }
      if (block.arrived_line != BlockCopy::no_line && block.arrived_line != arrived) {
        arrived = block.arrived_line;
        wait(signals.lines[arrived].arrived, number, arrived);
      }
      copier.copy(block, i);
    }
  }

  /// Whoever comes last knows that everybody's values are written.
  KOKKOS_FUNCTION void tell(backend::Signal number) const {
    if (!backend::arrive_last(signals.workers_done, workers)) return;
    *signals.workers_done = 0;
    *signals.exchange = number;
    for (int i = 0; i < duties.raise.count; ++i)
      backend::post_signal(signals.lines[duties.raise.first + i].peer_arrived, number);
  }
};

}  // namespace

BlockPlace BlockPlace::in_field(int array, const FieldLayout& layout, const Triple& lo) {
  return {array, layout.at(lo), layout.pitch, layout.plane, layout.quantity_size};
}

BlockPlace BlockPlace::in_buffer(int array, Index first, const Box& box, const Triple& lo) {
  const Index row = box.extent(0), plane = row * box.extent(1);
  const Index at = (lo.x - box.lo.x) + (lo.y - box.lo.y) * row + (lo.z - box.lo.z) * plane;
  return {array, first + at, row, plane, box.cells()};
}

template <class T>
BlockCopies<T>::BlockCopies(std::string label, const std::vector<BlockCopy>& blocks, int quantities,
                            const std::vector<BlockCopy>& after)
    : label_(std::move(label)) {
  std::vector<Block> all;
  const auto add = [&](const BlockCopy& block) {
    const Index count = product(block.extent) * quantities;
    if (count == 0) return;
    if (count >= Index{1} << 31)
      throw UsageError("one side of the halo has 2^31 values or more", "",
                       "use a smaller depth or fewer quantities");
    const auto divisor = [](Index extent) { return Divisor(static_cast<unsigned>(extent)); };
    all.push_back({items_, divisor(block.extent.x), divisor(block.extent.y), divisor(block.extent.z),
                   block.ready_line, block.arrived_line, block.from, block.to});
    items_ += on_host ? count / block.extent.x : count;
  };
  for (const BlockCopy& block : blocks) add(block);
  items_before_ = items_;
  for (const BlockCopy& block : after) add(block);
  blocks_ = Kokkos::View<Block*, Exec>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label_ + "_blocks"),
                                       all.size());
  Kokkos::deep_copy(blocks_, Kokkos::View<const Block*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                 all.data(), all.size()));
}

template <class T>
void BlockCopies<T>::run(const Exec& exec, const BlockArray<T>* arrays) const {
  if (items_ == 0) return;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>;
  Kokkos::parallel_for(label_,
                       Kokkos::Experimental::require(Policy(exec, 0, items_),
                                                     Kokkos::Experimental::WorkItemProperty::HintLightWeight),
                       CopyAlone<T>{{blocks_, arrays}});
}

template <class T>
void BlockCopies<T>::run(const Exec& exec, const BlockArray<T>* arrays, const PeerSignals& signals,
                         const SignalDuties& duties) const {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>, Kokkos::LaunchBounds<block_size>>;
  const Index most = on_host ? exec.concurrency() : exec.concurrency() / 4;
  const auto workers = static_cast<unsigned>(std::clamp<Index>(items_, on_host ? 1 : block_size, most));
  Kokkos::parallel_for(label_,
                       Kokkos::Experimental::require(Policy(exec, 0, workers),
                                                     Kokkos::Experimental::WorkItemProperty::HintLightWeight),
                       CopyWithPeers<T>{{blocks_, arrays}, items_before_, items_, workers, signals, duties});
}

template class BlockCopies<float>;
template class BlockCopies<double>;

}  // namespace haloheap
