// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>

namespace haloheap {

void agree(const Communicator& communicator, const std::function<void()>& action) {
  std::string text;
  int kind = 0;
  try {
    action();
  } catch (const Error& error) {
    text = error.what();
    kind = error.exit_code();
  } catch (const std::exception& error) {
    text = error.what();
    kind = static_cast<int>(ErrorKind::internal);
  }
  const int size = communicator.size();
  const int first = size - static_cast<int>(communicator.max(kind == 0 ? 0 : size - communicator.rank()));
  if (first == size) return;
  // What all ranks ran into (a wrong deck) is no rank's own.
  const bool alone = communicator.sum(kind == 0 ? 0 : 1) < size;
  const std::string prefix = alone ? "rank " + std::to_string(first) + ": " : "";
  const std::string agreed_text = communicator.broadcast(prefix + text, first);
  const int agreed_kind = std::stoi(communicator.broadcast(std::to_string(kind), first));
  throw AgreedError(static_cast<ErrorKind>(agreed_kind), agreed_text);
}

}  // namespace haloheap
