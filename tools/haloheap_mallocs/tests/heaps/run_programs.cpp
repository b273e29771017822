// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Runs kernels as they were written and rewritten over each plug-in of the library, and prints what they did.
// usage:
//   PROGRAM guarded|unguarded NAME...   those of these names
#include <haloheap/allocators/coalescing/ask_alike.hpp>
#include <haloheap/allocators/coalescing/over_native.hpp>

#include <Kokkos_Core.hpp>

#include "observation.hpp"
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace allocators = haloheap::allocators;

template <class Handle>
class RequestsOf : public Requests {
 public:
  explicit RequestsOf(const Handle& heap) : heap_(heap) {}
  void* allocate(std::size_t bytes) const override { return heap_.allocate(bytes); }
  void* allocate_alike(const Member& member, std::size_t bytes) const override {
    return allocators::ask_alike(heap_, member, bytes);
  }
  void deallocate(void* pointer) const override { heap_.deallocate(pointer); }

 private:
  Handle heap_;
};

std::vector<int> input() {
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int& number : numbers) number = number * 37 % 11;
  return numbers;
}

class Runs {
 public:
  Runs(std::set<std::string> names, bool guarded)
      : names_(std::move(names)), guarded_(guarded), in_(input()) {}

  template <class A>
  void over() const {
    const allocators::HeapConfig::Exec exec;
    // With pages that are large enough for the requests of all programs, as far as any heap can serve them.
    A heap(exec, {.bytes = std::size_t{8} << 20, .label = "rewritten", .page_bytes = 4096});
    const RequestsOf<typename A::Handle> requests(heap.handle());
    for (const Program& program : programs)
      if (names_.contains(program.name))
        for (const int limit : {0, 3, 6}) {
          run(requests, A::name, program.name, limit, "before", program.before);
          heap.reset(exec);
          run(requests, A::name, program.name, limit, "after", program.after);
          heap.reset(exec);
        }
  }

 private:
  void run(const Requests& requests, const char* heap, const char* name, int limit, const char* form,
           Program::Launch launch) const {
    Observation observation(requests, guarded_);
    launch({&observation}, limit, in_.data());
    Kokkos::fence("haloheap::test::run_programs");
    std::printf("%s %s %d %s %016llx %llu %zu\n", heap, name, limit, form,
                static_cast<unsigned long long>(observation.checksum()),
                static_cast<unsigned long long>(observation.served()), observation.together());
  }

  std::set<std::string> names_;
  bool guarded_;
  std::vector<int> in_;
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc < 2) return 2;
  const Runs runs({argv + 2, argv + argc}, argv[1] == std::string("guarded"));
  allocators::AllAllocators::for_each([&]<class A>() { runs.over<A>(); });
  return 0;
}
