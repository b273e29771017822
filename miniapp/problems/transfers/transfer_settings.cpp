// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/transfer/emulated_streams.hpp>
#include <haloheap/core/transfer/schedule.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>
#include <haloheap/miniapp/repetitions.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

deck::Section& section(deck::Schema& schema) {
  return schema.section("transfer", "How arrays are copied between host and device");
}

void add_link(deck::Schema& schema) {
  deck::Section& link = schema.section("link", "The link between host and device");
  link.choice("kind", LinkKind::automatic)
      .help(
          "Emulated: the work is done, and the time that such a link would take is counted; auto: emulated "
          "where "
          "there is no device");
  link.boolean("bind", true)
      .help(
          "Of a real link: run on the CPUs of the NUMA node that is near the device, and take the host's "
          "memory there");
  const auto rate = [&](const char* name, double value, const char* help) {
    link.real(name, value).range(1e-6, 1e6).unit("GB/s").help(help);
  };
  rate("h2d", 55, "Of an emulated link: to the device");
  rate("d2h", 55, "Of an emulated link: from the device");
  rate("pageable_h2d", 10, "Of an emulated link: to the device from memory that is not page-locked");
  rate("pageable_d2h", 18, "Of an emulated link: from the device to memory that is not page-locked");
  rate("host_copy", 12, "Of an emulated link: copies of the host itself");
  const auto latency = [&](const char* name, double value, const char* help) {
    link.real(name, value).range(0, 1e6).unit("us").help(help);
  };
  latency("h2d_latency", 5, "Of an emulated link: of each copy to the device");
  latency("d2h_latency", 5, "Of an emulated link: of each copy from the device");
  latency("kernel_latency", 3, "Of an emulated device: of each kernel");
  latency("submit", 2, "Of an emulated link: the host's time for each operation");
  link.real("kernel", 1000)
      .range(1e-6, 1e9)
      .unit("G/s")
      .help("Of an emulated device: operations a second of its kernels");
}

}  // namespace

void add_transfer_mode_keys(deck::Schema& schema) {
  std::vector<std::string> modes{no_transfer_mode};
  for (const transfer::ModeEntry& mode : transfer::modes()) modes.push_back(mode.name);
  deck::Section& transfer = section(schema);
  transfer.text("mode", no_transfer_mode)
      .choices(modes)
      .or_auto()
      .help(
          "Memory of the host's side, and how it is copied; none: problems on grids make their fields "
          "without "
          "it, and copy them to the host where it needs them");
  transfer.choice("schedule", transfer::Schedule::none)
      .or_auto()
      .help(
          "One chunk on one stream; or a chunk a stream: H2D, kernel and D2H of one after the other (type "
          "I), "
          "or all H2D, all kernels, all D2H (type II)");
  transfer.integer("streams", 4)
      .range(1, 64)
      .or_auto()
      .unit("streams")
      .help("Streams; schedule none uses one");
}

void add_transfer_keys(deck::Schema& schema) {
  deck::Section& transfer = section(schema);
  transfer.integer("bytes", 1'638'400)
      .range(4, 1e12)
      .unit("bytes")
      .help("Of each array of floats; the sweep of streams of [Bhimani2016] has 1638400");
  transfer.choice("bound", Bound::balanced)
      .help(
          "Of problem transfer: the kernel takes 0.1, 1 or 10 times as long as the copies H2D and D2H, by a "
          "number of iterations that is found first; none: transfer.iterations");
  transfer.integer("iterations", 0)
      .range(0, 1e9)
      .unit("iterations")
      .help("Of problem transfer with bound none: sines and cosines of each element");
  add_link(schema);
}

namespace {

transfer::LinkModel read_link(const deck::Deck& deck) {
  const auto rate = [&](const char* key) { return 1e9 * deck.get<double>(key); };
  const auto seconds = [&](const char* key) { return 1e-6 * deck.get<double>(key); };
  transfer::LinkModel link;
  link.h2d = {seconds("link.h2d_latency"), rate("link.h2d")};
  link.d2h = {seconds("link.d2h_latency"), rate("link.d2h")};
  link.kernel = {seconds("link.kernel_latency"), rate("link.kernel")};
  link.pageable_h2d = rate("link.pageable_h2d");
  link.pageable_d2h = rate("link.pageable_d2h");
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
  if (choice.schedule != transfer::Schedule::none) choice.streams = deck.number("transfer.streams");
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
  read_repetitions(deck, settings);
  return settings;
}

std::unique_ptr<transfer::Streams> make_streams(const TransferSettings& settings, transfer::Trace trace) {
  if (settings.emulated) return transfer::make_emulated_streams(settings.streams, settings.link);
  return transfer::make_device_streams(settings.streams, trace);
}

}  // namespace haloheap
