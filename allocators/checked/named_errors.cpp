// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/checked/named_errors.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace haloheap::allocators::detail {
namespace {

using Lock = std::lock_guard<std::mutex>;

/// Those that there are.
struct All {
  std::mutex mutex;  // of all that they have on the host, too
  std::vector<NamedErrors*> errors;
};

All& all() {
  static All all;
  return all;
}

}  // namespace

NamedErrors::NamedErrors(const Exec& exec, const HeapConfig& config) : exec_(exec), errors_(exec, config) {
  const Lock lock(all().mutex);
  all().errors.push_back(this);
}

NamedErrors::~NamedErrors() {
  const Lock lock(all().mutex);
  std::erase(all().errors, this);
}

void NamedErrors::reset(const Exec& exec) {
  errors_.reset(exec);
  const Lock lock(all().mutex);
  ranges_.clear();
}

std::vector<HeapError> NamedErrors::errors(const Exec& exec) const {
  std::vector<HeapError> found = errors_.errors(exec);
  const Lock lock(all().mutex);
  std::uint64_t number = 0;
  for (const Range& range : ranges_)
    for (; number < std::min<std::uint64_t>(range.end, found.size()); ++number)
      std::strncpy(found[number].kernel, range.kernel.c_str(), sizeof found[number].kernel - 1);
  return found;
}

void NamedErrors::name_new(const std::string& kernel) {
  const Lock lock(all().mutex);
  for (NamedErrors* const errors : all().errors) errors->name(kernel);
}

void NamedErrors::name(const std::string& kernel) {
  const std::uint64_t count = errors_.count(exec_);
  if (count > (ranges_.empty() ? 0 : ranges_.back().end)) ranges_.push_back({count, kernel});
}

}  // namespace haloheap::allocators::detail
