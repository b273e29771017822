// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/gpu_aware.hpp>
#include <haloheap/comm/paths/host/mapped.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/host/mock.hpp>
#include <haloheap/comm/paths/host/nccl.hpp>
#include <haloheap/comm/paths/host/staged.hpp>
#include <haloheap/comm/paths/peer/peer_copy.hpp>
#include <haloheap/comm/paths/peer/peer_store.hpp>
#include <haloheap/comm/paths/peer/shared_pinned.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/backend/device_messages.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap::comm {

namespace {

/// All transports that there are.
std::vector<TransportInfo> whole_list() {
  using enum Carrier;
  using enum Reach;
  const BufferPlaces both{true, "pinned"}, slow{true, "pageable"}, direct{false, "pinned"};
  static const TransportInfo shared_pinned{.name = "pinned",
                                           .help = "through page-locked host memory that neighbours share",
                                           .make = detail::make_shared_pinned_path,
                                           .places = {true, "pinned", 1},
                                           .carrier = host,
                                           .reach = node,
                                           .needs_host = false};
  const bool nccl_in_build = backend::device_messages_unavailable_reason().empty();
  return {
      {.name = "pinned",
       .help = "through page-locked host memory",
       .make = detail::make_pinned_path,
       .places = both,
       .shared = &shared_pinned},
      {.name = "pageable",
       .help = "through ordinary host memory, as in [Valen2023]",
       .make = detail::make_pageable_path,
       .places = slow},
      {.name = "mapped",
       .help = "kernels pack into the host memory that MPI sends",
       .make = detail::make_mapped_path,
       .places = direct},
      {.name = "gpu_aware", .help = "device memory is handed to MPI", .make = detail::make_gpu_aware_path},
      {.name = "peer_copy",
       .help = "copy engines move packed bytes between the ranks of a node",
       .make = detail::make_peer_copy_path,
       .carrier = devices,
       .reach = node,
       .needs_host = false},
      {.name = "peer_store",
       .help = "kernels store into the halos of neighbours on the same node",
       .make = detail::make_peer_store_path,
       .carrier = devices,
       .reach = node,
       .needs_host = false},
      {.name = "nccl",
       .help = "NCCL moves packed bytes between devices; one rank a device",
       .make = detail::make_nccl_path,
       .carrier = devices,
       .in_build = nccl_in_build},
      {.name = "mock",
       .help = "packs and unpacks but sends nothing: the result is wrong and not verified",
       .make = detail::make_mock_path,
       .carrier = devices,
       .delivers = false},
  };
}

}  // namespace

const Registry<TransportInfo>& transports() {
  static const Registry<TransportInfo> registry("transport", [] {
    std::vector<TransportInfo> all = whole_list();
    std::erase_if(all, [](const TransportInfo& info) { return !info.in_build; });
    return all;
  }());
  return registry;
}

namespace {

/// Whether the transport's messages go through host memory that ranks share.
bool is_to_share(const TransportInfo& info, std::string_view mpi) {
  const MessageMode* const mode = message_modes().find(mpi);
  return info.carrier == Carrier::mpi && mode != nullptr && !mode->passes_messages();
}

}  // namespace

std::optional<HaloProblem> transport_problem(std::string_view name, std::string_view mpi) {
  const TransportInfo* const info = transports().find(name);
  if (info == nullptr || !is_to_share(*info, mpi) || info->shared != nullptr) return std::nullopt;
  const auto able = transports().names([](const TransportInfo& other) { return other.shared != nullptr; });
  return HaloProblem{HaloSetting::mpi,
                     fmt::format("transport '{}' has no host buffers that neighbours could copy into", name),
                     fmt::format("mpi = {} cannot serve it", mpi),
                     fmt::format("use transport = {}, or another mpi", fmt::join(able, " or "))};
}

std::optional<HaloProblem> host_problem(std::string_view name, std::string_view mpi,
                                        const HostDuties& duties) {
  const bool typed = duties.packing == Packing::datatype, corners = duties.corners == Corners::host;
  const TransportInfo* const info = transports().find(name);
  if ((!typed && !corners) || (info == nullptr && name != automatic_transport)) return std::nullopt;
  const auto through_host = [](const TransportInfo& one) {
    return one.carrier == Carrier::mpi && !one.places.host.empty();
  };
  const bool shares = info != nullptr && is_to_share(*info, mpi);
  if (info == nullptr || shares || !through_host(*info)) {
    const auto able = transports().names(through_host);
    return HaloProblem{
        typed ? HaloSetting::packing : HaloSetting::corners,
        fmt::format(
            "{} needs messages that MPI takes from buffers of the host, and transport '{}'{} has none",
            typed ? "packing = datatype" : "corners = host", name, shares ? " with mpi = shared" : ""),
        "",
        fmt::format("use transport = {} with an mpi that passes messages, or {}", fmt::join(able, " or "),
                    typed ? "packing = kernel" : "corners = device")};
  }
  return std::nullopt;
}

const TransportInfo& transport_info(std::string_view name, std::string_view mpi) {
  const TransportInfo& info = transports().at(name);
  if (const auto problem = transport_problem(name, mpi))
    throw CapabilityError(problem->cause, problem->consequence, problem->remedy);
  return is_to_share(info, mpi) ? *info.shared : info;
}

std::unique_ptr<detail::HaloPath> make_path(const std::string& transport, detail::PathSetup setup) {
  const TransportInfo& info = transport_info(transport, setup.mpi);
  return info.make(std::move(setup));
}

}  // namespace haloheap::comm
