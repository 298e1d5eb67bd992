// SPDX-License-Identifier: Apache-2.0
// Goal: every byte is copied and none beside them, and words that change meanwhile come whole.
// Method: all short lengths from all places; a thread that turns all bits of words over and over.
// Also under the thread sanitizer.
#include "makespan/pgas/transport/word_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

TEST(WordCopy, copies_any_length_from_any_place) {
  std::vector<unsigned char> numbers(200);
  std::iota(numbers.begin(), numbers.end(), static_cast<unsigned char>(1));
  std::span const from = std::as_bytes(std::span(numbers));
  for (std::size_t bytes = 0; bytes < 100; ++bytes) {
    std::span const part(from.data() + bytes % 19, bytes);
    std::array<std::byte, 101> to{};
    copy_words(to.data() + 1, part);

    EXPECT_TRUE(std::ranges::equal(std::span(to).subspan(1, bytes), part)) << bytes;
    EXPECT_EQ(to.front(), std::byte{}) << bytes;
    EXPECT_EQ(to[bytes + 1], std::byte{}) << bytes;
  }
}

// How many of the words that were copied are neither of the two that there ever were.
template <class Word>
std::int64_t torn_words() {
  constexpr int turns = 1'000'000;
  alignas(8) std::array<Word, 3> words{};           // no multiple of what a vector holds
  std::size_t const volatile bytes = sizeof words;  // not known to the compiler, as in a message
  std::atomic<bool> is_over{false};
  std::jthread const writer([&] {
    for (int turn = 1; turn <= turns; ++turn) {
      Word const value = turn % 2 == 0 ? Word{0} : static_cast<Word>(~Word{0});
      for (Word& word : words) std::atomic_ref(word).store(value, std::memory_order_relaxed);
    }
    is_over = true;
  });
  std::int64_t torn = 0;
  while (!is_over) {
    std::array<Word, 3> copy{};
    copy_words(std::as_writable_bytes(std::span(copy)).data(),
               std::as_bytes(std::span(words)).first(bytes));
    torn += std::ranges::count_if(
        copy, [](Word word) { return word != 0 && word != static_cast<Word>(~Word{0}); });
  }
  return torn;
}

TEST(WordCopy, copies_words_that_change_meanwhile_whole) {
  EXPECT_EQ(torn_words<std::uint64_t>(), 0);
  EXPECT_EQ(torn_words<std::uint32_t>(), 0);
}

}  // namespace
}  // namespace makespan::pgas
