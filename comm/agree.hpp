// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_AGREE_HPP
#define HALOHEAP_COMM_AGREE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/base/error.hpp>

#include <functional>

namespace haloheap {

/// An error that every rank throws at the same place with the same text, so that all can stop in order.
class AgreedError : public Error {
 public:
  AgreedError(ErrorKind kind, const std::string& text) : Error(kind, text, "", "") {}
};

/// Runs `action`, which must not communicate, on all ranks. If it throws an Error on any, every rank throws
/// an AgreedError with the text of the first rank that failed, and its number unless all failed. Collective.
void agree(const Communicator& communicator, const std::function<void()>& action);

}  // namespace haloheap

#endif
