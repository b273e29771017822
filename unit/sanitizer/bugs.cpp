// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Deliberate bugs, one an argument: a sanitizer build that does not report its own proves nothing about
// haloheap.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

namespace {

volatile int eight = 8;  // keeps the compiler from seeing through the bugs
volatile int largest = std::numeric_limits<int>::max();
volatile int sink = 0;
int shared_counter = 0;
void* volatile kept = nullptr;

void heap_overflow() {
  int* const block = static_cast<int*>(std::malloc(8 * sizeof(int)));
  for (int i = 0; i < 8; ++i) block[i] = i;
  sink = block[eight];
  std::free(block);
}

void use_after_free() {
  int* const block = static_cast<int*>(std::calloc(8, sizeof(int)));
  kept = block;
  std::free(block);
  sink = static_cast<int*>(kept)[eight - 1];
}

void leak() {
  kept = std::malloc(4711);
  kept = nullptr;
}

void signed_overflow() {
  sink = largest + eight;
}

void wide_shift() {
  sink = 1 << (eight * 4);
}

void race() {
  const auto count = [] {
    for (int i = 0; i < 100000; ++i) shared_counter = shared_counter + 1;
  };
  std::thread first(count), second(count);
  first.join();
  second.join();
  sink = shared_counter;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view bug = argc == 2 ? argv[1] : "";
  if (bug == "heap_overflow")
    heap_overflow();
  else if (bug == "use_after_free")
    use_after_free();
  else if (bug == "leak")
    leak();
  else if (bug == "signed_overflow")
    signed_overflow();
  else if (bug == "wide_shift")
    wide_shift();
  else if (bug == "race")
    race();
  else
    return std::fprintf(stderr, "there is no bug '%s'\n", argc == 2 ? argv[1] : ""), 2;
  std::fprintf(stderr, "the bug went unseen\n");
}
