// SPDX-License-Identifier: Apache-2.0
// Goal: an image keeps so many calls and no more; senders wait, or are told, and nothing is lost.
// Method: more calls than credits, to images that are slow, and to the image itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/endpoint_address.hpp"
#include "makespan/pgas/try_rpc.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

// Calls, of all senders.
RuntimeOptions with_room_for(int calls) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.calls_kept_max = calls;
  return options;
}

// Of these, those that one image may have under way to another. One more, since a thread that
// drives progress gives a call's credit back just before its future is ready.
std::int64_t calls_each(Runtime const& runtime, int calls) {
  return std::max(1, calls / runtime.images()) + 1;
}

template <class T>
std::int64_t under_way(std::vector<Future<T>> const& futures) {
  return std::ranges::count_if(futures, [](auto const& future) { return !future.is_ready(); });
}

// More calls than credits: senders wait, and nothing is lost.
TEST(RpcCreditsTest, Calls_beyond_the_credits_wait) {
  Runtime runtime(with_room_for(4));
  Endpoint& here = runtime.endpoint(0);
  ImageId const next{(runtime.image().value() + 1) % runtime.images()};
  constexpr int many = 100;

  std::vector<Future<int>> futures;
  for (int number = 0; number < many; ++number) {
    futures.push_back(here.rpc(next, [](int value) { return value + 1; }, number));
    ASSERT_LE(under_way(futures), calls_each(runtime, 4));
  }

  for (int number = 0; number < many; ++number) {
    EXPECT_EQ(futures[static_cast<std::size_t>(number)].get(), number + 1);
  }
  runtime.team().barrier_all();
  runtime.finish_all();
}

// To the image itself, which runs nothing before it helps.
TEST(RpcCreditsTest, Try_sends_what_there_is_room_for_and_never_waits) {
  Runtime runtime(with_room_for(8));
  Endpoint& here = runtime.endpoint(0);
  EndpointAddress const self{runtime.image(), 0};
  auto const twice = [](int value) { return 2 * value; };

  std::vector<Future<int>> futures;
  int number = 0;
  for (; number < 100; ++number) {
    std::optional<Future<int>> future = try_rpc(here, self, twice, number);
    if (!future) break;
    futures.push_back(std::move(*future));
  }
  EXPECT_GE(number, 1);
  EXPECT_LE(number, 8);
  EXPECT_FALSE(try_rpc(here, self, twice, number)) << "still full";

  for (int sent = 0; sent < number; ++sent) {
    EXPECT_EQ(futures[static_cast<std::size_t>(sent)].get(), 2 * sent);
  }
  EXPECT_EQ(try_rpc(here, self, twice, 21).value().get(), 42);
  runtime.team().barrier_all();
  runtime.finish_all();
}

// All images send to image 0, which computes and is slow to answer.
TEST(RpcCreditsTest, Slow_image_holds_its_callers_back) {
  Runtime runtime(with_room_for(8));
  Endpoint& here = runtime.endpoint(0);
  auto const counter = runtime.allocate_all<std::int64_t>(1, "counter");
  constexpr int many = 60;

  std::vector<Future<void>> futures;
  for (int number = 0; number < many; ++number) {
    futures.push_back(here.rpc(
        ImageId{0},
        [](Endpoint& there, GlobalPtr<std::int64_t> word) {
          if (fetch_add(there, word, 1) % 16 == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        },
        counter.at(ImageId{0})));
    ASSERT_LE(under_way(futures), calls_each(runtime, 8));
  }
  for (auto const& future : futures) future.get();
  runtime.team().barrier_all();

  EXPECT_EQ(load(here, counter.at(ImageId{0})), many * runtime.images());
  runtime.team().barrier_all();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::pgas
