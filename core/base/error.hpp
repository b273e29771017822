// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_ERROR_HPP
#define HALOHEAP_CORE_BASE_ERROR_HPP

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace haloheap {

/// What went wrong, as the process' exit code (0 is success).
enum class ErrorKind : int {
  internal = 1,       ///< a broken promise inside haloheap
  usage = 2,          ///< the command line or the deck is wrong
  capability = 3,     ///< this build or machine cannot do what was asked for
  out_of_memory = 4,  ///< more memory was asked for than there is
  io = 5,             ///< a file or folder cannot be read or written
  communication = 6,  ///< MPI failed, or a rank did not answer in time
  verification = 7,   ///< the result is not the reference's
  device = 8,         ///< the accelerator's runtime reported an error
};

/// Base of everything that haloheap throws. The message has up to three parts: the cause, what it means for
/// the run, and what to do about it, in terms of the interface that was called. Empty parts are left out.
/// Who knows more than the thrower (a deck knows file and key) takes the parts and says his own remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& cause, const std::string& consequence, const std::string& remedy)
      : std::runtime_error(compose(cause, consequence, remedy)),
        kind_(kind),
        parts_(std::make_shared<const Parts>(Parts{cause, consequence, remedy})) {}

  ErrorKind kind() const noexcept { return kind_; }
  int exit_code() const noexcept { return static_cast<int>(kind_); }

  const std::string& cause() const noexcept { return parts_->cause; }
  const std::string& consequence() const noexcept { return parts_->consequence; }
  const std::string& remedy() const noexcept { return parts_->remedy; }

 private:
  struct Parts {
    std::string cause, consequence, remedy;
  };

  static std::string compose(const std::string& cause, const std::string& consequence,
                             const std::string& remedy) {
    std::string text = cause;
    if (!consequence.empty()) text += "\n  consequence: " + consequence;
    if (!remedy.empty()) text += "\n  remedy: " + remedy;
    return text;
  }

  ErrorKind kind_;
  std::shared_ptr<const Parts> parts_;  // exceptions are copied, and must not throw then
};

/// Defines one subclass a kind, so that callers can catch exactly what they can handle.
template <ErrorKind Kind>
class ErrorOf : public Error {
 public:
  explicit ErrorOf(const std::string& cause, const std::string& consequence = "",
                   const std::string& remedy = "")
      : Error(Kind, cause, consequence, remedy) {}
};

using InternalError = ErrorOf<ErrorKind::internal>;
using UsageError = ErrorOf<ErrorKind::usage>;
using CapabilityError = ErrorOf<ErrorKind::capability>;
using IoError = ErrorOf<ErrorKind::io>;
using CommunicationError = ErrorOf<ErrorKind::communication>;
using VerificationError = ErrorOf<ErrorKind::verification>;
using DeviceError = ErrorOf<ErrorKind::device>;

/// Thrown by every memory resource; carries how much was asked for.
class OutOfMemory : public ErrorOf<ErrorKind::out_of_memory> {
 public:
  OutOfMemory(std::size_t bytes, const std::string& cause, const std::string& consequence = "",
              const std::string& remedy = "")
      : ErrorOf(cause, consequence, remedy), bytes_(bytes) {}

  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_;
};

}  // namespace haloheap

#endif
