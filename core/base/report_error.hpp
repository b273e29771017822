// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_REPORT_ERROR_HPP
#define HALOHEAP_CORE_BASE_REPORT_ERROR_HPP

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace haloheap::base {

/// What a destructor has to say of an error that it met and must not throw: one line on stderr, the parts of
/// the message joined. `where` is the destructor, as "coherence::Context::~Context". Whoever wants the error
/// as an exception calls what waits (fence, finish) before the object ends.
inline void report_from_destructor(std::string_view where, const std::exception& error) noexcept {
  try {
    std::string line = "haloheap: error in ";
    line += where;
    line += ": ";
    bool indented = false;
    for (const char* text = error.what(); *text != '\0'; ++text) {
      if (*text == '\n') line += "; ";
      indented = *text == '\n' || (indented && *text == ' ');
      if (!indented) line += *text;
    }
    line += '\n';
    std::fputs(line.c_str(), stderr);  // at once, or lines of several threads would mix
  } catch (const std::exception&) {    // there is no memory for the line
    std::fputs("haloheap: error in a destructor, and no memory to say which\n", stderr);
  }
}

/// Does `work` in a destructor; what it throws is reported.
template <class Work>
void report_what_throws(std::string_view where, const Work& work) noexcept {
  try {
    work();
  } catch (const std::exception& error) {
    report_from_destructor(where, error);
  } catch (...) {
    report_from_destructor(where, std::bad_exception());
  }
}

}  // namespace haloheap::base

#endif
