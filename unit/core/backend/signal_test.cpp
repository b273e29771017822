// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/signal.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace haloheap::backend {
namespace {

constexpr double timeout = 60;
constexpr Signal messages = 3000;

struct alignas(128) Line {
  Signal value = 0;
};

/// One message at a time; what is sent is not atomic.
struct Channel {
  Line sent, taken;
  Kokkos::Array<Signal, 40> content{};

  KOKKOS_FUNCTION bool send(Signal number) {
    for (int i = 0; i < 40; ++i) content[i] = number * 1000 + static_cast<Signal>(i);
    raise_signal(&sent.value, number);
    return await_signal(&taken.value, number, timeout, nullptr);
  }

  /// Whether message `number` came, and whole.
  KOKKOS_FUNCTION bool take(Signal number) {
    bool whole = await_signal(&sent.value, number, timeout, nullptr);
    for (int i = 0; i < 40; ++i) whole = whole && content[i] == number * 1000 + static_cast<Signal>(i);
    raise_signal(&taken.value, number);
    return whole;
  }
};

/// Messages until the first that is not as it should be.
template <class Action>
Signal count_good(Action action) {
  Signal number = 1;
  while (number <= messages && action(number)) ++number;
  return number - 1;
}

TEST(Signal, carries_messages_between_threads) {
  Channel channel;
  Signal sent = 0;
  std::thread sender([&] { sent = count_good([&](Signal number) { return channel.send(number); }); });
  EXPECT_EQ(count_good([&](Signal number) { return channel.take(number); }), messages);
  sender.join();
  EXPECT_EQ(sent, messages);
}

TEST(Signal, carries_messages_between_processes) {
  void* const shared =
      mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const channel = new (shared) Channel;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(count_good([&](Signal number) { return channel->send(number); }) == messages ? 0 : 1);
  EXPECT_EQ(count_good([&](Signal number) { return channel->take(number); }), messages);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  munmap(shared, sizeof(Channel));
}

TEST(Signal, is_awaited_until_it_is_high_enough) {
  Signal signal = 0;
  raise_signal(&signal, 7);
  EXPECT_EQ(read_signal(&signal), 7U);
  EXPECT_TRUE(await_signal(&signal, 7, 0, nullptr));
  EXPECT_TRUE(await_signal(&signal, 3, 0, nullptr)) << "a later value means that the earlier one came";
  EXPECT_FALSE(await_signal(&signal, 8, 0, nullptr));
  EXPECT_FALSE(await_signal(&signal, 8, 0.02, nullptr));
  system_fence();
}

TEST(Signal, is_no_longer_awaited_once_another_gave_up) {
  Signal signal = 0;
  int given_up = 0;
  EXPECT_FALSE(await_signal(&signal, 1, 0.01, &given_up)) << "nobody gave up: a timeout";
  std::thread other([&] { std::atomic_ref(given_up).store(1); });
  EXPECT_FALSE(await_signal(&signal, 1, 1e9, &given_up));
  other.join();
  raise_signal(&signal, 1);
  EXPECT_TRUE(await_signal(&signal, 1, timeout, &given_up)) << "what has come is not lost";
}

// --- In kernels
// ---------------------------------------------------------------------------------------------------

struct Answers {
  bool came, came_early, timed_out, gave_up;
  Signal value;
};

struct Raise {
  Signal* signal;
  KOKKOS_FUNCTION void operator()(int) const { raise_signal(signal, 5); }
};

struct Await {
  const Signal* signal;
  const int* given_up;
  Answers* answers;
  KOKKOS_FUNCTION void operator()(int) const {
    system_fence();
    answers->came = await_signal(signal, 5, timeout, nullptr);
    answers->came_early = await_signal(signal, 4, 0, nullptr);
    answers->timed_out = !await_signal(signal, 6, 0.002, nullptr);
    answers->gave_up = !await_signal(signal, 6, 1e12, given_up);
    answers->value = read_signal(signal);
  }
};

TEST(Signal, works_in_kernels) {
  const Instance first(Priority::low), second(Priority::high);
  const Kokkos::View<Line, Exec> line("haloheap::unit::signal");
  const Kokkos::View<int, Exec> given_up("haloheap::unit::given_up");
  const Kokkos::View<Answers, Exec> answers("haloheap::unit::answers");
  Kokkos::deep_copy(given_up, 1);
  Kokkos::parallel_for("haloheap::unit::raise", Kokkos::RangePolicy<Exec>(first.exec(), 0, 1),
                       Raise{&line.data()->value});
  Kokkos::parallel_for("haloheap::unit::await", Kokkos::RangePolicy<Exec>(second.exec(), 0, 1),
                       Await{&line.data()->value, given_up.data(), answers.data()});
  Kokkos::fence("haloheap::unit::done");
  const Answers result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), answers)();
  EXPECT_TRUE(result.came);
  EXPECT_TRUE(result.came_early);
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(result.gave_up);
  EXPECT_EQ(result.value, 5U);
}

struct Talk {
  Channel* channel;
  Signal* good;
  bool sender;
  Signal limit;
  KOKKOS_FUNCTION void operator()(int) const {
    Signal number = 1;
    while (number <= limit && (sender ? channel->send(number) : channel->take(number))) ++number;
    *good = number - 1;
  }
};

void talk(const Instance& instance, Channel* channel, Signal* good, bool sender, Signal limit) {
  Kokkos::parallel_for("haloheap::unit::talk", Kokkos::RangePolicy<Exec>(instance.exec(), 0, 1),
                       Talk{channel, good, sender, limit});
}

TEST(Signal, carries_messages_between_kernels) {
  if (kernels_on_host) GTEST_SKIP() << "kernels of this backend run one after the other";
  const Instance first(Priority::low), second(Priority::high);
  const Kokkos::View<Channel, Exec> channel("haloheap::unit::channel");
  const Kokkos::View<Signal[2], Exec> good("haloheap::unit::good");
  talk(first, channel.data(), good.data(), true, 0);  // loads the kernel, which may wait for those that run
  Kokkos::fence("haloheap::unit::loaded");
  talk(first, channel.data(), good.data(), true, messages);
  talk(second, channel.data(), good.data() + 1, false, messages);
  Kokkos::fence("haloheap::unit::done");
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), good);
  EXPECT_EQ(result(0), messages);
  EXPECT_EQ(result(1), messages);
}

}  // namespace
}  // namespace haloheap::backend
