// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_SETTINGS_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_SETTINGS_HPP

#include <haloheap/core/coherence/context.hpp>

#include <string>
#include <vector>

/// What the tests of containers run over.
namespace haloheap::coherence {

struct Setting {
  std::string policy;
  int devices;
  bool peer;
  bool asynchronous;

  const PolicyEntry& entry() const { return policies().at(policy); }

  ContextOptions options() const {
    ContextOptions options;
    options.devices = devices;
    options.policy = policy;
    options.peer = peer;
    options.asynchronous = asynchronous;
    options.check_uses = true;
    options.share_devices = true;
    return options;
  }
};

inline std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  for (const PolicyEntry& policy : policies())
    for (const int devices : {0, 1, 2, 3})
      for (const bool peer : {true, false})
        for (const bool asynchronous : {false, true})
          if (devices > 1 || peer) all.push_back({policy.name, devices, peer, asynchronous});
  return all;
}

/// What is said when something cannot be done.
template <class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string name_of(const Setting& setting) {
  return setting.policy + "_" + std::to_string(setting.devices) + (setting.peer ? "_peer" : "") +
         (setting.asynchronous ? "_asynchronous" : "");
}

}  // namespace haloheap::coherence

#endif
