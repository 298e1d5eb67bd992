// SPDX-License-Identifier: Apache-2.0
// Goal: a long put arrives whole, and its receiver counts as many pieces as it was told to. Method:
// to the next image of 1, 2 and 3.
#include "makespan/grid/detail/put_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {
namespace {

TEST(Pieces, are_of_64_KiB_at_most) {
  EXPECT_EQ(pieces_of(0), 0);
  EXPECT_EQ(pieces_of(1), 1);
  EXPECT_EQ(pieces_of(8192), 1);
  EXPECT_EQ(pieces_of(8193), 2);
  EXPECT_EQ(pieces_of(81920), 10);
}

TEST(PutPieces, arrive_whole_and_are_counted) {
  pgas::Runtime runtime;
  constexpr std::int64_t count = 20'001;
  auto const memory = runtime.allocate_all<double>(count, "values");
  auto const words = runtime.allocate_all<std::uint64_t>(1, "signals");
  std::int64_t const me = runtime.image().value();
  ImageId const next{(me + 1) % runtime.images()};
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(me * 100'000) + static_cast<double>(i);
  }
  pgas::Endpoint& here = runtime.endpoint(0);
  std::vector<pgas::Future<void>> futures;

  put_pieces(here, memory.at(next), values, words.at(next), futures);
  here.wait_until_word(words.at(runtime.image()), pgas::Comparison::at_least,
                       static_cast<std::uint64_t>(pieces_of(count)));

  EXPECT_EQ(std::ssize(futures), pieces_of(count));
  auto const before = static_cast<double>((me + runtime.images() - 1) % runtime.images() * 100'000);
  std::vector<double> expected(values.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = before + static_cast<double>(i);
  EXPECT_TRUE(std::ranges::equal(runtime.local(memory), expected));
  for (pgas::Future<void>& future : futures) future.get();
  futures.clear();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid
