// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/peer.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth_run.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace haloheap {
namespace bandwidth {

/// Sixteen bytes, which a thread moves at once.
struct alignas(16) Grain {
  std::uint32_t words[4];
};

struct CopyGrains {
  Grain* to;
  const Grain* from;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = from[i]; }
};

struct CopyBytes {
  std::byte* to;
  const std::byte* from;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = from[i]; }
};

}  // namespace bandwidth

namespace {

using transfer::Engine;
using transfer::Intent;
using transfer::OperandMemory;
using transfer::Operation;
using transfer::Piece;
using transfer::Streams;

constexpr int h2d_stream = 0, d2h_stream = 1;

void copy_by_kernel(const backend::Exec& exec, std::byte* to, const std::byte* from, std::size_t bytes) {
  using Range = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<std::size_t>>;
  const std::size_t whole = bytes / sizeof(bandwidth::Grain), tail = whole * sizeof(bandwidth::Grain);
  if (whole > 0)
    Kokkos::parallel_for("haloheap::bandwidth::copy", Range(exec, 0, whole),
                         bandwidth::CopyGrains{reinterpret_cast<bandwidth::Grain*>(to),
                                               reinterpret_cast<const bandwidth::Grain*>(from)});
  if (tail < bytes)
    Kokkos::parallel_for("haloheap::bandwidth::tail", Range(exec, 0, bytes - tail),
                         bandwidth::CopyBytes{to + tail, from + tail});
}

/// Repeats after a length that is no multiple of a page or of a power of two, so that bytes that are moved by
/// one are seen; in blocks, since the largest arrays take the host longer than the link.
std::vector<std::byte> pattern(int salt) {
  std::vector<std::byte> block(251 * 1024);
  for (std::size_t i = 0; i < block.size(); ++i)
    block[i] = static_cast<std::byte>((i * 131 + static_cast<std::size_t>(salt)) % 251);
  return block;
}

void fill(std::byte* data, std::size_t bytes, int salt) {
  const std::vector<std::byte> block = pattern(salt);
  for (std::size_t done = 0; done < bytes; done += block.size())
    std::memcpy(data + done, block.data(), std::min(block.size(), bytes - done));
}

std::size_t differing(const std::byte* data, std::size_t bytes, int salt) {
  const std::vector<std::byte> block = pattern(salt);
  std::size_t wrong = 0;
  for (std::size_t done = 0; done < bytes; done += block.size()) {
    const std::size_t part = std::min(block.size(), bytes - done);
    if (std::memcmp(data + done, block.data(), part) == 0) continue;
    for (std::size_t i = 0; i < part; ++i) wrong += data[done + i] != block[i] ? 1 : 0;
  }
  return wrong;
}

/// What is copied, in one of two ways, and how to see that it arrived.
class Copies {
 public:
  virtual ~Copies() = default;
  virtual void begin(Streams& /*streams*/) {}
  /// Before each time that is measured: all is where it is copied from.
  virtual void prepare(Streams& /*streams*/) {}
  virtual void enqueue(Streams& streams) = 0;  ///< one copy in each direction that is measured
  virtual void end(Streams& /*streams*/) {}
  virtual bool may_be_held() const { return true; }
  virtual std::size_t wrong(Streams& streams) = 0;
};

struct End {
  const OperandMemory* place = nullptr;
  memory::Buffer device;  // for kernels
};

/// Between host and device.
class LinkCopies final : public Copies {
 public:
  LinkCopies(const BandwidthSettings& settings, const transfer::ResourceMaker& resources)
      : bytes_(settings.transfer.rows * sizeof(float)),
        by_kernel_(settings.by_kernel),
        movement_(transfer::modes().at(settings.transfer.mode).movement),
        mode_(transfer::make_mode(settings.transfer.mode, resources)) {
    const transfer::Layout layout{1, bytes_, bytes_};
    if (settings.path != BandwidthPath::d2h) add(h2d_, layout, Intent::in, resources);
    if (settings.path != BandwidthPath::h2d) add(d2h_, layout, Intent::out, resources);
    check_.emplace(resources("pageable"), bytes_, "haloheap::bandwidth::check");
  }

  void begin(Streams& streams) override { mode_->begin(streams); }
  void end(Streams& streams) override { mode_->end(streams); }
  /// Only pages that were moved have to go back.
  void prepare(Streams& streams) override {
    if (by_kernel_ || movement_ != transfer::Movement::pages_sent) return;
    const auto back = [&](const End& end) { return piece(end, Intent::in_out); };
    if (h2d_) {
      const Piece all = back(*h2d_);
      mode_->to_host(streams, d2h_stream, 0, {&all, 1});
    }
    if (d2h_) {
      const Piece all = back(*d2h_);
      mode_->to_device(streams, h2d_stream, 0, {&all, 1});
    }
    streams.finish();
  }
  bool may_be_held() const override { return by_kernel_ || !mode_->host_waits(); }

  void enqueue(Streams& streams) override {
    if (h2d_) enqueue_h2d(streams);
    if (d2h_) enqueue_d2h(streams);
  }

  /// After H2D the device must have what the host had, and after D2H the host what the device had.
  std::size_t wrong(Streams& streams) override {
    std::size_t count = 0;
    fill_and_clear(streams);
    begin(streams);
    enqueue(streams);
    end(streams);
    streams.finish();
    if (h2d_) {
      backend::copy_async(streams.exec(0), check_->data(), device(*h2d_), bytes_);
      streams.exec(0).fence("haloheap::bandwidth::check");
      count += differing(check_->data(), bytes_, h2d_salt);
    }
    if (d2h_) count += differing(d2h_->place->host, bytes_, d2h_salt);
    return count;
  }

 private:
  static constexpr int h2d_salt = 7, d2h_salt = 77;

  void add(std::optional<End>& end, const transfer::Layout& layout, Intent intent,
           const transfer::ResourceMaker& resources) {
    end.emplace();
    end->place = &mode_->place(layout, intent, "haloheap::bandwidth::host");
    if (by_kernel_) end->device = memory::Buffer(resources("device"), bytes_, "haloheap::bandwidth::device");
    fill(end->place->host, bytes_, 1);
  }
  std::byte* device(const End& end) const { return by_kernel_ ? end.device.data() : end.place->device; }
  Piece piece(const End& end, Intent intent) const {
    return {end.place->host, end.place->device, 1, bytes_, bytes_, intent};
  }

  void enqueue_h2d(Streams& streams) {
    const Piece all = piece(*h2d_, Intent::in);
    if (!by_kernel_) return mode_->to_device(streams, h2d_stream, 0, {&all, 1});
    streams.enqueue(h2d_stream,
                    {.engine = Engine::h2d,
                     .enqueue = [to = device(*h2d_), from = all.host, bytes = bytes_](
                                    const backend::Exec& exec) { copy_by_kernel(exec, to, from, bytes); },
                     .bytes = bytes_});
  }
  void enqueue_d2h(Streams& streams) {
    const Piece all = piece(*d2h_, Intent::out);
    if (!by_kernel_) return mode_->to_host(streams, d2h_stream, 0, {&all, 1});
    streams.enqueue(d2h_stream,
                    {.engine = Engine::d2h,
                     .enqueue = [to = all.host, from = device(*d2h_), bytes = bytes_](
                                    const backend::Exec& exec) { copy_by_kernel(exec, to, from, bytes); },
                     .bytes = bytes_});
  }

  void fill_and_clear(Streams& streams) {
    const auto put = [&](std::byte* to, int salt) {
      fill(check_->data(), bytes_, salt);
      backend::copy_async(streams.exec(0), to, check_->data(), bytes_);
      streams.exec(0).fence("haloheap::bandwidth::fill");
    };
    if (h2d_) put(device(*h2d_), 0);
    if (d2h_) put(device(*d2h_), d2h_salt);
    // Where both sides are one memory, what is there is to stay.
    if (h2d_) fill(h2d_->place->host, bytes_, h2d_salt);
    if (d2h_ && d2h_->place->host != device(*d2h_)) fill(d2h_->place->host, bytes_, 0);
  }

  std::size_t bytes_;
  bool by_kernel_;
  transfer::Movement movement_;
  std::unique_ptr<transfer::Mode> mode_;
  std::optional<End> h2d_, d2h_;
  std::optional<memory::Buffer> check_;
};

/// Memory of a device that is not the current one.
class PeerBlock {
 public:
  PeerBlock(int device, std::size_t bytes) : device_(device), bytes_(bytes) {
    if (const std::string reason = backend::peer_unavailable_reason(device); !reason.empty())
      throw CapabilityError("bandwidth.path = \"peer\" cannot be had here: " + reason, "nothing was copied",
                            "use bandwidth.path = \"device\", or a machine with two devices that are linked");
    backend::enable_peer(device);
    data_ = static_cast<std::byte*>(
        backend::allocate({backend::MemoryKind::device, bytes, 256, "haloheap::bandwidth::peer", device}));
  }
  ~PeerBlock() { backend::deallocate(backend::MemoryKind::device, data_, bytes_, device_); }
  PeerBlock(const PeerBlock&) = delete;
  PeerBlock& operator=(const PeerBlock&) = delete;
  std::byte* data() const { return data_; }

 private:
  int device_;
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

/// Within a device, or from the next device to the current one.
class DeviceCopies final : public Copies {
 public:
  DeviceCopies(const BandwidthSettings& settings, const transfer::ResourceMaker& resources)
      : bytes_(settings.transfer.rows * sizeof(float)),
        by_kernel_(settings.by_kernel),
        to_(resources("device"), bytes_, "haloheap::bandwidth::to"),
        check_(resources("pageable"), bytes_, "haloheap::bandwidth::check") {
    if (settings.path == BandwidthPath::peer) {
      peer_.emplace(
          backend::current_device() + 1 < backend::device_count() ? backend::current_device() + 1 : 0,
          bytes_);
    } else {
      own_ = memory::Buffer(resources("device"), bytes_, "haloheap::bandwidth::from");
    }
  }

  void enqueue(Streams& streams) override {
    std::byte *const to = to_.data(), *const from = source();
    streams.enqueue(h2d_stream, {.engine = Engine::h2d,
                                 .enqueue =
                                     [=, by_kernel = by_kernel_, bytes = bytes_](const backend::Exec& exec) {
                                       if (by_kernel) return copy_by_kernel(exec, to, from, bytes);
                                       backend::copy_async(exec, to, from, bytes);
                                     },
                                 .bytes = bytes_});
  }

  std::size_t wrong(Streams& streams) override {
    for (const auto& [data, salt] : {std::pair{to_.data(), 0}, std::pair{source(), 7}}) {
      fill(check_.data(), bytes_, salt);
      backend::copy_async(streams.exec(0), data, check_.data(), bytes_);
      streams.exec(0).fence("haloheap::bandwidth::fill");
    }
    enqueue(streams);
    streams.finish();
    backend::copy_async(streams.exec(0), check_.data(), to_.data(), bytes_);
    streams.exec(0).fence("haloheap::bandwidth::check");
    return differing(check_.data(), bytes_, 7);
  }

 private:
  std::byte* source() const { return peer_ ? peer_->data() : own_.data(); }

  std::size_t bytes_;
  bool by_kernel_;
  memory::Buffer to_, own_, check_;
  std::optional<PeerBlock> peer_;
};

std::unique_ptr<Copies> make_copies(const BandwidthSettings& settings,
                                    const transfer::ResourceMaker& resources) {
  if (settings.path == BandwidthPath::device || settings.path == BandwidthPath::peer)
    return std::make_unique<DeviceCopies>(settings, resources);
  return std::make_unique<LinkCopies>(settings, resources);
}

/// From the first operation of an engine to the end of its last.
std::map<Engine, transfer::TraceEvent> windows(const Streams& streams) {
  std::map<Engine, transfer::TraceEvent> result;
  for (const transfer::TraceEvent& span : streams.trace()) {
    const auto [entry, added] = result.try_emplace(span.engine, span);
    entry->second.begin = std::min(entry->second.begin, span.begin);
    entry->second.end = std::max(entry->second.end, span.end);
  }
  return result;
}

void add_windows(const std::map<Engine, transfer::TraceEvent>& windows, BandwidthResult& result) {
  double begin = windows.begin()->second.begin, end = 0;
  for (const auto& [engine, span] : windows) {
    begin = std::min(begin, span.begin);
    end = std::max(end, span.end);
    (engine == Engine::h2d ? result.h2d : result.d2h).push_back(span.end - span.begin);
  }
  result.seconds.push_back(end - begin);
}

double time_single(Streams& streams, Copies& copies) {
  streams.start();
  const double begin = streams.now();
  copies.enqueue(streams);
  streams.finish();
  return streams.now() - begin;
}

/// The first launch of a kernel loads it, for which the driver may wait until the device is idle. It never is
/// while streams are held.
void load_kernels(Streams& streams, Copies& copies) {
  copies.begin(streams);
  copies.enqueue(streams);
  copies.end(streams);
  streams.finish();
}

}  // namespace

BandwidthResult run_bandwidth(const BandwidthSettings& settings, const transfer::ResourceMaker& resources,
                              const std::function<void()>& done) {
  const auto streams = make_streams(settings.transfer, transfer::Trace::streams);
  const auto copies = make_copies(settings, resources);
  load_kernels(*streams, *copies);
  BandwidthResult result;
  if (copies->may_be_held()) result.not_held = streams->not_held_reason();
  for (int i = 0; i < settings.transfer.warm_ups + settings.transfer.repetitions; ++i) {
    copies->begin(*streams);
    copies->prepare(*streams);
    streams->start();
    if (copies->may_be_held()) streams->hold();
    for (int copy = 0; copy < settings.count; ++copy) copies->enqueue(*streams);
    if (copies->may_be_held()) streams->release();
    streams->finish();
    const auto measured = windows(*streams);
    copies->prepare(*streams);
    const double single = time_single(*streams, *copies);
    copies->end(*streams);
    streams->finish();
    done();
    if (i < settings.transfer.warm_ups) continue;
    add_windows(measured, result);
    result.single.push_back(single);
  }
  result.wrong = copies->wrong(*streams);
  return result;
}

}  // namespace haloheap
