// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/loss_board.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(LossBoard, Board_is_empty_at_first) {
  LossBoard const board(3);

  EXPECT_EQ(board.count(), 0);
  EXPECT_EQ(board.reason(ImageId{2}), "");
  EXPECT_EQ(board.first(), std::nullopt);
}

TEST(LossBoard, Board_keeps_the_first_reason) {
  LossBoard board(3);

  board.note(ImageId{2}, "silent");
  board.note(ImageId{2}, "gone");

  EXPECT_EQ(board.count(), 1);
  EXPECT_EQ(board.reason(ImageId{2}), "silent");
  EXPECT_EQ(board.reason(ImageId{1}), "");
}

TEST(LossBoard, Board_names_the_first_by_number) {
  LossBoard board(3);

  board.note(ImageId{2}, "silent");
  board.note(ImageId{1}, "silent");

  EXPECT_EQ(board.first(), ImageId{1});
}

TEST(LossBoard, Board_knows_a_loss_without_reason) {
  LossBoard board(3);

  board.note(ImageId{0}, "");

  EXPECT_NE(board.reason(ImageId{0}), "");
}

TEST(LossBoard, Board_tells_reasons_of_as_many_as_it_counts) {
  LossBoard board(64);
  std::jthread const writer([&] {
    for (int image = 0; image < 64; ++image) board.note(ImageId{image}, "silent");
  });

  for (int known = 0; known < 64;) {
    known = board.count();
    for (int image = 0; image < known; ++image) EXPECT_EQ(board.reason(ImageId{image}), "silent");
  }
}

TEST(LossBoard, Board_of_others_breaks_the_contract) {
  LossBoard board(3);

  EXPECT_THROW(board.note(ImageId{3}, "silent"), ContractViolated);
  EXPECT_THROW(board.note(ImageId{}, "silent"), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
