// SPDX-License-Identifier: Apache-2.0
// Goal: a future gives its value or its exception; continuations run once, in order, in the waiting
// thread, and pass both on. Method: operations that are completed by hand.
#include "makespan/pgas/operation/future.hpp"

#include <gtest/gtest.h>

#include <cereal/types/string.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fake_queue.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/operation/future_operation.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId target_image{1};

class FutureTest : public testing::Test {
 protected:
  // A future of `operation`, as an endpoint makes them.
  template <class T, class Op>
  Future<T> future_of(std::shared_ptr<Op> const& begun) {
    begun->hold();
    return Future<T>(queue, begun, Awaited{.call = "test", .image = target_image});
  }
  Future<int> asked() { return future_of<int>(operation); }

  void answer(int value) { operation->complete(std::as_bytes(std::span(&value, 1))); }

  fake::FakeQueue queue;
  std::shared_ptr<WordOperation<int>> operation =
      std::make_shared<WordOperation<int>>(target_image, "test");
};

TEST_F(FutureTest, Future_of_a_value_is_ready) {
  Future<int> const future(queue, 7);

  EXPECT_TRUE(future.is_ready());
  EXPECT_EQ(future.get(), 7);
}

TEST_F(FutureTest, Future_becomes_ready_with_its_operation) {
  Future<int> const future = asked();

  EXPECT_FALSE(future.is_ready());
  answer(7);

  EXPECT_TRUE(future.is_ready());
  EXPECT_EQ(future.get(), 7);
  EXPECT_EQ(future.get(), 7);
}

TEST_F(FutureTest, Wait_goes_on_until_the_answer_comes) {
  Future<int> const future = asked();
  queue.steps = {[] {}, [] {}, [&] { answer(9); }, [] {}};

  EXPECT_EQ(future.get(), 9);

  EXPECT_EQ(queue.steps.size(), 1U);
  EXPECT_EQ(queue.last_awaited, "test");
}

TEST_F(FutureTest, Get_throws_what_the_operation_ended_in) {
  Future<int> const future = asked();

  operation->refuse("no");

  EXPECT_THROW(future.get(), RemoteError);
  EXPECT_THROW(future.get(), RemoteError);
}

TEST_F(FutureTest, Value_of_a_temporary_future_outlives_it) {
  auto const named = [this] { return Future<std::string>(queue, std::string(100, 'x')); };

  auto&& text = named().get();

  EXPECT_EQ(text, std::string(100, 'x'));
}

TEST_F(FutureTest, Copies_share_their_value) {
  Future<int> const future = asked();
  Future<int> const copy = future;

  answer(3);

  EXPECT_EQ(&future.get(), &copy.get());
}

TEST_F(FutureTest, Continuation_of_a_ready_future_runs_at_once) {
  Future<int> const future(queue, 7);
  int seen = 0;

  auto const next = future.then([&](int value) { return seen = value; });

  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(next.is_ready());
  EXPECT_EQ(queue.deferred(), 0U);
}

TEST_F(FutureTest, Continuation_runs_once_when_its_thread_makes_progress) {
  int runs = 0;
  auto const next = asked().then([&](int value) {
    ++runs;
    return value + 0.5;
  });

  queue.run_continuations();
  EXPECT_EQ(runs, 0);
  answer(1);
  EXPECT_EQ(runs, 0);  // not in the thread that brought the answer
  EXPECT_FALSE(next.is_ready());
  queue.run_continuations();
  queue.run_continuations();

  EXPECT_EQ(runs, 1);
  EXPECT_EQ(next.get(), 1.5);
}

TEST_F(FutureTest, Chains_run_from_front_to_back) {
  std::string trace;
  auto const last = asked()
                        .then([&](int value) {
                          trace += "a";
                          return std::to_string(value);
                        })
                        .then([&](std::string const& text) { trace += "b" + text; })
                        .then([&] {
                          trace += "c";
                          return trace.size();
                        });
  queue.steps = {[&] { answer(5); }};

  EXPECT_EQ(last.get(), 4U);
  EXPECT_EQ(trace, "ab5c");
}

TEST_F(FutureTest, Continuations_of_one_future_run_in_the_order_in_which_they_were_given) {
  Future<int> const future = asked();
  std::vector<int> order;

  for (int number = 0; number < 5; ++number) {
    static_cast<void>(future.then([&order, number](int) { order.push_back(number); }));
  }
  answer(1);
  queue.run_continuations();

  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_F(FutureTest, Exception_of_the_operation_goes_through_the_chain) {
  bool ran = false;
  auto const last = asked().then([&](int) { ran = true; }).then([&] {
    ran = true;
    return 1;
  });

  operation->fail(target_image);
  queue.run_continuations();

  ASSERT_TRUE(last.is_ready());
  EXPECT_THROW(last.get(), ImageFailed);
  EXPECT_FALSE(ran);
}

TEST_F(FutureTest, Exception_of_a_continuation_is_that_of_its_future) {
  Future<int> const first = asked();
  auto const next = first.then([](int) -> int { throw std::invalid_argument("odd"); });

  answer(1);
  queue.run_continuations();

  EXPECT_EQ(first.get(), 1);
  EXPECT_THROW(next.get(), std::invalid_argument);
}

TEST_F(FutureTest, Continuation_runs_though_its_future_was_dropped) {
  int seen = 0;
  static_cast<void>(asked().then([&](int value) { seen = value; }));

  answer(4);
  queue.run_continuations();

  EXPECT_EQ(seen, 4);
}

TEST_F(FutureTest, Dropped_future_lets_its_operation_go_on) {
  std::weak_ptr<WordOperation<int>> const seen = operation;
  Operation& raw = *operation;
  static_cast<void>(asked());
  operation.reset();

  EXPECT_FALSE(seen.expired());
  int const value = 1;
  raw.complete(std::as_bytes(std::span(&value, 1)));

  EXPECT_TRUE(seen.expired());
}

TEST_F(FutureTest, Continuation_may_wait_for_another_future) {
  auto other = std::make_shared<WordOperation<int>>(target_image, "test");
  Future<int> const second = future_of<int>(other);
  auto const sum = asked().then([&](int value) { return value + second.get(); });
  int const two = 2;
  queue.steps = {[&] { answer(1); }, [] {},
                 [&] { other->complete(std::as_bytes(std::span(&two, 1))); }};

  EXPECT_EQ(sum.get(), 3);
}

TEST_F(FutureTest, Operation_of_many_pieces_is_one_future) {
  auto const pieces = std::make_shared<VoidOperation>(target_image, "put_async");
  auto const future = future_of<void>(pieces);
  for (int piece = 0; piece < 100; ++piece) pieces->add_piece();
  pieces->drop_piece();

  for (int piece = 0; piece < 99; ++piece) pieces->complete({});
  EXPECT_FALSE(future.is_ready());
  pieces->complete({});

  EXPECT_TRUE(future.is_ready());
  EXPECT_NO_THROW(future.get());
}

}  // namespace
}  // namespace makespan::pgas
