// SPDX-License-Identifier: Apache-2.0
// Goal: what others ask of a heap is carried out where they said, and nowhere else; every operation
// gives the value before it.
#include "makespan/pgas/channel/heap_server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

constexpr std::uint64_t old64 = 0xF0F0'F0F0'1234'5678U;
constexpr std::uint64_t operand64 = 0x0FF0'FFFF'0000'1111U;

struct AtomicRow {
  AtomicOp op;
  std::uint64_t after64;
  std::uint32_t after32;
};

std::array<AtomicRow, 7> const rows{{
    {AtomicOp::load, old64, 0x1234'5678U},
    {AtomicOp::store, operand64, 0x0000'1111U},
    {AtomicOp::swap, operand64, 0x0000'1111U},
    {AtomicOp::add, old64 + operand64, 0x1234'6789U},
    {AtomicOp::bit_and, old64& operand64, 0x0000'1010U},
    {AtomicOp::bit_or, old64 | operand64, 0x1234'5779U},
    {AtomicOp::bit_xor, old64 ^ operand64, 0x1234'4769U},
}};

TEST(HeapServerTest, Each_operation_on_8_bytes_gives_the_value_before) {
  for (AtomicRow const& row : rows) {
    std::uint64_t word = old64;
    auto* const place = reinterpret_cast<std::byte*>(&word);
    EXPECT_EQ(apply_atomic(place, 8, row.op, operand64, 0), old64);
    EXPECT_EQ(word, row.after64) << static_cast<int>(row.op);
  }
}

TEST(HeapServerTest, Each_operation_on_4_bytes_leaves_the_other_4_alone) {
  for (AtomicRow const& row : rows) {
    std::array<std::uint32_t, 2> words{0x1234'5678U, 0xABCD'EF01U};
    auto* const place = reinterpret_cast<std::byte*>(words.data());
    // High bytes of the operand are ignored.
    EXPECT_EQ(apply_atomic(place, 4, row.op, operand64, 0), 0x1234'5678U);
    EXPECT_EQ(words[0], row.after32) << static_cast<int>(row.op);
    EXPECT_EQ(words[1], 0xABCD'EF01U) << static_cast<int>(row.op);
  }
}

TEST(HeapServerTest, Compare_swap_stores_only_what_was_expected) {
  std::uint64_t word = old64;
  auto* const place = reinterpret_cast<std::byte*>(&word);

  EXPECT_EQ(apply_atomic(place, 8, AtomicOp::compare_swap, 7, 1), old64);
  EXPECT_EQ(word, old64);
  EXPECT_EQ(apply_atomic(place, 8, AtomicOp::compare_swap, 7, old64), old64);
  EXPECT_EQ(word, 7U);
  // 4 bytes: the expected value is compared in its low bytes.
  word = 5;
  EXPECT_EQ(apply_atomic(place, 4, AtomicOp::compare_swap, 9, 0xFFFF'FFFF'0000'0005U), 5U);
  EXPECT_EQ(word, 9U);
}

TEST(HeapServerTest, Words_that_are_none_are_refused) {
  std::array<std::uint64_t, 2> words{};
  auto* const place = reinterpret_cast<std::byte*>(words.data());

  EXPECT_THROW(apply_atomic(place, 2, AtomicOp::add, 1, 0), ContractViolated);
  EXPECT_THROW(apply_atomic(place + 4, 8, AtomicOp::add, 1, 0), ContractViolated);
  EXPECT_THROW(apply_atomic(place + 2, 4, AtomicOp::add, 1, 0), ContractViolated);
}

class HeapTest : public testing::Test {
 protected:
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(8, 0x1111'1111'1111'1111U);
  std::span<std::byte> heap = std::as_writable_bytes(std::span(words));
  HeapServer server{heap};
};

TEST_F(HeapTest, Put_writes_its_bytes_and_no_others) {
  for (std::size_t const size : {0U, 1U, 3U, 4U, 7U, 8U, 9U, 16U}) {
    for (std::size_t const offset : {0U, 1U, 8U, 16U}) {
      std::ranges::fill(words, 0);
      std::vector<std::byte> const data(size, std::byte{0xAB});

      server.put({.offset = offset}, data);

      for (std::size_t at = 0; at < heap.size(); ++at) {
        bool const inside = at >= offset && at < offset + size;
        EXPECT_EQ(heap[at], inside ? std::byte{0xAB} : std::byte{0}) << size << ' ' << offset;
      }
    }
  }
}

TEST_F(HeapTest, Put_signal_puts_and_signals) {
  std::array<std::byte, 2> const data{std::byte{1}, std::byte{2}};
  words[1] = 40;
  words[2] = 40;

  server.put_signal({.op = AtomicOp::add, .offset = 0, .word_offset = 8, .operand = 2}, data);
  server.put_signal({.op = AtomicOp::store, .offset = 2, .word_offset = 16, .operand = 2}, data);

  EXPECT_EQ(words[0], 0x1111'1111'0201'0201U);
  EXPECT_EQ(words[1], 42U);
  EXPECT_EQ(words[2], 2U);
}

// Data over the word itself: in the other order the sum would be written over.
TEST_F(HeapTest, Put_signal_changes_its_word_after_its_data) {
  std::uint64_t const data = 5;

  server.put_signal({.op = AtomicOp::add, .offset = 8, .word_offset = 8, .operand = 3},
                    std::as_bytes(std::span(&data, 1)));

  EXPECT_EQ(words[1], 8U);
}

TEST_F(HeapTest, Get_shows_the_range) {
  auto const seen = server.get({.offset = 8, .operand = 16});

  EXPECT_EQ(seen.data(), heap.data() + 8);
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_TRUE(server.get({.offset = 64, .operand = 0}).empty());
}

TEST_F(HeapTest, Atomic_changes_its_word) {
  EXPECT_EQ(server.atomic({.op = AtomicOp::add, .width = 4, .offset = 12, .operand = 1}),
            0x1111'1111U);
  EXPECT_EQ(words[1], 0x1111'1112'1111'1111U);
}

TEST_F(HeapTest, Ranges_outside_the_heap_are_mistakes) {
  std::array<std::byte, 9> const data{};
  constexpr std::uint64_t far = ~std::uint64_t{0};

  EXPECT_THROW(server.put({.offset = 56}, data), ContractViolated);
  EXPECT_THROW(server.put({.offset = far}, data), ContractViolated);
  EXPECT_THROW(static_cast<void>(server.get({.offset = 0, .operand = 65})), ContractViolated);
  EXPECT_THROW(static_cast<void>(server.get({.offset = 8, .operand = far - 7})), ContractViolated);
  EXPECT_THROW(static_cast<void>(server.atomic({.op = AtomicOp::load, .width = 8, .offset = 64})),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
