// SPDX-License-Identifier: Apache-2.0
// Goal: memory stays until each operation that uses it is over, however it ends. Method: operations
// that are completed by hand.
#include "makespan/pgas/operation/keep_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "fake_queue.hpp"
#include "makespan/pgas/operation/future_operation.hpp"

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

}  // namespace
}  // namespace makespan::pgas
