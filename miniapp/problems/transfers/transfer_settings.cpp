// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/transfer/emulated_streams.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

transfer::LinkModel read_link(const deck::Deck& deck) {
  const auto rate = [&](const char* key) { return 1e9 * deck.get<double>(key); };
  const auto seconds = [&](const char* key) { return 1e-6 * deck.get<double>(key); };
  transfer::LinkModel link;
  link.up = {seconds("link.up_latency"), rate("link.up")};
  link.down = {seconds("link.down_latency"), rate("link.down")};
  link.kernel = {seconds("link.kernel_latency"), rate("link.kernel")};
  link.pageable_up = rate("link.pageable_up");
  link.pageable_down = rate("link.pageable_down");
  link.host_copy = rate("link.host_copy");
  link.submit = seconds("link.submit");
  return link;
}

bool read_emulated(const deck::Deck& deck) {
  const auto kind = deck.choice<LinkKind>("link.kind");
  if (kind == LinkKind::emulated && !backend::kernels_on_host)
    deck.reject("link.kind",
                "a link is emulated where kernels run on the host, and here they run on a device",
                "use link.kind = \"real\", or a build for the CPU");
  return kind == LinkKind::emulated || (kind == LinkKind::automatic && backend::kernels_on_host);
}

}  // namespace

TransferChoice read_transfer_choice(const deck::Deck& deck) {
  TransferChoice choice;
  choice.mode = deck.get<std::string>("transfer.mode");
  choice.schedule = deck.choice<transfer::Schedule>("transfer.schedule");
  if (choice.schedule != transfer::Schedule::none)
    choice.streams = static_cast<int>(deck.get<std::int64_t>("transfer.streams"));
  return choice;
}

TransferSettings read_transfer(const deck::Deck& deck) {
  TransferSettings settings;
  static_cast<TransferChoice&>(settings) = read_transfer_choice(deck);
  if (!settings.any())
    deck.reject(
        "transfer.mode",
        fmt::format("problem '{}' measures a mode, and none is chosen", deck.get<std::string>("problem")),
        "use transfer.mode = \"pinned\" or another one, or a list of them");
  const auto bytes = static_cast<std::size_t>(deck.get<std::int64_t>("transfer.bytes"));
  if (bytes % sizeof(float) != 0)
    deck.reject("transfer.bytes", fmt::format("{} bytes are not a whole number of floats", bytes),
                "use a multiple of 4");
  settings.rows = bytes / sizeof(float);
  settings.emulated = read_emulated(deck);
  settings.bind = deck.get<bool>("link.bind");
  settings.link = read_link(deck);
  settings.repetitions = static_cast<int>(deck.get<std::int64_t>("run.repetitions"));
  settings.warm_ups = static_cast<int>(deck.get<std::int64_t>("run.warmup"));
  return settings;
}

std::unique_ptr<transfer::Streams> make_streams(const TransferSettings& settings, transfer::Trace trace) {
  if (settings.emulated) return transfer::make_emulated_streams(settings.streams, settings.link);
  return transfer::make_device_streams(settings.streams, trace);
}

}  // namespace haloheap
