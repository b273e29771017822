// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/malloc/malloc_files.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/report_error.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace haloheap::allocators::detail {
namespace {

struct File {
  const MallocFile* self;
  std::string heap;
  MallocFile::Fill fill;
};

struct Target {
  const MallocTarget* self;
  HeapConfig::Exec exec;
  std::string heap;
  std::vector<std::byte> slot;
};

/// Files and heaps, oldest first.
struct Known {
  std::mutex mutex;
  std::vector<File> files;
  std::vector<Target> targets;
};

/// Files are known before main begins, in an order that nobody knows. Each of them comes here before it is
/// complete, so that this ends after all of them.
Known& known() {
  static Known all;
  return all;
}

void refuse_other_heap(const File& file, const std::string& heap) {
  if (file.heap == heap) return;
  throw UsageError("kernels that call haloheap::malloc were compiled for the heap " + file.heap +
                       " in one file and for " + heap + " in another",
                   "a block of one would be freed in the other",
                   "define HALOHEAP_HEAP and HALOHEAP_CHECK_HEAP alike for all files");
}

/// The youngest heap's slot for all files, or none. Kernels must not see a slot change.
void fill_all(const Known& all, const HeapConfig::Exec& exec) {
  Kokkos::fence("haloheap::Heap");
  for (const File& file : all.files)
    file.fill(exec, all.targets.empty() ? nullptr : all.targets.back().slot.data());
}

}  // namespace

MallocFile::MallocFile(const char* heap, Fill fill) {
  Known& all = known();
  const std::scoped_lock lock(all.mutex);
  const File file{this, heap, fill};
  all.files.push_back(file);
  if (all.targets.empty()) return;
  const Target& target = all.targets.back();
  // Nobody could catch an error here: kernels of a file of another kind find no heap.
  if (target.heap == file.heap) file.fill(target.exec, target.slot.data());
}

MallocFile::~MallocFile() {
  Known& all = known();
  const std::scoped_lock lock(all.mutex);
  std::erase_if(all.files, [this](const File& file) { return file.self == this; });
}

const HeapConfig& require_malloc(const char* allocator, const HeapConfig& config, const Promises& promises) {
  if (promises.alignment_from_16 >= 16) return config;
  throw UsageError("blocks of " + std::string(allocator) + " are aligned to " +
                       std::to_string(promises.alignment_from_16) + " bytes, and those of malloc to 16",
                   "", "use another heap, or leave HeapConfig::alignment at 16");
}

MallocTarget::MallocTarget(const HeapConfig::Exec& exec, const char* heap, std::span<const std::byte> slot) {
  Known& all = known();
  const std::scoped_lock lock(all.mutex);
  for (const File& file : all.files) refuse_other_heap(file, heap);
  all.targets.push_back({this, exec, heap, {slot.begin(), slot.end()}});
  try {
    fill_all(all, exec);
  } catch (...) {
    all.targets.pop_back();
    throw;
  }
}

MallocTarget::~MallocTarget() {
  base::report_what_throws("haloheap::Heap::~Heap", [this] {
    Known& all = known();
    const std::scoped_lock lock(all.mutex);
    const auto mine = std::find_if(all.targets.begin(), all.targets.end(),
                                   [this](const Target& target) { return target.self == this; });
    const HeapConfig::Exec exec = mine->exec;
    const bool youngest = mine + 1 == all.targets.end();
    all.targets.erase(mine);
    if (youngest) fill_all(all, exec);
  });
}

const void* find_malloc_slot(const void* address, bool (*contains)(const void* slot, const void* address)) {
  Known& all = known();
  const std::scoped_lock lock(all.mutex);
  const auto found = std::find_if(all.targets.rbegin(), all.targets.rend(), [&](const Target& target) {
    return contains(target.slot.data(), address);
  });
  return found == all.targets.rend() ? nullptr : found->slot.data();
}

}  // namespace haloheap::allocators::detail
