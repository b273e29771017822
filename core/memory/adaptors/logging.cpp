// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/logging.hpp>

#include <fmt/format.h>

namespace haloheap::memory {
namespace {

/// Quoted as RFC 4180 wants it.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

LoggingResource::LoggingResource(std::shared_ptr<MemoryResource> upstream, Sink sink)
    : ResourceAdaptor(std::move(upstream)), sink_(std::move(sink)) {
  if (!sink_) throw UsageError("the logging memory resource needs a sink for its lines");
  sink_(header);
}

void LoggingResource::write(std::string_view event, const Allocation& allocation, std::string_view label) {
  const std::scoped_lock lock(mutex_);
  sink_(fmt::format("{},{},{},{},{},{},{}", ++number_, event, csv_field(upstream().name()), allocation.bytes,
                    allocation.alignment, fmt::ptr(allocation.data), csv_field(label)));
}

void* LoggingResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  Allocation allocation{nullptr, bytes, alignment};
  try {
    allocation = upstream().allocate(bytes, alignment, label);
  } catch (...) {
    write("fail", allocation, label);
    throw;
  }
  try {
    write("allocate", allocation, label);
  } catch (...) {
    upstream().deallocate(allocation);  // the sink failed: nobody would get the block
    throw;
  }
  return allocation.data;
}

void LoggingResource::do_deallocate(const Allocation& allocation) noexcept {
  try {
    write("deallocate", allocation, "");
  } catch (...) {
    // A trace that cannot be written is no reason to keep the memory.
  }
  upstream().deallocate(allocation);
}

}  // namespace haloheap::memory
