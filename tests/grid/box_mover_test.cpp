// SPDX-License-Identifier: Apache-2.0
// Goal: boxes arrive whole, on whatever image, in parts of any size, and in turns. Method: values
// that say whose they are; on 1, 2 and 3 images.
#include "makespan/grid/detail/box_mover.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "cut/tiling.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;

TEST(Chunks, are_whole_planes_where_these_fit) {
  EXPECT_THAT(
      chunks_of({{1, 1, 1}, {5, 4, 6}}, 24),
      ElementsAre(Box{{1, 1, 1}, {5, 4, 3}}, Box{{1, 1, 3}, {5, 4, 5}}, Box{{1, 1, 5}, {5, 4, 6}}));
}

TEST(Chunks, are_whole_rows_where_planes_do_not_fit) {
  EXPECT_THAT(chunks_of({{0, 0, 0}, {4, 3, 2}}, 11),
              ElementsAre(Box{{0, 0, 0}, {4, 2, 1}}, Box{{0, 2, 0}, {4, 3, 1}},
                          Box{{0, 0, 1}, {4, 2, 2}}, Box{{0, 2, 1}, {4, 3, 2}}));
}

TEST(Chunks, are_parts_of_rows_where_rows_do_not_fit) {
  EXPECT_THAT(
      chunks_of({{0, 0, 0}, {5, 1, 1}}, 2),
      ElementsAre(Box{{0, 0, 0}, {2, 1, 1}}, Box{{2, 0, 0}, {4, 1, 1}}, Box{{4, 0, 0}, {5, 1, 1}}));
}

TEST(Chunks, are_the_box_for_any_limit) {
  Box const box{{-1, 2, 3}, {4, 6, 9}};
  for (std::int64_t limit = 1; limit <= box.points() + 1; ++limit) {
    auto const chunks = chunks_of(box, limit);
    ASSERT_TRUE(are_tiles_of(box, chunks)) << limit;
    for (Box const& chunk : chunks) ASSERT_LE(chunk.points(), limit);
  }
  EXPECT_TRUE(chunks_of({{0, 0, 0}, {0, 3, 3}}, 1).empty());
}

class BoxMoverTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] int me() const { return static_cast<int>(runtime_.image().value()); }
  [[nodiscard]] int images() const { return runtime_.images(); }

  pgas::Runtime runtime_{};
};

// That a point has in a field of a source.
double value_of(int source, int field, Point at) {
  return static_cast<double>(source * 1'000'000'000 + field * 100'000'000 + at.z * 1'000'000 +
                             at.y * 1000 + at.x);
}

struct Moved {
  std::int64_t points{0};
  std::int64_t wrong{0};
};

// Moves with `fields` values a point, and what came here.
Moved moved_all(BoxMover& mover, std::vector<BoxMove> const& moves, int fields) {
  Moved moved;
  auto const for_each_value = [&](Box const& part, auto&& visit) {
    std::size_t at = 0;
    for (int field = 0; field < fields; ++field) {
      for (std::int64_t z = part.begin.z; z < part.end.z; ++z) {
        for (std::int64_t y = part.begin.y; y < part.end.y; ++y) {
          for (std::int64_t x = part.begin.x; x < part.end.x; ++x) {
            visit(at++, field, Point{x, y, z});
          }
        }
      }
    }
  };
  mover.move_all(
      moves,
      [&](BoxMove const& move, Box const& part, std::span<double> to) {
        for_each_value(part, [&](std::size_t at, int field, Point point) {
          to[at] = value_of(move.source, field, point);
        });
      },
      [&](BoxMove const& move, Box const& part, std::span<double const> from) {
        moved.points += part.points();
        for_each_value(part, [&](std::size_t at, int field, Point point) {
          if (from[at] != value_of(move.source, field, point)) ++moved.wrong;
        });
      });
  return moved;
}

TEST_F(BoxMoverTest, Moves_between_all_pairs_of_images) {
  BoxMover mover(runtime_, 2);
  Box const box{{3, 2, 1}, {8, 6, 5}};
  std::vector<BoxMove> moves;
  for (int from = 0; from < images(); ++from) {
    for (int to = 0; to < images(); ++to) {
      moves.push_back({.from_image = from, .to_image = to, .box = box, .source = from});
    }
  }
  for (int round = 0; round < 3; ++round) {
    Moved const moved = moved_all(mover, moves, 2);
    EXPECT_EQ(moved.points, images() * box.points());
    EXPECT_EQ(moved.wrong, 0);
  }
  mover.close_all();
}

// Many parts: 1 MiB holds 64 Ki points of two fields.
TEST_F(BoxMoverTest, Moves_boxes_larger_than_its_memory) {
  BoxMover mover(runtime_, 2);
  Box const box{{0, 0, 0}, {300, 300, 5}};
  int const last = images() - 1;
  std::vector<BoxMove> const moves{{.from_image = 0, .to_image = last, .box = box, .source = 1},
                                   {.from_image = last, .to_image = 0, .box = box, .source = 2}};

  Moved const moved = moved_all(mover, moves, 2);

  std::int64_t const due = images() == 1 ? 2 : me() == 0 || me() == last ? 1 : 0;
  EXPECT_EQ(moved.points, due * box.points());
  EXPECT_EQ(moved.wrong, 0);
  mover.close_all();
}

TEST_F(BoxMoverTest, Takes_senders_in_the_order_of_moves) {
  BoxMover mover(runtime_, 1);
  Box const box{{0, 0, 0}, {4, 1, 1}};
  std::vector<BoxMove> moves;
  for (int round = 0; round < 10; ++round) {
    for (int from = images() - 1; from >= 0; --from) {
      moves.push_back({.from_image = from, .box = box, .source = round});
    }
  }
  std::vector<double> come;
  mover.move_all(
      moves,
      [](BoxMove const& move, Box const&, std::span<double> to) {
        to[0] = move.source * 100 + move.from_image;
      },
      [&](BoxMove const&, Box const&, std::span<double const> from) { come.push_back(from[0]); });

  std::vector<double> expected;
  for (BoxMove const& move : moves) expected.push_back(move.source * 100 + move.from_image);
  EXPECT_EQ(come, me() == 0 ? expected : std::vector<double>{});
  mover.close_all();
}

TEST_F(BoxMoverTest, Throws_on_all_images_where_one_cannot_read_or_write_and_moves_on) {
  BoxMover mover(runtime_, 2);
  Box const box{{0, 0, 0}, {300, 300, 5}};
  int const last = images() - 1;
  std::vector<BoxMove> const moves{{.from_image = 0, .to_image = last, .box = box, .source = 1},
                                   {.from_image = last, .to_image = 0, .box = box, .source = 2}};
  for (bool const reads : {true, false}) {
    auto const fail_at = [&](bool here) {
      if (here && me() == last) throw std::runtime_error("no values");
    };
    EXPECT_THAT(
        [&] {
          mover.move_all(
              moves, [&](BoxMove const&, Box const&, std::span<double>) { fail_at(reads); },
              [&](BoxMove const&, Box const&, std::span<double const>) { fail_at(!reads); });
        },
        testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("no values")));
    EXPECT_EQ(moved_all(mover, moves, 2).wrong, 0);
  }
  mover.close_all();
}

TEST_F(BoxMoverTest, Gives_its_memory_back) {
  for (int round = 0; round < 100; ++round) {
    BoxMover mover(runtime_, 1);
    mover.close_all();
  }
}

}  // namespace
}  // namespace makespan::grid
