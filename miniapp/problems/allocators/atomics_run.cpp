// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/backend/clock.hpp>
#include <haloheap/core/backend/device_clock.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/atomics.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <algorithm>
#include <numeric>

namespace haloheap {
namespace {

using Exec = backend::Exec;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

/// Ticks of one thread, and the sum of what its operations found.
struct Record {
  std::uint64_t ticks, answers;
};

/// Words are below 2^31, so that the address of an operation can be made to depend on the answer of the one
/// before without being another one: the next one cannot begin before.
template <AtomicOperation operation>
struct Operate {
  std::uint32_t* words;
  std::size_t stride;  ///< in words
  int addresses, rounds;
  Record* records;

  KOKKOS_FUNCTION void operator()(int i) const {
    std::uint32_t* word = words + static_cast<std::size_t>(i % addresses) * stride;
    std::uint64_t answers = 0;
    const std::uint64_t begin = backend::ticks();
    for (int round = 0; round < rounds; ++round) {
      std::uint32_t found = 0;
      if constexpr (operation == AtomicOperation::add)
        found = Kokkos::atomic_fetch_add(word, 1U);
      else
        found = Kokkos::atomic_exchange(word, static_cast<std::uint32_t>(i) + 1);
      word += found >> 31;
      answers += found;
    }
    records[i].answers = answers;  // before the clock, so that the last answer is there
    records[i].ticks = backend::ticks() - begin;
  }
};

template <AtomicOperation operation>
class Runs {
 public:
  Runs(const AtomicsSettings& settings, const HeapSetup& setup)
      : settings_(settings),
        exec_(setup.exec),
        words_(setup.pool, "atomics_words", settings.word_bytes() / sizeof(std::uint32_t)),
        records_(setup.arrays, "atomics_records", static_cast<std::size_t>(settings.threads)),
        seconds_per_tick_(backend::seconds_per_tick(exec_)) {}

  AtomicsResult run(const std::function<void(int)>& progress) {
    for (int i = 0; i < settings_.warm_ups + settings_.repetitions; ++i) {
      run_once(i >= settings_.warm_ups);
      progress(i + 1);
    }
    return std::move(result_);
  }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(settings_.spacing) / sizeof(std::uint32_t); }

  void run_once(bool counts) {
    Kokkos::deep_copy(exec_, words_.view(), 0U);
    const Operate<operation> kernel{words_.view().data(), stride(), settings_.addresses, settings_.rounds,
                                    records_.view().data()};
    const double seconds = timer_(
        [&] { Kokkos::parallel_for("haloheap::atomics", Policy(exec_, 0, settings_.threads), kernel); });
    const auto records = allocators::fetch(exec_, records_.view().data(), records_.size());
    check(records);
    if (!counts) return;
    std::uint64_t all = 0, max = 0;
    for (const Record& record : records) {
      all += record.ticks;
      max = std::max(max, record.ticks);
    }
    result_.kernel.push_back(seconds);
    result_.mean.push_back(seconds_per_tick_ * static_cast<double>(all) / settings_.operations());
    result_.slowest.push_back(seconds_per_tick_ * static_cast<double>(max) / settings_.rounds);
  }

  void check(const std::vector<Record>& records) {
    const auto words = allocators::fetch(exec_, words_.view().data(), words_.size());
    std::vector<std::uint32_t> finals;
    for (std::size_t i = 0; i < words.size(); i += stride()) finals.push_back(words[i]);
    std::uint64_t answers = 0;
    for (const Record& record : records) answers += record.answers;
    result_.checked += finals.size();
    result_.wrong += wrong_words(settings_, finals, answers);
  }

  const AtomicsSettings& settings_;
  Exec exec_;
  memory::Array<std::uint32_t> words_;
  memory::Array<Record> records_;
  double seconds_per_tick_;
  KernelTimer timer_{exec_};
  AtomicsResult result_;
};

}  // namespace

std::size_t atomics_array_bytes(const AtomicsSettings& settings) {
  return static_cast<std::size_t>(settings.threads) * sizeof(Record);
}

AtomicsResult run_atomics(const AtomicsSettings& settings, const HeapSetup& setup,
                          const std::function<void(int)>& progress) {
  if (settings.operation == AtomicOperation::add)
    return Runs<AtomicOperation::add>(settings, setup).run(progress);
  return Runs<AtomicOperation::exchange>(settings, setup).run(progress);
}

std::uint64_t wrong_words(const AtomicsSettings& settings, const std::vector<std::uint32_t>& finals,
                          std::uint64_t answers) {
  const auto threads = static_cast<std::uint64_t>(settings.threads),
             rounds = static_cast<std::uint64_t>(settings.rounds), addresses = std::uint64_t{finals.size()};
  std::uint64_t wrong = 0, expected = 0;
  for (std::uint64_t a = 0; a < addresses; ++a) {
    const std::uint64_t operations = (threads / addresses + (a < threads % addresses ? 1 : 0)) * rounds;
    if (settings.operation == AtomicOperation::add) {
      // The answers are 0, 1, 2 and so on, each once.
      expected += operations * (operations - 1) / 2;
      wrong += finals[a] != operations ? 1 : 0;
    } else {
      // Somebody's number stays, and each number that was written and does not stay is an answer, once.
      const std::uint64_t owner = std::uint64_t{finals[a]} - 1;
      wrong += finals[a] == 0 || owner >= threads || owner % addresses != a ? 1 : 0;
    }
  }
  if (settings.operation == AtomicOperation::exchange)
    expected = rounds * (threads * (threads + 1) / 2) -
               std::accumulate(finals.begin(), finals.end(), std::uint64_t{0});
  return answers == expected ? wrong : addresses;
}

}  // namespace haloheap
