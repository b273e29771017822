// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/host/crash_message.hpp>
#include <haloheap/comm/paths/host/device_memory_probe.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

#include <fmt/format.h>

#if defined(HALOHEAP_HAVE_MPIX_QUERY_CUDA_SUPPORT) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace haloheap::comm {
namespace {

unsigned char probe_byte(int sender, std::size_t i) {
  return static_cast<unsigned char>(17 + 31 * static_cast<std::size_t>(sender) + 7 * i + i / 251);
}

std::vector<unsigned char> probe_bytes(int sender, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = probe_byte(sender, i);
  return bytes;
}

/// The messages of a ring: to the next rank, from the one before.
detail::RoundBytes ring_messages(const Communicator& communicator, std::size_t size) {
  const int ranks = communicator.size(), next = (communicator.rank() + 1) % ranks,
            before = (communicator.rank() + ranks - 1) % ranks;
  if (next == before) return {{next, 0, size, 0, size}};
  return {{next, 0, size, 0, 0}, {before, 0, 0, 0, size}};
}

/// The first byte that is wrong, or nothing.
std::optional<std::size_t> wrong_byte(Communicator& communicator,
                                      const std::shared_ptr<memory::MemoryResource>& memory, std::size_t size,
                                      double timeout) {
  const backend::Instance queue(backend::Priority::high);
  const memory::Array<std::byte> send(memory, "haloheap::comm::probe_send", size),
      receive(memory, "haloheap::comm::probe_receive", size);
  const int before = (communicator.rank() + communicator.size() - 1) % communicator.size();
  const std::vector<unsigned char> sent = probe_bytes(communicator.rank(), size);
  const std::vector<unsigned char> expected = probe_bytes(before, size);
  std::vector<unsigned char> arrived = expected;
  for (unsigned char& byte : arrived) byte = static_cast<unsigned char>(~byte);
  backend::copy_async(queue.exec(), send.data(), sent.data(), size);
  backend::copy_async(queue.exec(), receive.data(), arrived.data(), size);
  queue.exec().fence("haloheap::comm::probe_ready");
  const detail::RoundBytes messages = ring_messages(communicator, size);
  const auto set = make_message_set(
      "isend",
      {.communicator = communicator, .messages = messages, .send = send.data(), .receive = receive.data()});
  set->start();
  try {
    set->wait(timeout);
  } catch (const CommunicationError&) {
    set->give_up();
    communicator.abandon();
    throw;
  }
  backend::copy_async(queue.exec(), arrived.data(), receive.data(), size);
  queue.exec().fence("haloheap::comm::probe_arrived");
  for (std::size_t i = 0; i < size; ++i)
    if (arrived[i] != expected[i]) return i;
  return std::nullopt;
}

}  // namespace

std::optional<bool> mpi_cuda_support() {
#ifdef HALOHEAP_HAVE_MPIX_QUERY_CUDA_SUPPORT
  return MPIX_Query_cuda_support() != 0;
#else
  return std::nullopt;
#endif
}

GpuAwareness gpu_awareness(std::optional<bool> says, bool probed, bool device) {
  const std::string query = !says   ? "this MPI library has no MPIX_Query_cuda_support"
                            : *says ? "MPIX_Query_cuda_support says yes"
                                    : "MPIX_Query_cuda_support says no";
  if (!device) return {"not applicable", "kernels run on the host"};
  if (probed) return {"yes", query + "; messages in device memory arrived right"};
  return {!says ? "unknown" : *says ? "yes" : "no", query};
}

void require_gpu_aware(std::optional<bool> says, bool force) {
  if (force || says.value_or(false)) return;
  throw CapabilityError(
      "transport gpu_aware hands device memory to MPI, but " + gpu_awareness(says, false, true).from,
      "MPI would crash or send wrong bytes",
      "use transport pinned, or force gpu_aware if the library is known to take device memory: a probe "
      "message then proves it");
}

void probe_device_memory(const Communicator& communicator,
                         const std::shared_ptr<memory::MemoryResource>& memory, double timeout) {
  Communicator own(communicator.get());
  for (const std::size_t size : {std::size_t{64}, std::size_t{1} << 20}) {
    std::optional<std::size_t> wrong;
    {
      const detail::CrashMessage message;
      wrong = wrong_byte(own, memory, size, timeout);
    }
    agree(own, [&] {
      if (wrong)
        throw CapabilityError(
            fmt::format("a probe message of {} bytes in memory '{}' arrived wrong, from byte {} on", size,
                        memory->name(), *wrong),
            "this MPI library does not take device memory", "use transport pinned");
    });
  }
}

}  // namespace haloheap::comm
