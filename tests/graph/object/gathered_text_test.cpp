// SPDX-License-Identifier: Apache-2.0
// Goal: image 0 has the texts of all images, and what has no length of a text is refused by name
// before memory is taken. Method: a length that an image broadcasts by itself.
#include "makespan/graph/object/detail/gathered_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {
namespace {

// Of each image another length: none, and more than one piece.
std::string text_of(int rank) {
  std::string text;
  for (int at = 0; at < rank * 70'000; ++at) text.push_back(static_cast<char>('a' + at % 23));
  return text;
}

TEST(GatheredText, has_those_of_all_images) {
  pgas::Runtime runtime{{.threads = 1, .heap_bytes = 1 << 20}};
  pgas::Team& team = runtime.team();
  for (int const first : {0, 1}) {
    std::string const own = text_of(team.rank() + first);
    std::string all = own;
    for (int rank = 1; rank < team.size(); ++rank) all += text_of(rank + first);

    EXPECT_TRUE(gathered_text_all(team, own) == (team.rank() == 0 ? all : own));
  }
  runtime.finish_all();
}

TEST(GatheredText, is_refused_where_none_is_so_long) {
  pgas::Runtime runtime{{.threads = 1, .heap_bytes = 1 << 20}};
  pgas::Team& team = runtime.team();
  for (std::int64_t const bytes : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()}) {
    if (team.size() == 1) break;
    if (team.rank() == 1) {
      static_cast<void>(team.broadcast_all(bytes, 1));
    } else {
      EXPECT_THAT([&] { static_cast<void>(gathered_text_all(team, "own")); },
                  testing::ThrowsMessage<BadMessage>(testing::HasSubstr(
                      "image 1 that cannot be (a text of " + std::to_string(bytes))));
    }
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::graph
