// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_runs.hpp>

namespace haloheap {

std::size_t collectives_array_bytes(const CollectivesSettings& settings) {
  const auto ranks = static_cast<std::size_t>(settings.ranks());
  return allocators::MailboxPlaces({settings.operation}, ranks).count * sizeof(allocators::Mailbox) +
         ranks * sizeof(collectives_kernels::Record);
}

CollectivesRuns run_collectives(const CollectivesSettings& settings, const HeapSetup& setup,
                                const std::function<void(int)>& progress) {
  CollectivesRuns result;
  allocators::choose_allocator<allocators::AllAllocators>(settings.allocator.name, [&]<class A>() {
    result = collectives_kernels::Runs<A>(settings, setup).run(progress);
  });
  result.superblocks = count_superblocks(settings, setup);
  return result;
}

}  // namespace haloheap
