// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/report_error.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/transfer/pipeline.hpp>

#include <fmt/format.h>

namespace haloheap::transfer {

struct Pipeline::Held {
  const OperandMemory& place;
  Layout layout;
  Intent intent;
};

Pipeline::Pipeline(std::unique_ptr<Streams> streams, std::unique_ptr<Mode> mode, Schedule schedule,
                   std::size_t rows)
    : streams_(std::move(streams)), mode_(std::move(mode)), schedule_(schedule), rows_(rows) {
  const auto count = static_cast<std::size_t>(schedule == Schedule::none ? 1 : streams_->count());
  for (std::size_t i = 0; i < count; ++i) {
    const Chunk chunk{rows * i / count, rows * (i + 1) / count, static_cast<int>(i)};
    if (chunk.begin < chunk.end) chunks_.push_back(chunk);
  }
}

Pipeline::~Pipeline() {
  // Before the memory goes.
  base::report_what_throws("transfer::Pipeline::~Pipeline", [this] { streams_->finish(); });
}

const OperandMemory& Pipeline::add(const std::string& label, Intent intent, std::size_t row_bytes,
                                   std::size_t pitch) {
  if (pitch < row_bytes)
    throw UsageError(
        fmt::format("rows of '{}' are {} bytes long and {} bytes apart", label, row_bytes, pitch),
        "they would overlap", "use a pitch of the width at least, or 0");
  if (ran_)
    throw UsageError(fmt::format("operand '{}' comes after the first run", label), "it was not added",
                     "add all operands first");
  const Layout layout{rows_, row_bytes, pitch};
  const base::Stopwatch watch;
  const OperandMemory& place = mode_->place(layout, intent, label);
  memory_seconds_ += watch.seconds();
  operands_.push_back({place, layout, intent});
  return operands_.back().place;
}

void Pipeline::set_kernel(Kernel kernel, double operations) {
  if (ran_ && mode_->recorded())
    throw UsageError("a run was recorded with another kernel", "the kernel was not changed",
                     "use another pipeline for it");
  kernel_ = std::move(kernel);
  operations_ = operations;
}

double Pipeline::run() {
  if (!kernel_)
    throw UsageError("the pipeline has no kernel", "nothing was transferred", "call set_kernel first");
  ran_ = true;
  streams_->start();
  const double begin = streams_->now();
  mode_->begin(*streams_);
  if (mode_->recorded() && !chunks_.empty()) {
    streams_->replay([this] { issue(); });
  } else {
    issue();
  }
  mode_->end(*streams_);
  streams_->finish();
  return streams_->now() - begin;
}

void Pipeline::issue() {
  if (schedule_ == Schedule::breadth_first) {
    for (const Chunk& chunk : chunks_) to_device(chunk);
    for (const Chunk& chunk : chunks_) work(chunk);
    for (const Chunk& chunk : chunks_) to_host(chunk);
    return;
  }
  for (const Chunk& chunk : chunks_) {
    to_device(chunk);
    work(chunk);
    to_host(chunk);
  }
}

std::vector<Piece> Pipeline::pieces(const Chunk& chunk) const {
  std::vector<Piece> result;
  for (const Held& held : operands_)
    result.push_back({held.place.host + chunk.begin * held.layout.host_pitch,
                      held.place.device + chunk.begin * held.place.device_pitch, chunk.end - chunk.begin,
                      held.layout.row_bytes, held.layout.host_pitch, held.intent});
  return result;
}

void Pipeline::to_device(const Chunk& chunk) {
  mode_->to_device(*streams_, chunk.number, chunk.number, pieces(chunk));
}

void Pipeline::to_host(const Chunk& chunk) {
  mode_->to_host(*streams_, chunk.number, chunk.number, pieces(chunk));
}

void Pipeline::work(const Chunk& chunk) {
  Operation kernel{.engine = Engine::kernel,
                   .enqueue = [this, chunk](const backend::Exec& exec) { kernel_(exec, chunk); },
                   .operations = operations_ * static_cast<double>(chunk.end - chunk.begin),
                   .chunk = chunk.number};
  for (const Piece& piece : pieces(chunk)) {
    if (mode_->kernels_read_host() && copied_to_device(piece.intent)) kernel.bytes_h2d += piece.bytes();
    if (mode_->kernels_write_host() && copied_to_host(piece.intent)) kernel.bytes_d2h += piece.bytes();
  }
  streams_->enqueue(chunk.number, kernel);
}

}  // namespace haloheap::transfer
