// SPDX-License-Identifier: Apache-2.0
// Goal: each atomic on each type changes its word as it should, and the fetching ones give the
// value before; with many threads and images at one word, nothing is lost and nothing comes twice.
// Method: words of its own for each image first, then one counter for all.
#include "makespan/pgas/atomics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

template <class T>
class AtomicsTest : public SharedRuntimeTest {
 protected:
  void SetUp() override { words = runtime().template allocate_all<T>(images(), "words"); }
  void TearDown() override {
    if (!HasFatalFailure()) runtime().free_all(words);
  }

  // Calls test(word) for this image's word on each image.
  template <class Test>
  void on_each_image(Test&& test) {
    for (int image = 0; image < images(); ++image) {
      SCOPED_TRACE("word on image " + std::to_string(image));
      test(words.at(ImageId{image}, me().value()));
    }
    team().barrier_all();
  }

  SymmetricArray<T> words;

  using SharedRuntimeTest::here;
  using SharedRuntimeTest::images;
  using SharedRuntimeTest::me;
  using SharedRuntimeTest::runtime;
  using SharedRuntimeTest::team;
};

using Words = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(AtomicsTest, Words);

// Bits in the high and the low half; negative where the type has a sign.
template <class T>
constexpr T first = static_cast<T>(0xF00F'1234'C3C3'5A5AU);
template <class T>
constexpr T second = static_cast<T>(0x0FF0'4321'A5A5'3C3CU);

TYPED_TEST(AtomicsTest, Fetching_atomics_give_the_value_before) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    T const a = first<T>;
    T const b = second<T>;
    EXPECT_EQ(swap(here, word, a), T{0});
    EXPECT_EQ(load(here, word), a);
    EXPECT_EQ(fetch_and(here, word, b), a);
    EXPECT_EQ(fetch_or(here, word, a), static_cast<T>(a & b));
    EXPECT_EQ(fetch_xor(here, word, b), a);
    EXPECT_EQ(fetch_add(here, word, T{3}), static_cast<T>(a ^ b));
    EXPECT_EQ(load(here, word), static_cast<T>((a ^ b) + 3));
  });
}

TYPED_TEST(AtomicsTest, Sums_wrap_around) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    static_cast<void>(swap(here, word, std::numeric_limits<T>::max()));
    EXPECT_EQ(fetch_add(here, word, T{1}), std::numeric_limits<T>::max());
    EXPECT_EQ(fetch_add(here, word, static_cast<T>(-1)), std::numeric_limits<T>::min());
    EXPECT_EQ(load(here, word), std::numeric_limits<T>::max());
  });
}

TYPED_TEST(AtomicsTest, Many_words_are_loaded_at_once) {
  using T = TypeParam;
  this->on_each_image(
      [&](GlobalPtr<T> word) { static_cast<void>(swap(this->here(), word, T{7})); });
  for (int image = 0; image < this->images(); ++image) {
    std::vector<T> seen(static_cast<std::size_t>(this->images()));
    load_each(this->here(), this->words.at(ImageId{image}), seen);
    EXPECT_EQ(seen, std::vector<T>(seen.size(), T{7}));
    std::ranges::fill(seen, T{});
    load_each_async(this->here(), this->words.at(ImageId{image}), seen).get();
    EXPECT_EQ(seen, std::vector<T>(seen.size(), T{7}));
  }
  this->team().barrier_all();
}

TYPED_TEST(AtomicsTest, Compare_swap_stores_what_was_expected_only) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    T const a = first<T>;
    static_cast<void>(swap(here, word, a));
    EXPECT_EQ(compare_swap(here, word, T{7}, T{1}), a);
    EXPECT_EQ(load(here, word), a);
    EXPECT_EQ(compare_swap(here, word, a, T{1}), a);
    EXPECT_EQ(load(here, word), T{1});
  });
}

TYPED_TEST(AtomicsTest, Updates_are_over_after_flush) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    T const a = first<T>;
    T const b = second<T>;
    auto const now = [&] {
      here.flush(word.image());
      return load(here, word);
    };
    store(here, word, a);
    EXPECT_EQ(now(), a);
    add(here, word, T{5});
    EXPECT_EQ(now(), static_cast<T>(a + 5));
    bit_and(here, word, b);
    EXPECT_EQ(now(), static_cast<T>((a + 5) & b));
    bit_or(here, word, a);
    EXPECT_EQ(now(), static_cast<T>(((a + 5) & b) | a));
    bit_xor(here, word, b);
    EXPECT_EQ(now(), static_cast<T>((((a + 5) & b) | a) ^ b));
  });
}

TYPED_TEST(AtomicsTest, Futures_give_the_value_before) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    T const a = first<T>;
    T const b = second<T>;
    EXPECT_EQ(swap_async(here, word, a).get(), T{0});
    EXPECT_EQ(load_async(here, word).get(), a);
    EXPECT_EQ(fetch_and_async(here, word, b).get(), a);
    EXPECT_EQ(fetch_or_async(here, word, a).get(), static_cast<T>(a & b));
    EXPECT_EQ(fetch_xor_async(here, word, b).get(), a);
    EXPECT_EQ(fetch_add_async(here, word, T{3}).get(), static_cast<T>(a ^ b));
    EXPECT_EQ(compare_swap_async(here, word, T{1}, T{2}).get(), static_cast<T>((a ^ b) + 3));
    EXPECT_EQ(load(here, word), static_cast<T>((a ^ b) + 3));
  });
}

TYPED_TEST(AtomicsTest, Futures_of_updates_are_ready_when_they_are_over) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    T const a = first<T>;
    T const b = second<T>;
    store_async(here, word, a).get();
    EXPECT_EQ(load(here, word), a);
    add_async(here, word, T{5}).get();
    bit_and_async(here, word, b).get();
    bit_or_async(here, word, a).get();
    bit_xor_async(here, word, b).get();
    EXPECT_EQ(load(here, word), static_cast<T>((((a + 5) & b) | a) ^ b));
  });
}

TYPED_TEST(AtomicsTest, Flush_covers_futures_that_were_dropped) {
  using T = TypeParam;
  this->on_each_image([&](GlobalPtr<T> word) {
    Endpoint& here = this->here();
    for (int round = 0; round < 50; ++round) static_cast<void>(add_async(here, word, T{2}));
    here.flush(word.image());
    EXPECT_EQ(load(here, word), T{100});
  });
}

// --- one word for all

class CounterTest : public SharedRuntimeTest {
 protected:
  void SetUp() override { counter = runtime().allocate_all<std::int64_t>(2, "counter"); }
  void TearDown() override {
    if (!HasFatalFailure()) runtime().free_all(counter);
  }

  // Increments of each thread: 100 000 in all where they are quick, and as many as
  // MAKESPAN_TEST_INCREMENTS says.
  static std::int64_t increments_each() {
    char const* const told = std::getenv("MAKESPAN_TEST_INCREMENTS");
    std::int64_t const quick = runtime().describe().transport == "shm" ? 100'000 : 10'000;
    return (told == nullptr ? quick : std::atoll(told)) / (2 * images());
  }
  std::int64_t total() { return increments_each() * 2 * images(); }

  SymmetricArray<std::int64_t> counter;
};

TEST_F(CounterTest, Fetching_increments_are_exact_and_never_the_same) {
  std::int64_t const each = increments_each();
  std::vector<std::int64_t> seen(static_cast<std::size_t>(2 * each));

  in_all_threads([&](Endpoint& endpoint) {
    auto const begin = static_cast<std::size_t>(endpoint.address().thread * each);
    for (std::size_t at = begin; at < begin + static_cast<std::size_t>(each); ++at) {
      seen[at] = fetch_add(endpoint, counter.at(ImageId{0}), 1);
    }
    EXPECT_TRUE(std::is_sorted(seen.begin() + endpoint.address().thread * each,
                               seen.begin() + (endpoint.address().thread + 1) * each));
  });
  team().barrier_all();

  EXPECT_EQ(load(here(), counter.at(ImageId{0})), total());
  auto all = team().gather_all(std::span<std::int64_t const>(seen), 0);
  std::ranges::sort(all);
  for (std::size_t at = 0; at < all.size(); ++at) {
    ASSERT_EQ(all[at], static_cast<std::int64_t>(at));
  }
  team().barrier_all();
}

TEST_F(CounterTest, Increments_without_a_wait_are_exact) {
  std::int64_t const each = increments_each();
  ImageId const last{images() - 1};

  in_all_threads([&](Endpoint& endpoint) {
    for (std::int64_t round = 0; round < each; ++round) {
      add(endpoint, counter.at(last), 1);
      if (round % 16 == 0) static_cast<void>(add_async(endpoint, counter.at(last, 1), 3));
    }
    endpoint.flush(last);
  });
  team().barrier_all();

  EXPECT_EQ(load(here(), counter.at(last)), total());
  EXPECT_EQ(load(here(), counter.at(last, 1)), (each + 15) / 16 * 3 * 2 * images());
  team().barrier_all();
}

TEST_F(CounterTest, Compare_swap_loops_lose_nothing) {
  constexpr std::int64_t each = 100;

  in_all_threads([&](Endpoint& endpoint) {
    GlobalPtr<std::int64_t> const word = counter.at(ImageId{0}, 1);
    for (std::int64_t round = 0; round < each; ++round) {
      std::int64_t seen = load(endpoint, word);
      for (std::int64_t before = compare_swap(endpoint, word, seen, seen + 2); before != seen;) {
        seen = before;
        before = compare_swap(endpoint, word, seen, seen + 2);
      }
    }
  });
  team().barrier_all();

  EXPECT_EQ(load(here(), counter.at(ImageId{0}, 1)), 2 * each * 2 * images());
  team().barrier_all();
}

// The owner's own accesses and those of others meet on one word.
TEST_F(CounterTest, Every_image_counts_on_every_image) {
  constexpr std::int64_t each = 200;

  in_all_threads([&](Endpoint& endpoint) {
    for (std::int64_t round = 0; round < each; ++round) {
      ImageId const target{(me().value() + round) % images()};
      static_cast<void>(fetch_add(endpoint, counter.at(target), 1));
    }
  });
  team().barrier_all();

  std::int64_t const mine = load(here(), counter.at(me()));
  EXPECT_EQ(team().all_reduce_all(ReduceOp::sum, mine), 2 * each * images());
}

}  // namespace
}  // namespace makespan::pgas
