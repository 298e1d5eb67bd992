// SPDX-License-Identifier: Apache-2.0
// Goal: an image that computes is still reached: on a node always, and by messages when a thread of
// the runtime drives progress. Method: image 0 spins on its own memory, without calling us, until
// the others have done everything they came for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/event.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

// Of this process's variables, what the runs of this program set.
std::string transport_asked() {
  return process_environment("MAKESPAN_TRANSPORT").value_or("auto");
}

class ProgressTest : public testing::TestWithParam<ProgressMode> {
 protected:
  // Whether requests to an image that computes are answered: its memory is mapped by the others, or
  // a thread of the runtime does.
  static bool is_reached(Runtime& runtime) {
    return runtime.describe().transport == "shm" || runtime.describe().progress != "manual";
  }
};

TEST_P(ProgressTest, Image_that_computes_is_reached) {
  if (transport_asked() == "rma") GTEST_SKIP() << "rma does not show words to their owner";
  ScopedVariable const mode("MAKESPAN_PROGRESS", std::string(name_of(GetParam())));
  Runtime runtime(small_options());
  if (!is_reached(runtime)) {
    runtime.finish_all();
    GTEST_SKIP() << "no thread drives progress for an image that computes";
  }
  Endpoint& here = runtime.endpoint(0);
  auto const words = runtime.allocate_all<std::int64_t>(64, "words");
  constexpr std::int64_t rounds = 50;
  GlobalPtr<std::int64_t> const counter = words.at(ImageId{0});
  GlobalPtr<std::int64_t> const ended = words.at(ImageId{0}, 1);

  if (runtime.image() == ImageId{0}) {
    std::atomic_ref<std::int64_t> const count(*here.direct(ended));
    while (count.load() != runtime.images() - 1) std::this_thread::yield();
  } else {
    std::int64_t before = -1;
    for (std::int64_t round = 0; round < rounds; ++round) {
      std::int64_t const seen = fetch_add(here, counter, 1);
      EXPECT_GT(seen, before);
      before = seen;
    }
    std::vector<std::int64_t> const mine(8, runtime.image().value());
    auto const place = words.at(ImageId{0}, 8 * runtime.image().value() % 56);
    here.put(place, mine);
    here.flush(ImageId{0});
    std::vector<std::int64_t> back(8);
    here.get(place, back);
    EXPECT_EQ(back, mine);
    static_cast<void>(fetch_add(here, ended, 1));
  }
  runtime.team().barrier_all();

  EXPECT_EQ(load(here, counter), rounds * (runtime.images() - 1));
  runtime.team().barrier_all();
  runtime.finish_all();
}

// What the thread does must not disturb threads that wait, nor the other way round.
TEST_P(ProgressTest, Everything_goes_on_beside_the_thread) {
  ScopedVariable const mode("MAKESPAN_PROGRESS", std::string(name_of(GetParam())));
  Runtime runtime(small_options());
  Endpoint& here = runtime.endpoint(0);
  auto const counter = runtime.allocate_all<std::int64_t>(1, "counter");
  auto const events = runtime.allocate_all<EventWord>(1, "events");
  ImageId const next{(runtime.image().value() + 1) % runtime.images()};

  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(here.rpc(next, [](int value) { return value + 1; }, round).get(), round + 1);
    static_cast<void>(fetch_add(here, counter.at(next), 1));
    post(here, events.at(next));
    wait(here, events.at(runtime.image()));
    if (round % 5 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  here.flush_all();
  runtime.team().barrier_all();

  EXPECT_EQ(load(here, counter.at(runtime.image())), 20);
  runtime.team().barrier_all();
  runtime.finish_all();
}

INSTANTIATE_TEST_SUITE_P(Modes, ProgressTest,
                         testing::Values(ProgressMode::manual, ProgressMode::nap,
                                         ProgressMode::event, ProgressMode::spin),
                         [](auto const& test) { return std::string(name_of(test.param)); });

// Image 0: thread 0 computes, without calling us, until `released` is set; thread 1 waits in the
// runtime. The others ask thread 0's channel for something, and release it over thread 1's.
class ProgressStealingTest : public testing::Test {
 protected:
  // The runtime, or null where thread 0's channel is not only driven by threads of image 0.
  static std::unique_ptr<Runtime> runtime_with(Stealing stealing) {
    ScopedVariable const mode("MAKESPAN_PROGRESS", "manual");
    ScopedVariable const wish("MAKESPAN_PROGRESS_STEALING", std::string(name_of(stealing)));
    auto runtime = std::make_unique<Runtime>(small_options());
    RuntimeDescription const facts = runtime->describe();
    bool const by_messages = facts.transport == "am" || facts.transport == "ucx";
    if (by_messages && facts.design == "per-thread" && facts.images > 1) return runtime;
    runtime->finish_all();
    return nullptr;
  }

  // Returns once all others have come.
  static void compute_and_wait(Runtime& runtime, SymmetricArray<std::uint64_t> const& words) {
    Endpoint& computing = runtime.endpoint(0);
    auto const others = static_cast<std::uint64_t>(runtime.images() - 1);
    TestThread waiting([&] {
      runtime.endpoint(1).wait_until_word(words.at(ImageId{0}, 1), Comparison::at_least, others);
    });
    store(computing, words.at(ImageId{0}, 2), std::uint64_t{1});
    std::atomic_ref<std::uint64_t> const released(*computing.direct(words.at(ImageId{0}, 1)));
    while (released.load() != others) std::this_thread::yield();
    waiting.join();
  }
  // The others call ask(endpoint, word) while thread 0 computes; what it returns they wait for when
  // they have released it.
  template <class Ask>
  static void run(Stealing stealing, Ask const& ask) {
    auto const runtime = runtime_with(stealing);
    if (!runtime) GTEST_SKIP() << "its channel is reached otherwise";
    auto const words = runtime->allocate_all<std::uint64_t>(64, "words");
    if (runtime->image() == ImageId{0}) {
      compute_and_wait(*runtime, words);
    } else {
      meet(*runtime, words);
      Future<std::uint64_t> answer = ask(runtime->endpoint(0), words.at(ImageId{0}));
      add(runtime->endpoint(1), words.at(ImageId{0}, 1), std::uint64_t{1});
      runtime->endpoint(1).flush(ImageId{0});
      static_cast<void>(answer.get());
    }
    runtime->team().barrier_all();
    runtime->finish_all();
  }

 private:
  // Until thread 0 of image 0 computes.
  static void meet(Runtime& runtime, SymmetricArray<std::uint64_t> const& words) {
    while (load(runtime.endpoint(1), words.at(ImageId{0}, 2)) == 0) std::this_thread::yield();
  }
};

TEST_F(ProgressStealingTest, Thread_that_waits_answers_for_one_that_computes) {
  run(Stealing::on, [](Endpoint& here, GlobalPtr<std::uint64_t> word) {
    // Blocks until it is answered.
    static_cast<void>(fetch_add(here, word, std::uint64_t{1}));
    return Future<std::uint64_t>(here, std::uint64_t{0});
  });
}

TEST_F(ProgressStealingTest, Without_it_the_owner_answers_alone) {
  run(Stealing::off, [](Endpoint& here, GlobalPtr<std::uint64_t> word) {
    auto answer = fetch_add_async(here, word, std::uint64_t{1});
    auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (std::chrono::steady_clock::now() < end) here.progress();
    EXPECT_FALSE(answer.is_ready());
    return answer;
  });
}

}  // namespace
}  // namespace makespan::pgas
