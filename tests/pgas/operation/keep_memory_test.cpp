// SPDX-License-Identifier: Apache-2.0
// Goal: memory stays until each operation that uses it is over, however it ends, or until no thread
// of the runtime writes to it any more. Method: operations that are completed by hand; a runtime
// that is left with one under way, whose threads are counted when the memory goes.
#include "makespan/pgas/operation/keep_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>

#include "fake_queue.hpp"
#include "makespan/pgas/endpoint_address.hpp"
#include "makespan/pgas/operation/future_operation.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::pgas {
namespace {

std::shared_ptr<VoidOperation> begun_put() {
  auto operation = std::make_shared<VoidOperation>(ImageId{1}, "test");
  operation->hold();
  return operation;
}

TEST(KeepMemory, lets_it_go_with_the_last_operation) {
  fake::FakeQueue queue;
  auto const first = begun_put();
  auto const second = begun_put();
  auto memory = std::make_shared<int>(7);
  std::weak_ptr<int> const seen = memory;
  {
    std::array const futures{Future<void>(queue, Nothing{}),
                             Future<void>(queue, first, Awaited{.call = "test"}),
                             Future<void>(queue, second, Awaited{.call = "test"})};
    keep_until_over(futures, std::move(memory));
  }
  memory.reset();
  EXPECT_EQ(queue.deferred(), 2U) << "one is over";
  second->complete({});
  queue.run_continuations();
  EXPECT_FALSE(seen.expired());
  first->complete({});
  queue.run_continuations();
  EXPECT_TRUE(seen.expired());
}

TEST(KeepMemory, lets_it_go_where_an_operation_fails) {
  fake::FakeQueue queue;
  auto const operation = begun_put();
  auto memory = std::make_shared<int>(7);
  std::weak_ptr<int> const seen = memory;
  {
    Future<void> const future(queue, operation, Awaited{.call = "test"});
    keep_until_over(std::span(&future, 1), std::move(memory));
  }
  memory.reset();
  operation->fail(ImageId{1});
  queue.run_continuations();

  EXPECT_TRUE(seen.expired());
}

std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(KeepMemory, lets_it_go_after_the_helper_of_a_runtime_that_is_left) {
  std::ptrdiff_t const before = threads();
  std::optional<std::ptrdiff_t> at_the_end;
  {
    Runtime runtime({.progress = ProgressMode::nap, .heap_bytes = 1 << 16});
    ASSERT_GT(threads(), before) << "a helper";
    Endpoint& here = runtime.endpoint(0);
    // Under way until this thread helps.
    Future<void> const call = here.rpc(runtime.image(), [] {});
    std::shared_ptr<void const> const memory(&here, [&](void const*) {
      // A thread that has ended is listed for a moment more.
      for (int look = 0; look < 100 && threads() > before; ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      at_the_end = threads();
    });
    keep_until_over(std::span(&call, 1), memory);
  }

  EXPECT_EQ(at_the_end, before);
}

// It holds itself until it is over, and no answer comes any more.
TEST(KeepMemory, operation_is_over_with_the_runtime_that_is_left) {
  std::optional<Future<void>> call;
  {
    Runtime runtime({.heap_bytes = 1 << 16});
    call = runtime.endpoint(0).rpc(runtime.image(), [] {});
    ASSERT_FALSE(call->is_ready()) << "until this thread helps";
  }

  EXPECT_TRUE(call->is_ready());
}

}  // namespace
}  // namespace makespan::pgas
