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
#include <haloheap/comm/paths/transport.hpp>
#include <haloheap/core/base/error.hpp>

namespace haloheap {

const std::vector<TransportInfo>& transports() {
  using enum Carrier;
  using enum Reach;
  const BufferPlaces both{true, "pinned"}, slow{true, "pageable"}, direct{false, "pinned"}, device{};
  static const TransportInfo shared_pinned{"pinned",
                                           "through page-locked host memory that neighbours share",
                                           make_shared_pinned_transport,
                                           {true, "pinned", 1},
                                           host,
                                           node};
  static const std::vector<TransportInfo> list = {
      {"pinned", "through page-locked host memory", make_pinned_transport, both, mpi, any, true,
       &shared_pinned},
      {"pageable", "through ordinary host memory, as in Valen (2023)", make_pageable_transport, slow},
      {"mapped", "kernels pack into the host memory that MPI sends", make_mapped_transport, direct},
      {"gpu_aware", "device memory is handed to MPI", make_gpu_aware_transport, device},
      {"peer_copy", "copy engines move packed bytes between the ranks of a node", make_peer_copy_transport,
       device, devices, node},
      {"peer_store", "kernels store into the halos of neighbours on the same node", make_peer_store_transport,
       device, devices, node},
#ifdef HALOHEAP_HAVE_NCCL
      {"nccl", "NCCL moves packed bytes between devices; one rank a device", make_nccl_transport, device,
       devices},
#endif
      {"mock", "packs and unpacks but sends nothing: the result is wrong and not verified",
       make_mock_transport, device, devices, any, false},
  };
  return list;
}

namespace {

const TransportInfo& with_way(const TransportInfo& info, const std::string& mpi) {
  if (info.carrier != Carrier::mpi || mpi != shared_memory) return info;
  if (info.shared) return *info.shared;
  throw CapabilityError("transport '" + info.name + "' has no host buffers that neighbours could copy into",
                        "halo.mpi = shared cannot serve it",
                        "use halo.transport = pinned, or another halo.mpi");
}

}  // namespace

const RemoteHalo& Transport::remote(int /*round*/, std::size_t /*message*/) const {
  throw InternalError("a transport with buffers was asked for a neighbour's halo");
}

std::array<std::byte*, 2> Transport::narrow_buffers(int /*round*/) {
  throw InternalError("a transport with buffers was asked for those of narrow boxes");
}

const TransportInfo& transport_info(const std::string& name, const std::string& mpi) {
  std::string names;
  for (const TransportInfo& info : transports()) {
    if (info.name == name) return with_way(info, mpi);
    names += (names.empty() ? "" : ", ") + info.name;
  }
  throw CapabilityError("this build has no transport '" + name + "'", "", "use one of: " + names);
}

std::unique_ptr<Transport> make_transport(const std::string& name, TransportSetup setup) {
  const TransportInfo& info = transport_info(name, setup.mpi);
  return info.make(std::move(setup));
}

}  // namespace haloheap
