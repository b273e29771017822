// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/checked/heap_errors.hpp>
#include <haloheap/allocators/fetch.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::allocators {
namespace {

const char* in_words(HeapFault kind) {
  switch (kind) {
    case HeapFault::double_free:
      return "double free of";
    case HeapFault::foreign:
      return "free of what is not a block of this heap:";
    case HeapFault::underrun:
      return "write in front of";
    case HeapFault::overrun:
      return "write behind";
    case HeapFault::use_of_freed:
      return "write to freed memory at";
    case HeapFault::leak:
      return "never freed:";
  }
  return "unknown error at";
}

}  // namespace

std::string to_string(const HeapError& error) {
  std::string text = fmt::format("{} {}", in_words(error.kind), fmt::ptr(error.address));
  if (error.bytes > 0) text += fmt::format(" ({} byte{})", error.bytes, error.bytes == 1 ? "" : "s");
  const auto tell = [&text](const char* what, const CallText& call) {
    if (call.line > 0) text += fmt::format("{} in {} ({}:{})", what, call.function, call.file, call.line);
  };
  tell(", allocated", error.allocation);
  const bool is_the_call = error.kind == HeapFault::double_free || error.kind == HeapFault::foreign;
  tell(is_the_call ? "" : ", found", error.call);
  if (error.kernel[0] != '\0') text += fmt::format(", kernel '{}'", error.kernel);
  return text;
}

std::string heap_report(const std::string& label, std::uint64_t count, std::span<const HeapError> errors) {
  constexpr std::size_t shown = 8;
  std::string text = fmt::format("heap '{}': {} error{}", label, count, count == 1 ? "" : "s");
  for (const HeapError& error : errors.first(std::min(shown, errors.size())))
    text += "\n  " + to_string(error);
  if (count > shown) text += fmt::format("\n  and {} more", count - shown);
  return text;
}

ErrorMetadata::ErrorMetadata(const Exec& exec, const HeapConfig& config)
    : count_(config.resource(), config.label + "_error_count", 1),
      errors_(config.resource(), config.label + "_errors", ErrorLog::kept) {
  reset(exec);
}

void ErrorMetadata::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, count_.view(), std::uint64_t{0});
}

std::uint64_t ErrorMetadata::count(const Exec& exec) const {
  return fetch(exec, count_.view().data(), 1).front();
}

std::vector<HeapError> ErrorMetadata::errors(const Exec& exec) const {
  const std::uint64_t number = std::min<std::uint64_t>(count(exec), ErrorLog::kept);
  if (number == 0) return {};
  return fetch(exec, errors_.view().data(), number);
}

}  // namespace haloheap::allocators
