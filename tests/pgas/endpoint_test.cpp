// SPDX-License-Identifier: Apache-2.0
// Goal: puts and gets of every size and kind bring the right bytes to the right place, and flush
// and signals promise what they say. Method: each image writes to the next one and reads from all.
#include "makespan/pgas/endpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

constexpr std::int64_t room = 40'000;  // ten messages

class EndpointTest : public SharedRuntimeTest {
 protected:
  void SetUp() override {
    bytes = runtime().allocate_all<std::byte>(room, "bytes");
    words = runtime().allocate_all<std::uint64_t>(8, "words");
  }
  void TearDown() override {
    if (HasFatalFailure()) return;
    runtime().free_all(words);
    runtime().free_all(bytes);
  }

  // This image's bytes, as the transport sees them.
  std::vector<std::byte> own(std::size_t size, std::int64_t begin = 0) {
    std::vector<std::byte> data(size);
    here().get(bytes.at(me(), begin), data);
    return data;
  }
  void flush_and_meet_all() {
    here().flush_all();
    team().barrier_all();
  }

  SymmetricArray<std::byte> bytes;
  SymmetricArray<std::uint64_t> words;
};

class SizeTest : public EndpointTest, public testing::WithParamInterface<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Bytes, SizeTest,
                         testing::Values(0, 1, 7, 8, 1000, 4095, 4096, 4097, 40'000));

TEST_P(SizeTest, Put_is_there_after_flush) {
  auto const sent = pattern(me(), GetParam());

  here().put(bytes.at(next()), sent);
  flush_and_meet_all();

  EXPECT_EQ(own(GetParam()), pattern(previous(), GetParam()));
  auto const rest = own(room - GetParam(), static_cast<std::int64_t>(GetParam()));
  EXPECT_TRUE(std::ranges::all_of(rest, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_P(SizeTest, Put_with_an_odd_offset_is_there_after_flush) {
  std::size_t const size = std::min<std::size_t>(GetParam(), room - 3);
  auto const sent = pattern(me(), size);

  here().put(bytes.at(next(), 3), sent);
  flush_and_meet_all();

  EXPECT_EQ(own(size, 3), pattern(previous(), size));
  EXPECT_EQ(own(3), std::vector<std::byte>(3));
}

TEST_P(SizeTest, Get_reads_from_every_image) {
  auto const mine = pattern(me(), GetParam());
  here().put(bytes.at(me()), mine);
  flush_and_meet_all();

  for (int image = 0; image < images(); ++image) {
    std::vector<std::byte> read(GetParam());
    here().get(bytes.at(ImageId{image}), read);
    EXPECT_EQ(read, pattern(ImageId{image}, GetParam())) << image;
  }
}

TEST_P(SizeTest, Put_async_is_there_when_its_future_is_ready) {
  auto const sent = pattern(me(), GetParam());

  here().put_async(bytes.at(next()), sent).wait();

  std::vector<std::byte> read(GetParam());
  here().get(bytes.at(next()), read);
  EXPECT_EQ(read, sent);
  team().barrier_all();
}

TEST_P(SizeTest, Get_async_reads) {
  auto const mine = pattern(me(), GetParam());
  here().put(bytes.at(me()), mine);
  flush_and_meet_all();
  std::vector<std::byte> read(GetParam());

  auto const future = here().get_async(bytes.at(next()), read);
  auto const is_right = future.then([&] { return read == pattern(next(), GetParam()); });

  EXPECT_TRUE(is_right.get());
  team().barrier_all();
}

TEST_P(SizeTest, Flush_covers_puts_whose_futures_were_dropped) {
  auto const sent = pattern(me(), GetParam());

  static_cast<void>(here().put_async(bytes.at(next()), sent));
  flush_and_meet_all();

  EXPECT_EQ(own(GetParam()), pattern(previous(), GetParam()));
}

TEST_P(SizeTest, Signal_comes_after_its_data) {
  auto const sent = pattern(me(), GetParam());

  here().put_signal(bytes.at(next()), sent, words.at(next()));
  EXPECT_EQ(here().wait_until_word(words.at(me()), Comparison::at_least, 1), 1U);

  EXPECT_EQ(own(GetParam()), pattern(previous(), GetParam()));
  team().barrier_all();
}

TEST_P(SizeTest, Signal_of_put_signal_async_comes_after_its_data) {
  auto const sent = pattern(me(), GetParam());
  Signal const signal{.kind = Signal::Kind::set, .value = 77};

  auto const future = here().put_signal_async(bytes.at(next()), sent, words.at(next(), 3), signal);
  EXPECT_EQ(here().wait_until_word(words.at(me(), 3), Comparison::equal, 77), 77U);

  EXPECT_EQ(own(GetParam()), pattern(previous(), GetParam()));
  future.get();
  team().barrier_all();
}

struct Particle {
  std::int32_t id;
  double place[3];

  friend bool operator==(Particle const&, Particle const&) = default;
};

TEST_F(EndpointTest, Values_of_users_types_travel) {
  auto const particles = runtime().allocate_all<Particle>(2, "particles");
  Particle const mine{static_cast<std::int32_t>(me().value()), {1.0, 2.0, 3.0}};

  here().put(particles.at(next(), 1), mine);
  flush_and_meet_all();

  EXPECT_EQ(here().get(particles.at(me(), 1)).id, previous().value());
  EXPECT_EQ(here().get(particles.at(me(), 1)).place[2], 3.0);
  EXPECT_EQ(here().get_async(particles.at(next(), 1)).get(), mine);
  team().barrier_all();
  runtime().free_all(particles);
}

TEST_F(EndpointTest, Local_part_is_what_others_put) {
  here().put(words.at(next(), 2), std::uint64_t{5} + static_cast<std::uint64_t>(me().value()));
  flush_and_meet_all();

  EXPECT_EQ(runtime().local(words)[2], 5 + static_cast<std::uint64_t>(previous().value()));
  EXPECT_EQ(runtime().local(words).size(), 8U);
}

TEST_F(EndpointTest, Place_is_that_of_the_thread) {
  EXPECT_EQ(here().address(), (EndpointAddress{me(), 0}));
  EXPECT_EQ(runtime().endpoint(1).address(), (EndpointAddress{me(), 1}));
  EXPECT_EQ(here().images(), images());
}

TEST_F(EndpointTest, Direct_place_is_the_same_memory) {
  for (int image = 0; image < images(); ++image) {
    std::uint64_t const* const direct = here().direct(words.at(ImageId{image}), 8);
    if (direct == nullptr) continue;  // this transport does not show it
    here().put(words.at(ImageId{image}, 1), std::uint64_t{9});
    here().flush(ImageId{image});
    EXPECT_EQ(direct[1], 9U);
  }
  if (runtime().describe().transport == "shm") {
    EXPECT_NE(here().direct(words.at(next())), nullptr);
  }
  team().barrier_all();
}

// More than a channel may have waiting.
TEST_F(EndpointTest, Many_futures_are_under_way) {
  constexpr std::size_t many = 200;
  std::vector<std::uint64_t> values(many);
  auto const array = runtime().allocate_all<std::uint64_t>(many, "many");
  for (std::size_t at = 0; at < many; ++at) values[at] = at * at;

  std::vector<Future<void>> puts;
  for (std::size_t at = 0; at < many; ++at) {
    puts.push_back(here().put_async(array.at(next(), static_cast<std::int64_t>(at)),
                                    std::span<std::uint64_t const>(&values[at], 1)));
  }
  for (auto const& put : puts) put.get();
  team().barrier_all();
  std::vector<Future<std::uint64_t>> gets;
  for (std::size_t at = 0; at < many; ++at) {
    gets.push_back(here().get_async(array.at(next(), static_cast<std::int64_t>(at))));
  }

  for (std::size_t at = 0; at < many; ++at) EXPECT_EQ(gets[at].get(), at * at);
  team().barrier_all();
  runtime().free_all(array);
}

TEST_F(EndpointTest, Threads_put_side_by_side) {
  constexpr std::int64_t each = 200;
  auto const array = runtime().allocate_all<std::int64_t>(2 * each, "array");

  in_all_threads([&](Endpoint& endpoint) {
    std::int64_t const begin = endpoint.address().thread * each;
    for (std::int64_t at = begin; at < begin + each; ++at) {
      endpoint.put(array.at(next(), at), 1000 * me().value() + at);
    }
    endpoint.flush(next());
  });
  team().barrier_all();

  for (std::int64_t at = 0; at < 2 * each; ++at) {
    EXPECT_EQ(here().get(array.at(me(), at)), 1000 * previous().value() + at);
  }
  team().barrier_all();
  runtime().free_all(array);
}

// --- boxes with strides

constexpr std::int64_t rows = 6;
constexpr std::int64_t columns = 8;

// A part of 3 rows and 2 columns of a matrix of doubles, to or from the corner of a dense one.
StridedBox part(std::int64_t source_row, std::int64_t target_row) {
  StridedBox box{.element_bytes = 8};
  box.dimensions[2] = {3, source_row * 8, target_row * 8};
  box.dimensions[3] = {2, 8, 8};
  return box;
}

TEST_F(EndpointTest, Strided_put_fills_a_part_of_a_matrix) {
  auto const matrix = runtime().allocate_all<double>(rows * columns, "matrix");
  std::array<double, 6> const block{1, 2, 3, 4, 5, 6};

  here().put_strided(matrix.at(next(), columns + 4).as_bytes(), std::as_bytes(std::span(block)),
                     part(2, columns));
  team().barrier_all();

  std::vector<double> all(rows * columns);
  here().get(matrix.at(me()), all);
  double sum = 0;
  for (double const value : all) sum += value;
  EXPECT_EQ(sum, 21.0);
  EXPECT_EQ(all[columns + 4], 1.0);
  EXPECT_EQ(all[columns + 5], 2.0);
  EXPECT_EQ(all[2 * columns + 4], 3.0);
  EXPECT_EQ(all[3 * columns + 5], 6.0);
  team().barrier_all();
  runtime().free_all(matrix);
}

TEST_F(EndpointTest, Strided_get_reads_a_part_of_a_matrix) {
  auto const matrix = runtime().allocate_all<double>(rows * columns, "matrix");
  std::vector<double> all(rows * columns);
  for (std::size_t at = 0; at < all.size(); ++at) all[at] = static_cast<double>(at);
  here().put(matrix.at(me()), all);
  flush_and_meet_all();
  std::array<double, 6> block{};

  here().get_strided(matrix.at(next(), columns + 4).as_bytes(),
                     std::as_writable_bytes(std::span(block)), part(columns, 2));

  EXPECT_EQ(block, (std::array<double, 6>{12, 13, 20, 21, 28, 29}));
  team().barrier_all();
  runtime().free_all(matrix);
}

TEST_F(EndpointTest, Strided_get_may_go_backwards) {
  here().put(words.at(me()), std::uint64_t{10});
  here().put(words.at(me(), 1), std::uint64_t{11});
  here().put(words.at(me(), 2), std::uint64_t{12});
  flush_and_meet_all();
  std::array<std::uint64_t, 3> reversed{};
  StridedBox box{.element_bytes = 8};
  box.dimensions[3] = {3, -8, 8};

  here().get_strided(words.at(next(), 2).as_bytes(), std::as_writable_bytes(std::span(reversed)),
                     box);

  EXPECT_EQ(reversed, (std::array<std::uint64_t, 3>{12, 11, 10}));
  team().barrier_all();
}

// --- signals

struct Row {
  Comparison comparison;
  std::uint64_t value;
  std::uint64_t word;  // for which it holds
};

TEST_F(EndpointTest, Wait_knows_each_comparison) {
  std::array<Row, 6> const table{{{Comparison::equal, 5, 5},
                                  {Comparison::not_equal, 5, 6},
                                  {Comparison::at_least, 5, 5},
                                  {Comparison::at_most, 5, 4},
                                  {Comparison::greater, 5, 6},
                                  {Comparison::less, 5, 4}}};
  for (Row const& row : table) {
    store(here(), words.at(me(), 5), row.word);
    here().flush(me());
    EXPECT_EQ(here().wait_until_word(words.at(me(), 5), row.comparison, row.value), row.word);
  }
}

TEST_F(EndpointTest, Wait_goes_on_until_the_comparison_holds) {
  for (std::uint64_t round = 1; round <= 20; ++round) {
    add(here(), words.at(next(), 6), 1);
    EXPECT_GE(here().wait_until_word(words.at(me(), 6), Comparison::at_least, round), round);
  }
  here().flush_all();
  team().barrier_all();
  EXPECT_EQ(load(here(), words.at(me(), 6)), 20U);
}

TEST_F(EndpointTest, Signals_of_several_images_add_up) {
  std::array<std::byte, 1> const nothing_much{};
  for (int image = 0; image < images(); ++image) {
    here().put_signal(
        bytes.at(ImageId{image}, me().value()), nothing_much, words.at(ImageId{image}, 7),
        {.kind = Signal::Kind::add, .value = 1 + static_cast<std::uint64_t>(me().value())});
  }

  auto const sum = static_cast<std::uint64_t>(images() * (images() + 1) / 2);
  EXPECT_EQ(here().wait_until_word(words.at(me(), 7), Comparison::at_least, sum), sum);
  team().barrier_all();
}

// Each wait runs those that are ready, within one another: no deeper than a stack is.
TEST_F(EndpointTest, Continuations_that_wait_nest_only_so_deep) {
  constexpr int many = 5000;
  int depth = 0;
  int deepest = 0;
  int done = 0;
  auto const gate = here().rpc(me(), [] { return 1; });
  for (int number = 0; number < many; ++number) {
    static_cast<void>(gate.then([&](int) {
      deepest = std::max(deepest, ++depth);
      EXPECT_EQ(here().rpc(me(), [] { return 2; }).get(), 2);
      --depth;
      ++done;
    }));
  }

  gate.wait();
  while (done < many) here().help();

  EXPECT_GT(deepest, 1);
  EXPECT_LE(deepest, 1000);
  team().barrier_all();
}

TEST_F(EndpointTest, Put_and_get_within_this_images_memory_may_overlap) {
  constexpr std::size_t size = 9000;
  here().put(bytes.at(me()), pattern(me(), size));
  here().flush(me());
  std::byte* const mine = here().direct(bytes.at(me()), room);
  if (mine == nullptr) GTEST_SKIP() << "this thread does not see its own heap";

  here().put(bytes.at(me(), 8), std::span<std::byte const>(mine, size));
  here().flush(me());
  EXPECT_EQ(own(size, 8), pattern(me(), size));
  here().get(bytes.at(me(), 8), std::span(mine, size));
  EXPECT_EQ(own(size), pattern(me(), size));
  team().barrier_all();
}

TEST_F(EndpointTest, Flush_without_anything_under_way_is_over_at_once) {
  here().flush_all();
  here().flush(next());
}

}  // namespace
}  // namespace makespan::pgas
