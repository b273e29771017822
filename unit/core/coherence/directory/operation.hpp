// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_OPERATION_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_OPERATION_HPP

#include <haloheap/unit/core/coherence/directory/setting.hpp>

#include <cstddef>
#include <vector>

namespace haloheap::coherence::test {

/// Something that is done to a world.
struct Operation {
  enum class Kind {
    use,       ///< elements are read or written in a memory
    together,  ///< two uses that are held at the same time, as operands of one call
    direct,    ///< host access that asks no directory, where host_state() lets it
    open,      ///< a use begins, and stays under way while others come and go
    close,     ///< one of those ends
    resize,    ///< to `first.rect`
    replace,   ///< removed, and a new one added
    invalidate,
    flush,
    update_host,
    release_devices,
  };
  Kind kind = Kind::use;
  detail::Request first, second;  ///< `first.object` is meant in all kinds
  int failures = 0;               ///< of `use`: so many attempts to get memory fail
  bool reserve_first =
      false;              ///< of `together`: room for both before anything is brought; of `open`: only room
  std::size_t which = 0;  ///< of `close`
};

/// As C++, to be pasted into a test.
std::string to_code(const Operation& operation);
std::string to_code(const Setting& setting, const std::vector<Operation>& operations);

}  // namespace haloheap::coherence::test

#endif
