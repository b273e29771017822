// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_CONTEXT_HPP
#define HALOHEAP_CORE_COHERENCE_CONTEXT_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/coherence/directory.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace haloheap::coherence {

namespace detail {
class ElementStore;
}

/// More devices than this are not used by one process.
inline constexpr int max_devices = 16;

struct ContextOptions {
  int devices = -1;                  ///< of this process; 0: the host computes; -1: all that there are
  std::string policy = "region";     ///< see policies()
  bool peer = true;                  ///< devices copy straight to each other where they can
  bool pinned = true;                ///< containers' memory on the host is page-locked
  std::size_t capacity = unlimited;  ///< bytes of each device for all containers together
  int instances = 1;                 ///< of each device: calls that write different containers may overlap
  bool asynchronous = false;         ///< calls return before their work is done; accesses wait for it
  bool check_uses = false;           ///< finds uses that overlap and says which
  bool share_devices = false;        ///< more devices than the machine has may be asked for: they share those
  /// Memory of the containers on the host and on a device; empty: pinned or pageable, and the device's own.
  std::shared_ptr<memory::MemoryResource> host_memory = nullptr;
  std::function<std::shared_ptr<memory::MemoryResource>(int device)> device_memory = nullptr;
};

/// The devices that containers are used on, the directory of their copies, and who carries its plans out.
/// Containers that are used together have the same context. It lives longer than they do, as they live longer
/// than accesses to them, and it begins after Kokkos::initialize and ends before Kokkos::finalize. Uses of
/// elements that do not overlap, and calls on different containers, may come from several threads. Kernels
/// change which device is current; when a context ends it is the one again that it was when the context was
/// made.
///
/// What goes wrong in a destructor, of an access or of a container, is thrown by the next call that
/// moves elements or waits; if there is none, ~Context says it on stderr. fence() before the end is sure to
/// throw it.
class Context {
 public:
  using Exec = backend::Exec;

  /// \throws CapabilityError for more devices than there are, UsageError for a policy that there is not, and
  /// where Kokkos does not run
  explicit Context(const ContextOptions& options = {});
  /// Waits for all work. Does not throw: errors go to stderr, one line each. Containers that are still there
  /// lose their elements, which is such an error; they may be destroyed and assigned to, and throw when used
  /// (pointers to elements and unchecked access do not).
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const ContextOptions& options() const;
  int devices() const;
  int instances() const { return options().instances; }
  /// Where kernels of a device are launched. \throws UsageError for a device or an instance that there is not
  const Exec& exec(int device, int instance = 0) const;
  /// Blocks until all work of all containers is done. \throws what a use that ended in a destructor met
  void fence();
  /// For who waits, or asks what is done, past this context: no graph can do that (Repeated). \throws
  /// UsageError while calls are recorded
  void cannot_record(std::string_view why) const;

  /// Of all containers since the last reset.
  Statistics statistics() const;
  void reset_statistics();
  /// Whether devices copy straight from one memory to the other.
  bool peer(int from, int to) const;

 private:
  friend class detail::ElementStore;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloheap::coherence

#endif
