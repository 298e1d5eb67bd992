// SPDX-License-Identifier: Apache-2.0
// Goal: an operation behind a future lives until its last piece, even if its future is dropped;
// each kind makes the right value of what came.
#include "makespan/pgas/operation/future_operation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cereal/types/string.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId operation_target{1};

std::span<std::byte const> bytes_of(auto const& value) {
  return std::as_bytes(std::span(&value, 1));
}

TEST(FutureOperationTest, Word_of_4_bytes_keeps_its_sign) {
  WordOperation<std::int32_t> operation(operation_target, "fetch_add");
  std::int32_t const old = -5;

  operation.complete(bytes_of(old));

  ASSERT_TRUE(operation.is_ready());
  EXPECT_EQ(operation.value(), -5);
}

TEST(FutureOperationTest, Word_of_8_bytes_comes_whole) {
  WordOperation<std::uint64_t> operation(operation_target, "fetch_add");
  std::uint64_t const old = 0xFEDC'BA98'7654'3210U;

  operation.complete(bytes_of(old));

  EXPECT_EQ(operation.value(), old);
}

TEST(FutureOperationTest, Read_gives_what_landed) {
  ReadOperation<double> operation(operation_target, "get_async");
  double const value = 2.5;

  operation.add_piece();
  std::memcpy(operation.destination().data(), &value, sizeof value);
  operation.complete({});
  EXPECT_FALSE(operation.is_ready());
  operation.drop_piece();

  ASSERT_TRUE(operation.is_ready());
  EXPECT_EQ(operation.value(), 2.5);
}

TEST(FutureOperationTest, Call_gives_its_result) {
  CallOperation<std::string> operation(operation_target, "a remote call");
  std::vector<std::byte> answer;
  ByteWriter writer(answer);
  writer(std::string("result"));

  operation.complete(answer);
  answer.assign(answer.size(), std::byte{0});  // it keeps a copy

  EXPECT_EQ(operation.value(), "result");
  EXPECT_EQ(&operation.value(), &operation.value());  // read once
}

TEST(FutureOperationTest, Call_of_void_has_no_result) {
  CallOperation<void> operation(operation_target, "a remote call");

  operation.complete({});

  EXPECT_NO_THROW(static_cast<void>(operation.value()));
}

TEST(FutureOperationTest, Value_of_what_went_wrong_throws_each_time) {
  CallOperation<int> refused(operation_target, "a remote call");
  VoidOperation lost(operation_target, "put_async");

  refused.refuse("no");
  lost.fail(operation_target);

  EXPECT_THROW(static_cast<void>(refused.value()), RemoteError);
  EXPECT_THROW(static_cast<void>(refused.value()), RemoteError);
  EXPECT_THROW(static_cast<void>(lost.value()), ImageFailed);
}

TEST(FutureOperationTest, Operation_lives_until_its_last_piece) {
  auto operation = std::make_shared<VoidOperation>(operation_target, "put_async");
  std::weak_ptr<VoidOperation> const seen = operation;
  Operation& raw = *operation;

  operation->hold();
  operation->add_piece();
  operation->drop_piece();
  operation.reset();  // its future was dropped
  EXPECT_FALSE(seen.expired());
  raw.complete({});

  EXPECT_TRUE(seen.expired());
}

TEST(FutureOperationTest, Operation_lives_on_while_it_is_held) {
  auto const operation = std::make_shared<VoidOperation>(operation_target, "put_async");
  std::weak_ptr<VoidOperation> const seen = operation;

  operation->hold();
  operation->complete({});

  EXPECT_EQ(seen.use_count(), 1);
  EXPECT_TRUE(operation->is_ready());
}

TEST(FutureOperationTest, Forgotten_operation_is_let_go) {
  auto operation = std::make_shared<CallOperation<int>>(operation_target, "a remote call");
  std::weak_ptr<CallOperation<int>> const seen = operation;

  operation->hold();
  static_cast<Operation&>(*operation).on_forgotten();
  operation.reset();

  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace makespan::pgas
