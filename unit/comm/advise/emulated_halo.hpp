// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_ADVISE_EMULATED_HALO_HPP
#define HALOHEAP_UNIT_COMM_ADVISE_EMULATED_HALO_HPP

#include <haloheap/comm/advise/halo_adviser.hpp>
#include <haloheap/unit/comm/advise/emulated_device.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace haloheap::comm::test {

/// How a transport's bytes are sent.
struct EmulatedTransport {
  enum Way {
    through_host,   ///< copies to and from the host, and messages that it passes
    blocking_host,  ///< the same, with copies that keep the host waiting
    copies,         ///< packed, and copied from device to device, a copy a message
    stores          ///< kernels store into the neighbours' halos
  };
  Way way = through_host;
  double latency = 10e-6;  ///< seconds a message
  double rate = 10e9;      ///< bytes/s
};

/// A device, its host and what joins it to others.
struct EmulatedMachine {
  std::string name;
  std::map<std::string, EmulatedTransport> transports;
  double submit = 2e-6;        ///< seconds of the host an operation
  double launch = 2e-6;        ///< seconds of the device until a kernel does something
  double replayed = 0.4;       ///< of that, what is left in a graph
  double memory = 4e12;        ///< bytes/s
  double updates = 4e12;       ///< cells/s of single precision and 5 points, were there no memory
  double copy_latency = 5e-6;  ///< between host and device
  double copy_rate = 50e9;
  double slots = 132 * 16;  ///< tiles that run at a time
  int roomy = 8;            ///< so many steps a pass fit into registers; more take half as long again
};

/// What is computed.
struct EmulatedDeck {
  HaloShape shape;
  int dims = 2;
  double points = 5;  ///< of the stencil
  int max_fused = 8;
};

/// Deep halos on an emulated machine: the operations that a rank would enqueue, in its order, on tiles as its
/// kernels have them. It knows nothing of the adviser's formulas: engines are busy, streams wait for each
/// other, the host waits for messages, tiles compute their neighbours' cells, and the last wave of them is
/// not full.
class EmulatedHalo final : public HaloBench {
 public:
  /// @param noise relative, of measurements; those by `exact` have none
  EmulatedHalo(const EmulatedDeck& deck, const EmulatedMachine& machine, double noise = 0)
      : deck_(deck), machine_(machine), noise_(noise) {}

  std::optional<double> exchange(const HaloChoice& choice) override {
    return disturbed(timed(choice, [&](EmulatedDevice& device) { exchange(device, choice, [] {}); }));
  }
  std::optional<double> cycle(const HaloChoice& choice) override { return disturbed(exact(choice)); }
  double exact(const HaloChoice& choice) const {
    return timed(choice, [&](EmulatedDevice& device) { cycle(device, choice); });
  }

  bool allowed(const HaloChoice& choice) const {
    const auto way = machine_.transports.at(choice.transport).way;
    const bool host = way == EmulatedTransport::through_host || way == EmulatedTransport::blocking_host;
    if (choice.fused > deck_.max_fused || (choice.graph && host)) return false;
    for (int i = 0; i < deck_.dims; ++i)
      if (deck_.shape.sides[i] > 0 && choice.depth * deck_.shape.radius > deck_.shape.cells[i]) return false;
    return true;
  }

  int runs() const { return runs_; }

 private:
  struct Extent {
    double x, y, z;
    double cells() const { return x * y * z; }
  };
  using Extents = std::vector<Extent>;

  double disturbed(double seconds) {
    ++runs_;
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    const double unit = static_cast<double>(state_ >> 33) / 0x1p31;  // 0 to 1
    return seconds * (1 + noise_ * (2 * unit - 1));
  }

  template <class Cycle>
  double timed(const HaloChoice& choice, const Cycle& cycle) const {
    constexpr int pairs = 2;
    EmulatedDevice device(machine_.submit);
    launch_ = machine_.launch * (choice.graph ? machine_.replayed : 1);
    for (int i = 0; i < pairs; ++i) {
      const auto both = [&] {
        cycle(device);
        cycle(device);
      };
      if (choice.graph)
        device.replay(2 * machine_.submit, both);
      else
        both();
    }
    return device.finish() / (2 * pairs);
  }

  /// The own box, wider by so many cells on each side with a neighbour.
  Extent box(double wider) const {
    const HaloShape& s = deck_.shape;
    const auto size = [&](int i) { return std::max(0.0, s.cells[i] + s.sides[i] * wider); };
    return {size(0), size(1), size(2)};
  }

  /// What is left of the first without the second in its middle, in boxes as thin as they come.
  Extents frame(const Extent& whole, const Extent& inside) const {
    if (inside.cells() <= 0) return {whole};
    Extents boxes;
    const HaloShape& s = deck_.shape;
    const double in[3] = {inside.x, inside.y, inside.z};
    double rest[3] = {whole.x, whole.y, whole.z};
    for (int i = 2; i >= 0; --i) {
      for (int side = 0; side < s.sides[i]; ++side) {
        double thin[3] = {rest[0], rest[1], rest[2]};
        thin[i] = (rest[i] - in[i]) / s.sides[i];
        boxes.push_back({thin[0], thin[1], thin[2]});
      }
      rest[i] = in[i];
    }
    return boxes;
  }

  /// A kernel that makes so many steps of all boxes. Tiles are strips that stream in the last dimension.
  double pass_seconds(const Extents& boxes, int steps) const {
    const double reach = 2.0 * steps * deck_.shape.radius, skirt = steps == 1 ? 0 : reach;
    double tiles = 0, cells = 0, longest = 0;
    for (const Extent& b : boxes) {
      if (b.cells() <= 0) continue;
      const bool flat = deck_.dims == 2;
      const double wide = 128 - skirt, rows = flat ? 1 : 40 - skirt;
      const double chunk = flat ? std::clamp(b.y * std::ceil(b.x / wide) / machine_.slots, 8.0, 256.0) : b.z;
      tiles += std::ceil(b.x / wide) * std::ceil(b.y / (flat ? chunk : rows));
      cells += b.cells();
      longest = std::max(longest, 128 * (flat ? 1 : 40) * (std::min(chunk, flat ? b.y : b.z) + skirt));
    }
    if (tiles == 0) return 0;
    const double slots = deck_.dims == 2 ? machine_.slots : machine_.slots / 8;
    const double waves = tiles <= slots ? 1 : tiles / slots + 0.5;
    const double slow =
        (deck_.points / 5) * (deck_.shape.cell_bytes / 4) * (steps > machine_.roomy ? 1.5 : 1);
    const double computing = waves * longest * steps * slow / (machine_.updates / slots);
    const double moving = 2 * cells * deck_.shape.cell_bytes * (1 + 0.02 * skirt) / machine_.memory;
    return launch_ + std::max(computing, moving);
  }

  void sweep(EmulatedDevice& device, EmulatedDevice::Stream stream, const Extents& boxes, int steps,
             const std::vector<EmulatedDevice::Id>& behind = {}) const {
    device.enqueue(stream, EmulatedDevice::kernels, pass_seconds(boxes, steps), behind);
  }

  /// Steps of each pass: as even as they can be.
  static std::vector<int> passes(const HaloChoice& choice) {
    std::vector<int> steps(static_cast<std::size_t>((choice.depth + choice.fused - 1) / choice.fused), 0);
    for (int i = 0; i < choice.depth; ++i) ++steps[static_cast<std::size_t>(i) % steps.size()];
    return steps;
  }

  void cycle(EmulatedDevice& device, const HaloChoice& choice) const {
    const std::vector<int> steps = passes(choice);
    const std::size_t split = choice.overlap == Overlap::none         ? 0
                              : choice.overlap == Overlap::first_step ? 1
                                                                      : steps.size();
    const double radius = deck_.shape.radius;
    const auto interior = [&](std::size_t i) { return box(-radius * steps[0] * static_cast<double>(i + 1)); };
    std::vector<std::vector<EmulatedDevice::Id>> insides;  // a frame reads the interior of the pass before
    exchange(device, choice, [&] {
      for (std::size_t i = 0; i < split; ++i) {
        insides.push_back(device.last(EmulatedDevice::compute));
        if (interior(i).cells() > 0) sweep(device, EmulatedDevice::compute, {interior(i)}, steps[i]);
      }
    });
    int left = choice.depth;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      left -= steps[i];
      const Extent whole = box(radius * left);
      if (i < split) {
        sweep(device, EmulatedDevice::border, frame(whole, interior(i)), steps[i], insides[i]);
        if (i + 1 == split)
          device.enqueue(EmulatedDevice::compute, EmulatedDevice::links, 0,
                         device.last(EmulatedDevice::border));
      } else {
        sweep(device, EmulatedDevice::compute, {whole}, steps[i]);
      }
    }
  }

  struct Round {
    int messages = 0;
    double bytes = 0;
  };

  /// One dimension after the other with forwarded corners, or all neighbours at once.
  std::vector<Round> rounds(const HaloChoice& choice) const {
    const HaloShape& s = deck_.shape;
    const double deep = choice.depth * static_cast<double>(s.radius);
    std::vector<Round> result;
    double around = s.own_cells(), neighbours = 1;
    for (int i = 0; i < deck_.dims; ++i) {
      const double before = around;
      around *= (s.cells[i] + s.sides[i] * deep) / s.cells[i];
      neighbours *= 1 + s.sides[i];
      if (s.sides[i] > 0) result.push_back({s.sides[i], (around - before) * s.cell_bytes});
    }
    if (choice.exchange == Exchange::sync || result.empty()) return result;
    return {{static_cast<int>(neighbours) - 1, (around - s.own_cells()) * s.cell_bytes}};
  }

  template <class Behind>
  void exchange(EmulatedDevice& device, const HaloChoice& choice, const Behind& behind) const {
    const EmulatedTransport& transport = machine_.transports.at(choice.transport);
    const bool overlapped = choice.overlap != Overlap::none;
    const auto stream = overlapped ? EmulatedDevice::border : EmulatedDevice::compute;
    bool first = true;
    const auto started = [&] {
      if (first) behind();
      first = false;
    };
    std::vector<EmulatedDevice::Id> before =
        overlapped ? device.last(EmulatedDevice::compute) : std::vector<EmulatedDevice::Id>{};
    for (const Round& round : rounds(choice)) {
      const double packing = launch_ + 2 * round.bytes / machine_.memory,
                   transfer = round.bytes / transport.rate;
      if (transport.way == EmulatedTransport::stores) {
        device.enqueue(stream, EmulatedDevice::kernels, launch_ + transfer, before);
        started();
        device.enqueue(stream, EmulatedDevice::links, transport.latency);
      } else {
        device.enqueue(stream, EmulatedDevice::kernels, packing, before);
        if (transport.way == EmulatedTransport::copies) {
          device.enqueue(stream, EmulatedDevice::links, round.messages * transport.latency + transfer);
          started();
        } else {
          pass_messages(device, stream, transport, round, started);
        }
        device.enqueue(stream, EmulatedDevice::kernels, packing);
      }
      before.clear();
    }
    started();
  }

  template <class Started>
  void pass_messages(EmulatedDevice& device, EmulatedDevice::Stream stream,
                     const EmulatedTransport& transport, const Round& round, const Started& started) const {
    const bool blocks = transport.way == EmulatedTransport::blocking_host;
    const double copy = machine_.copy_latency + round.bytes / machine_.copy_rate * (blocks ? 4 : 1);
    const auto fetched = device.enqueue(stream, EmulatedDevice::down, copy);
    if (blocks) device.host_waits_for({fetched});
    started();
    device.host_waits_for({fetched});
    device.host_works(round.messages * transport.latency + round.bytes / transport.rate);
    const auto placed = device.enqueue(stream, EmulatedDevice::up, copy);
    if (blocks) device.host_waits_for({placed});
  }

  EmulatedDeck deck_;
  EmulatedMachine machine_;
  double noise_;
  mutable double launch_ = 0;
  std::uint64_t state_ = 1;
  int runs_ = 0;
};

}  // namespace haloheap::comm::test

#endif
