// SPDX-License-Identifier: Apache-2.0
// Goal: remote calls of every kind run where they should, bring back what they return or throw, and
// never pile up beyond their bounds. Method: each image calls the next one; image 0 of a job of one
// calls itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/endpoint_address.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RpcTest : public SharedRuntimeTest {
 protected:
  // Answers others meanwhile, as a wait does.
  void meet_all() { team().barrier_all(); }
};

double area(double radius) {
  return 3.0 * radius * radius;
}

std::int64_t image_of(Endpoint& there) {
  return there.address().image.value();
}

std::atomic<int> notes{0};

void note() {
  ++notes;
}

struct Plain {
  std::int32_t a;
  double b;
};

TEST_F(RpcTest, Call_runs_on_its_image) {
  for (int image = 0; image < images(); ++image) {
    EXPECT_EQ(here().rpc(ImageId{image}, function<&image_of>).get(), image);
  }
  meet_all();
}

// A call that comes later may wait for what this thread does after its wait.
TEST_F(RpcTest, No_call_is_begun_after_what_is_waited_for_is_there) {
  static std::atomic<int> ran{0};
  ran = 0;
  auto first = here().rpc(here().address().image, [] { ++ran; });
  auto second = here().rpc(here().address().image, [] { ++ran; });
  int asked = 0;
  here().wait_until(
      [&] {
        asked += ran.load() == 1 ? 1 : 0;
        return ran.load() == 1;
      },
      {.call = "a test"});
  EXPECT_EQ(ran.load(), 1);
  EXPECT_EQ(asked, 1);  // what it waits for may be taken by asking
  first.get();
  second.get();
  meet_all();
}

TEST_F(RpcTest, Calls_of_every_kind_bring_their_results) {
  EXPECT_EQ(here().rpc(next(), function<&area>, 2.0).get(), 12.0);
  EXPECT_EQ(here().rpc(next(), [](int a, int b) { return a - b; }, 5, 3).get(), 2);
  EXPECT_EQ(
      here().rpc(next(), [](Plain plain) { return plain.b + plain.a; }, Plain{1, 0.5}).get(), 1.5);
  EXPECT_EQ(here()
                .rpc(
                    next(), [](std::string const& text) { return text + "!"; }, std::string("ho"))
                .get(),
            "ho!");
  std::vector<std::string> const words{"a", "", "ccc"};
  EXPECT_EQ(here()
                .rpc(
                    next(),
                    [](std::vector<std::string> given) {
                      std::ranges::reverse(given);
                      return given;
                    },
                    words)
                .get(),
            (std::vector<std::string>{"ccc", "", "a"}));
  std::map<std::string, int> const counts{{"one", 1}, {"two", 2}};
  EXPECT_EQ(here()
                .rpc(
                    next(),
                    [](std::map<std::string, int> const& given, std::optional<int> extra) {
                      return given.at("two") + extra.value_or(0);
                    },
                    counts, std::optional<int>{5})
                .get(),
            7);
  meet_all();
}

TEST_F(RpcTest, Call_without_result_is_over_when_its_future_is_ready) {
  int const before = notes;
  meet_all();

  here().rpc(next(), function<&note>).get();
  meet_all();

  EXPECT_EQ(notes, before + 1);
  meet_all();
}

TEST_F(RpcTest, Function_gets_the_endpoint_of_its_thread) {
  auto const words = runtime().allocate_all<std::int64_t>(1, "words");

  // The call adds to the caller's heap, from there.
  here()
      .rpc(
          next(),
          [](Endpoint& there, GlobalPtr<std::int64_t> word) {
            add(there, word, 10 + there.address().image.value());
            there.flush(word.image());
          },
          words.at(me()))
      .get();

  EXPECT_EQ(load(here(), words.at(me())), 10 + next().value());
  meet_all();
  runtime().free_all(words);
}

TEST_F(RpcTest, Exception_comes_back_with_its_text) {
  try {
    here().rpc(next(), [](int) -> int { throw std::out_of_range("no row 7"); }, 1).get();
    ADD_FAILURE();
  } catch (RemoteError const& error) {
    EXPECT_EQ(error.image(), next());
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("image " + std::to_string(next().value())), HasSubstr("no row 7")));
  }
  EXPECT_THROW(here().rpc(next(), [] { throw 1; }).get(), RemoteError);
  // A long text is cut, and still arrives.
  try {
    here().rpc(next(), [] { throw std::runtime_error(std::string(100'000, 'x')); }).get();
    ADD_FAILURE();
  } catch (RemoteError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("xxxx"));
  }
  meet_all();
}

TEST_F(RpcTest, Exception_goes_through_continuations) {
  auto const last =
      here().rpc(next(), [] { throw std::runtime_error("odd"); }).then([] { return 1; });

  EXPECT_THROW(last.get(), RemoteError);
  meet_all();
}

TEST_F(RpcTest, Continuations_take_the_result) {
  auto const length =
      here().rpc(next(), [] { return std::string("four"); }).then([](std::string const& text) {
        return text.size();
      });

  EXPECT_EQ(length.get(), 4U);
  meet_all();
}

TEST_F(RpcTest, Many_calls_are_under_way) {
  constexpr int many = 500;
  std::vector<Future<int>> futures;

  for (int number = 0; number < many; ++number) {
    ImageId const target{(me().value() + number) % images()};
    futures.push_back(here().rpc(target, [](int value) { return value * value; }, number));
  }

  for (int number = 0; number < many; ++number) {
    EXPECT_EQ(futures[static_cast<std::size_t>(number)].get(), number * number);
  }
  meet_all();
}

// Each call calls the next image, and waits for it: the ring is walked twice.
int walk(Endpoint& there, int left) {
  if (left == 0) return 0;
  ImageId const next{(there.address().image.value() + 1) % there.images()};
  return 1 + there.rpc(next, function<&walk>, left - 1).get();
}

TEST_F(RpcTest, Calls_may_wait_for_calls) {
  int const steps = 2 * images() + 1;
  EXPECT_EQ(here().rpc(next(), function<&walk>, steps).get(), steps);
  meet_all();
}

TEST_F(RpcTest, Calls_may_use_memory_of_any_image) {
  auto const words = runtime().allocate_all<std::int64_t>(1, "words");
  here().put(words.at(me()), 100 + me().value());
  here().flush_all();
  meet_all();

  auto const sum = here().rpc(
      next(),
      [](Endpoint& there, SymmetricArray<std::int64_t> array) {
        std::int64_t all = 0;
        for (int image = 0; image < there.images(); ++image)
          all += there.get(array.at(ImageId{image}));
        return all;
      },
      words);

  EXPECT_EQ(sum.get(), 100 * images() + images() * (images() - 1) / 2);
  meet_all();
  runtime().free_all(words);
}

TEST_F(RpcTest, Call_to_this_image_runs) {
  EXPECT_EQ(here().rpc(me(), function<&image_of>).get(), me().value());
  EXPECT_THROW(here().rpc(me(), [] { throw std::runtime_error("own"); }).get(), RemoteError);
  meet_all();
}

// Each call runs the next one. What the stack holds of them is bounded, as with calls that wait.
std::atomic<int> depth{0};
std::atomic<int> depth_most{0};

void help_inside(Endpoint& there) {
  depth_most = std::max(depth_most.load(), ++depth);
  there.help();
  --depth;
}

TEST_F(RpcTest, Calls_that_help_are_bounded_in_depth) {
  depth_most = 0;
  std::vector<Future<void>> calls;
  for (int number = 0; number < 100; ++number) {
    calls.push_back(here().rpc(here().address().image, function<&help_inside>));
  }
  for (auto const& call : calls) call.get();
  EXPECT_GT(depth_most.load(), 1);
  EXPECT_LE(depth_most.load(), 16);
  meet_all();
}

// With stealing it may run in another thread; which one is the stealing test's matter.
TEST_F(RpcTest, Call_to_a_thread_runs_while_that_thread_waits) {
  TestThread const other([&](std::stop_token const& stop) {
    Endpoint& endpoint = runtime().endpoint(1);
    while (!stop.stop_requested()) endpoint.help();
  });

  for (int round = 0; round < 20; ++round) {
    int const thread =
        here()
            .rpc(EndpointAddress{next(), 1}, [](Endpoint& there) { return there.address().thread; })
            .get();
    if (runtime().describe().stealing == "off") {
      EXPECT_EQ(thread, 1);
    }
  }
  meet_all();
}

TEST_F(RpcTest, Threads_call_each_other) {
  constexpr int each = 100;
  std::atomic<int> ended{0};

  in_all_threads([&](Endpoint& endpoint) {
    std::vector<Future<int>> futures;
    for (int number = 0; number < each; ++number) {
      EndpointAddress const to{next(), (endpoint.address().thread + number) % 2};
      futures.push_back(endpoint.rpc(to, [](int value) { return value + 1; }, number));
    }
    for (int number = 0; number < each; ++number) {
      EXPECT_EQ(futures[static_cast<std::size_t>(number)].get(), number + 1);
    }
    // Thread 0 waits in the barrier; the other one helps until all images are there.
    ++ended;
    if (endpoint.address().thread == 0) {
      while (ended < 2) endpoint.help();
      meet_all();
      ++ended;
    } else {
      while (ended < 3) endpoint.help();
    }
  });
  meet_all();
}

// --- bounds

TEST_F(RpcTest, Arguments_and_results_may_fill_a_message) {
  auto const limit = static_cast<std::size_t>(small_options().message_bytes_max);
  std::string const longest(limit - 8, 'x');  // and 8 bytes of length

  EXPECT_EQ(
      here().rpc(next(), [](std::string const& text) { return text; }, longest).get(), longest);
  meet_all();
}

TEST_F(RpcTest, Arguments_longer_than_a_message_are_refused) {
  auto const limit = static_cast<std::size_t>(small_options().message_bytes_max);
  std::string const too_long(limit - 7, 'x');

  try {
    static_cast<void>(here().rpc(next(), [](std::string const& text) { return text; }, too_long));
    ADD_FAILURE();
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("image " + std::to_string(me().value()) + ": rpc"),
                                    HasSubstr("to image " + std::to_string(next().value())),
                                    HasSubstr(std::to_string(limit + 1) + " bytes"),
                                    HasSubstr(std::to_string(limit) + " bytes"),
                                    HasSubstr("MAKESPAN_MESSAGE_KIB")));
  }
  // Nothing was left behind.
  EXPECT_EQ(here().rpc(next(), [](int value) { return value; }, 3).get(), 3);
  meet_all();
}

TEST_F(RpcTest, Result_longer_than_a_message_is_an_error) {
  auto const limit = static_cast<std::size_t>(small_options().message_bytes_max);

  try {
    here().rpc(next(), [](std::size_t size) { return std::string(size, 'x'); }, limit - 7).get();
    ADD_FAILURE();
  } catch (RemoteError const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(std::to_string(limit + 1) + " bytes"),
                                    HasSubstr(std::to_string(limit))));
  }
  meet_all();
}

TEST_F(RpcTest, Thread_that_there_is_not_is_refused) {
  for (int const thread : {-1, 2}) {
    try {
      static_cast<void>(here().rpc(EndpointAddress{next(), thread}, function<&note>));
      ADD_FAILURE() << thread;
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("thread " + std::to_string(thread)),
                                      HasSubstr("2 threads"), HasSubstr("0 to 1")));
    }
  }
  meet_all();
}

TEST_F(RpcTest, Dropped_futures_let_their_calls_run) {
  auto const counter = runtime().allocate_all<std::int64_t>(1, "counter");
  constexpr int many = 50;

  for (int number = 0; number < many; ++number) {
    static_cast<void>(here().rpc(
        next(),
        [](Endpoint& there, GlobalPtr<std::int64_t> word) {
          static_cast<void>(fetch_add(there, word, 1));
        },
        counter.at(next())));
  }
  here().wait_until([&] { return load(here(), counter.at(next())) == many; },
                    {.call = "test", .image = next()});

  EXPECT_EQ(load(here(), counter.at(next())), many);
  meet_all();
  runtime().free_all(counter);
}

}  // namespace
}  // namespace makespan::pgas
