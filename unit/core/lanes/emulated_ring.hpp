// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_EMULATED_RING_HPP
#define HALOHEAP_UNIT_CORE_LANES_EMULATED_RING_HPP

#include <cstddef>
#include <cstring>
#include <deque>

namespace haloheap::emulation {

/// Values on their way to a lane: see core/lanes/platform.hpp. They come as late as they may, when they are
/// waited for. Until then their places have bits that are no number.
template <int Unit, int Units, int /*Threads*/>
class LaneRing {
 public:
  template <bool shared, class Values>
  void ask(int place, const Values* from, bool wanted) {
    std::memset(bytes_ + place * Unit, 0xff, sizeof(Values));
    coming_.push_back({bytes_ + place * Unit, wanted ? from : nullptr, sizeof(Values), groups_});
  }
  void close() { ++groups_; }
  template <int Open>
  void await() {
    for (; !coming_.empty() && coming_.front().group < groups_ - Open; coming_.pop_front()) {
      const Copy& copy = coming_.front();
      if (copy.from != nullptr)
        std::memcpy(copy.to, copy.from, copy.bytes);
      else
        std::memset(copy.to, 0, copy.bytes);
    }
  }
  template <class Values>
  Values take(int place) const {
    Values values;
    std::memcpy(&values, bytes_ + place * Unit, sizeof(Values));
    return values;
  }

 private:
  struct Copy {
    std::byte* to;
    const void* from;
    std::size_t bytes;
    int group;
  };

  std::byte bytes_[static_cast<std::size_t>(Unit) * Units];
  std::deque<Copy> coming_;
  int groups_ = 0;
};

}  // namespace haloheap::emulation

#endif
