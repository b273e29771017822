// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_PIPELINE_HPP
#define HALOHEAP_CORE_TRANSFER_PIPELINE_HPP

#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/core/transfer/operand.hpp>
#include <haloheap/core/transfer/schedule.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap::transfer {

/// Rows [begin, end) of all operands.
struct Chunk {
  std::size_t begin = 0, end = 0;
  int number = 0;
};

/// Operands go to the device, a kernel works on them, and the results come back: in as many chunks as there
/// are streams, by a mode and in an order that are chosen at run time.
///
///     Pipeline pipeline(make_device_streams(4), make_mode("pinned"), Schedule::depth_first, n);
///     const auto a = pipeline.operand<float>("a", Intent::in_out);
///     // ... fill a.host(0) to a.host(n - 1) ...
///     pipeline.set_kernel([=](const backend::Exec& exec, const Chunk& chunk) {
///       Kokkos::parallel_for("twice", Kokkos::RangePolicy(exec, chunk.begin, chunk.end), Twice{a.device()});
///     });
///     const double seconds = pipeline.run();  // and again, as often as needed
class Pipeline {
 public:
  /// Enqueues the kernel for some rows. Called for each chunk and run; if the mode records, in the first run
  /// only.
  using Kernel = std::function<void(const backend::Exec& exec, const Chunk& chunk)>;

  /// `rows` is the length of all operands.
  Pipeline(std::unique_ptr<Streams> streams, std::unique_ptr<Mode> mode, Schedule schedule, std::size_t rows);
  /// Waits until all is done; an error of the device is reported on stderr, as run() has thrown it.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Takes memory for rows of `width` elements each. On the host they lie `pitch` elements apart; 0: side by
  /// side. The elements are undefined. \throws OutOfMemory; UsageError for a pitch below the width, or after
  /// the first run
  template <class T>
  Operand<T> operand(const std::string& label, Intent intent, std::size_t width = 1, std::size_t pitch = 0) {
    static_assert(std::is_trivially_copyable_v<T>, "the elements are copied as bytes");
    const std::size_t apart = pitch == 0 ? width : pitch;
    return {add(label, intent, width * sizeof(T), apart * sizeof(T)), rows_, width, apart};
  }

  /// `operations` of a row are only for an emulated link: what its kernel rate counts.
  void set_kernel(Kernel kernel, double operations = 1);

  /// Copies all of it to the device, works, and copies all of it back. Seconds of the host, from the first
  /// call to the moment when the results are there.
  double run();

  /// Of the last run, if the streams keep one; a recorded run leaves none but on an emulated link.
  std::vector<TraceEvent> trace() const { return streams_->trace(); }
  const Streams& streams() const { return *streams_; }
  /// Seconds that it took to get the operands' memory, both sides.
  double memory_seconds() const { return memory_seconds_; }
  /// Chunks of a run: fewer than streams if there are fewer rows.
  int chunks() const { return static_cast<int>(chunks_.size()); }

 private:
  struct Held;

  const OperandMemory& add(const std::string& label, Intent intent, std::size_t row_bytes, std::size_t pitch);
  std::vector<Piece> pieces(const Chunk& chunk) const;
  void issue();
  void to_device(const Chunk& chunk);
  void work(const Chunk& chunk);
  void to_host(const Chunk& chunk);

  std::unique_ptr<Streams> streams_;
  std::unique_ptr<Mode> mode_;
  Schedule schedule_;
  std::size_t rows_;
  std::vector<Chunk> chunks_;
  std::deque<Held> operands_;
  Kernel kernel_;
  double operations_ = 1, memory_seconds_ = 0;
  bool ran_ = false;
};

}  // namespace haloheap::transfer

#endif
