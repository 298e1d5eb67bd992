// SPDX-License-Identifier: Apache-2.0
// Goal: an operation is done with its last piece and not before, keeps what came, and says what
// went wrong first.
#include "makespan/pgas/operation/detail/operation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;

constexpr ImageId target{4};

TEST(OperationTest, Operation_without_pieces_is_done_when_it_was_cut) {
  BlockingOperation operation(target);

  EXPECT_FALSE(operation.is_done());
  operation.drop_piece();
  EXPECT_TRUE(operation.is_done());
  EXPECT_NO_THROW(operation.rethrow("get"));
}

TEST(OperationTest, Operation_is_done_with_its_last_piece) {
  BlockingOperation operation(target);

  operation.add_piece();
  operation.complete({});  // quicker than the cutting
  operation.add_piece();
  operation.add_piece();
  EXPECT_FALSE(operation.is_done());
  operation.drop_piece();
  operation.complete({});
  EXPECT_FALSE(operation.is_done());
  operation.complete({});

  EXPECT_TRUE(operation.is_done());
}

TEST(OperationTest, Word_has_the_bytes_that_came) {
  std::array<std::byte, 4> const answer{std::byte{1}, std::byte{2}, std::byte{0}, std::byte{0x80}};
  BlockingOperation operation(target);

  operation.complete(answer);

  EXPECT_EQ(operation.word(), 0x8000'0201U);
}

TEST(OperationTest, Lost_image_ends_it_in_image_failed) {
  BlockingOperation operation(target);

  operation.fail(target);

  try {
    operation.rethrow("get");
    FAIL();
  } catch (ImageFailed const& error) {
    EXPECT_EQ(error.image(), target);
    EXPECT_THAT(error.what(), HasSubstr("image 4"));
    EXPECT_THAT(error.what(), HasSubstr("get"));
  }
}

TEST(OperationTest, Loss_of_this_image_is_named_as_such) {
  BlockingOperation operation(target);
  ImageId const own{7};

  operation.fail(own);

  try {
    operation.rethrow("get");
    FAIL();
  } catch (ImageFailed const& error) {
    EXPECT_EQ(error.image(), own);
    EXPECT_THAT(error.what(), HasSubstr("given it up"));
  }
}

TEST(OperationTest, Refusal_ends_it_in_remote_error) {
  BlockingOperation operation(target);

  operation.refuse("out of range");

  try {
    operation.rethrow("a remote call");
    FAIL();
  } catch (RemoteError const& error) {
    EXPECT_EQ(error.image(), target);
    EXPECT_STREQ(error.what(), "a call on image 4 threw: out of range");
  }
}

TEST(OperationTest, What_went_wrong_first_counts) {
  BlockingOperation operation(target);

  operation.add_piece();
  operation.refuse("first");
  operation.fail(target);

  EXPECT_THROW(operation.rethrow("get"), RemoteError);
}

TEST(OperationTest, Rethrow_before_the_end_is_a_mistake) {
  BlockingOperation const operation(target);
  EXPECT_THROW(operation.rethrow("get"), ContractViolated);
}

TEST(OperationTest, Pieces_may_end_in_any_thread) {
  constexpr int pieces = 2000;
  BlockingOperation operation(target);
  for (int piece = 0; piece < 2 * pieces; ++piece) operation.add_piece();

  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&operation, thread] {
      for (int piece = 0; piece < pieces; ++piece) {
        if (thread == 0) {
          operation.complete({});
        } else {
          operation.refuse("together");
        }
      }
    });
  }
  threads.clear();
  EXPECT_FALSE(operation.is_done());
  operation.drop_piece();

  EXPECT_TRUE(operation.is_done());
  EXPECT_THROW(operation.rethrow("get"), RemoteError);
}

}  // namespace
}  // namespace makespan::pgas
