// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// What an allocator rounds up, keeps free, or lends to buffers whose size shows in the run.
std::size_t arena_bytes(const deck::Deck& deck, std::size_t needed) {
  const double told = deck.get<double>("memory.arena");
  return told > 0 ? static_cast<std::size_t>(told * gib) : needed + needed / 4 + (std::size_t{64} << 20);
}

/// An arena that a deck asked for. Its errors begin with the key that can be changed, which a library does
/// not know.
class DeckArena final : public memory::ResourceAdaptor {
 public:
  DeckArena(std::shared_ptr<MemoryResource> arena, const deck::Deck& deck, std::string key)
      : ResourceAdaptor(std::move(arena)), deck_(deck), key_(std::move(key)) {}
  std::string name() const override { return upstream().name(); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override {
    try {
      return upstream().allocate(bytes, alignment, label).data;
    } catch (const OutOfMemory& error) {
      throw OutOfMemory(error.bytes(), cause_at("memory.arena", error), error.consequence(), error.remedy());
    } catch (const CapabilityError& error) {
      throw CapabilityError(cause_at(key_, error), error.consequence(), error.remedy());
    }
  }
  void do_deallocate(const memory::Allocation& allocation) noexcept override {
    upstream().deallocate(allocation);
  }
  std::string cause_at(const std::string& key, const Error& error) const {
    return fmt::format("{}: {}: {}", deck_.location(key), key, error.cause());
  }

  deck::Deck deck_;
  std::string key_;  ///< that chose the arena
};

void check_fits(const char* where, double needed, double free, int ranks) {
  if (needed > free)
    throw OutOfMemory(static_cast<std::size_t>(needed),
                      fmt::format("{:.2f} GiB are needed in {} memory by {} rank{}, and {:.2f} GiB are free",
                                  needed / gib, where, ranks, ranks == 1 ? "" : "s", free / gib),
                      "nothing was allocated",
                      "use a smaller grid, fewer quantities, float, or more machines");
}

}  // namespace

MemoryDemand memory_demand(const deck::Deck& deck, const std::string& key, std::size_t needed) {
  const auto name = deck.get<std::string>(key);
  return {name, memory::memory_resources().at(name).pooled ? arena_bytes(deck, needed) : needed};
}

std::shared_ptr<memory::MemoryResource> RunMemory::named(const std::string& name) {
  return adapted(memory::make_memory_resource(name));
}

std::shared_ptr<memory::MemoryResource> RunMemory::adapted(std::shared_ptr<memory::MemoryResource> made) {
  if (const double limit = deck_.get<double>("memory.limit"); limit > 0)
    made = std::make_shared<memory::LimitingResource>(made, static_cast<std::size_t>(limit * gib));
  if (const auto n = deck_.get<std::int64_t>("memory.fail_allocation"); n > 0)
    made = std::make_shared<memory::FaultyResource>(made, static_cast<std::size_t>(n));
  return given_.emplace_back(std::make_shared<memory::StatisticsResource>(made));
}

std::shared_ptr<memory::MemoryResource> RunMemory::resource(const std::string& key, std::size_t needed) {
  const auto [name, bytes] = memory_demand(deck_, key, needed);
  auto made = memory::make_memory_resource(name, {.pool_bytes = bytes});
  if (memory::memory_resources().at(name).pooled) made = std::make_shared<DeckArena>(made, deck_, key);
  made = adapted(made);
  try {
    memory::require_kernel_access(*made);
  } catch (const UsageError& error) {
    deck_.reject(key, error.cause(), error.remedy());
  }
  return made;
}

std::shared_ptr<memory::MemoryResource> RunMemory::shared(const std::string& name) {
  auto& resource = shared_[name];
  if (!resource) resource = named(name);
  return resource;
}

std::size_t RunMemory::peak_bytes() const {
  std::size_t sum = 0;
  for (const auto& resource : given_) sum += resource->snapshot().peak_bytes;
  return sum;
}

void check_memory(const comm::Communicator& communicator, const std::vector<MemoryDemand>& demands) {
  const int device = backend::current_device();
  // An emulated device has no memory but the host's.
  const bool one_memory = backend::properties(backend::MemoryKind::device, device).host_accessible ||
                          backend::device_memory(device).total == backend::host_memory().total;
  double device_bytes = 0, host_bytes = 0;
  for (const MemoryDemand& demand : demands)
    (one_memory || memory::memory_resources().at(demand.resource).on_host ? host_bytes : device_bytes) +=
        static_cast<double>(demand.bytes);

  const comm::Communicator node = communicator.node(), sharers = node.split(device);
  const double device_needed = sharers.sum(device_bytes), host_needed = node.sum(host_bytes);
  agree(communicator, [&] {
    if (!one_memory)
      check_fits("device", device_needed, static_cast<double>(backend::device_memory(device).free),
                 sharers.size());
    check_fits("host", host_needed, static_cast<double>(backend::host_memory().free), node.size());
  });
}

}  // namespace haloheap
