// SPDX-License-Identifier: Apache-2.0
// Goal: every message that images send is within the bounds, and none with an index, a range or a
// kind of something else. Method: one of each kind at the edges, and beyond each by one; any bytes.
#include "makespan/pgas/message/wire_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace makespan::pgas {
namespace {

using testing::HasSubstr;

constexpr WireBounds bounds{.here = 1,
                            .images = 3,
                            .channels = 2,
                            .operations = 8,
                            .threads = 4,
                            .heap_bytes = 1024,
                            .payload_bytes_max = 1024};
constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

void expect_defect(WireHeader const& header, std::uint64_t payload, std::string const& text) {
  EXPECT_FALSE(is_within(bounds, header, payload)) << text;
  EXPECT_THAT(defect_of(bounds, header, payload), HasSubstr(text));
}

TEST(WireCheck, lets_by_what_is_at_the_edges) {
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::put, .offset = 1000}, 24));
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::put, .offset = 1024}, 0));
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::get, .offset = 0, .operand = 1024}, 0));
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::atomic, .width = 4, .offset = 1020}, 0));
  EXPECT_TRUE(is_within(
      bounds, {.kind = WireKind::put_signal, .op = AtomicOp::compare_swap, .word_offset = 1016},
      8));
  // Its slot is one of the caller's, which may have more.
  EXPECT_TRUE(is_within(
      bounds,
      {.kind = WireKind::rpc, .thread = 3, .source = 2, .token = {.slot = 900, .channel = 1}},
      1024));
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::ack, .operand = all}, 0));
  EXPECT_TRUE(is_within(
      bounds, {.kind = WireKind::reply, .token = {.slot = 7, .turn = 1, .channel = 1}}, 8));
}

TEST(WireCheck, names_images_that_there_are_not) {
  expect_defect({.kind = WireKind::ack, .source = 3}, 0, "image 3 sent it, and there are 3");
  expect_defect({.kind = WireKind::ack, .source = -1}, 0, "image -1 sent it");
}

TEST(WireCheck, names_ranges_outside_the_heap) {
  expect_defect({.kind = WireKind::put, .offset = 1001}, 24, "24 bytes at 1001 of a heap of 1024");
  expect_defect({.kind = WireKind::put, .offset = all}, 2,
                "a put of 2 bytes at 18446744073709551615");
  expect_defect({.kind = WireKind::get, .offset = 1, .operand = 1024}, 0,
                "a get of 1024 bytes at 1");
  expect_defect({.kind = WireKind::get, .offset = 1024, .operand = all}, 0, "a get of");
  expect_defect({.kind = WireKind::atomic, .width = 8, .offset = 1020}, 0, "on 8 bytes at 1020");
  expect_defect({.kind = WireKind::put_signal, .word_offset = 1024}, 8, "the word at 1024");
}

TEST(WireCheck, names_words_that_are_none) {
  expect_defect({.kind = WireKind::atomic, .width = 0}, 0, "0 bytes at 0");
  expect_defect({.kind = WireKind::atomic, .width = 16}, 0, "16 bytes at 0");
  expect_defect({.kind = WireKind::atomic, .width = 8, .offset = 4}, 0, "8 bytes at 4");
  expect_defect({.kind = WireKind::put_signal, .word_offset = 4}, 8, "the word at 4");
  expect_defect({.kind = WireKind::atomic, .op = static_cast<AtomicOp>(8), .width = 8}, 0,
                "an atomic operation 8");
  expect_defect({.kind = WireKind::put_signal, .op = static_cast<AtomicOp>(8)}, 8,
                "a signal of operation 8");
}

TEST(WireCheck, names_threads_slots_channels_and_kinds_that_there_are_not) {
  expect_defect({.kind = WireKind::rpc, .thread = 4}, 0, "a call for thread 4 of 4");
  for (WireKind const kind : {WireKind::reply, WireKind::call_reply, WireKind::refusal}) {
    expect_defect({.kind = kind, .token = {.slot = 8}}, 0, "operation 8 of 8");
    expect_defect({.kind = kind, .token = {.channel = 2}}, 0, "channel 2 of 2");
  }
  // Where its answer would go.
  expect_defect({.kind = WireKind::rpc, .token = {.channel = 2}}, 0,
                "a call for thread 0 of 4 over channel 2 of 2");
  expect_defect({.kind = static_cast<WireKind>(9)}, 0, "its kind is 9");
}

// No link leads a call to the image that makes it, or the answer back.
TEST(WireCheck, names_calls_of_the_image_itself) {
  for (WireKind const kind : {WireKind::rpc, WireKind::call_reply, WireKind::refusal}) {
    expect_defect({.kind = kind, .source = 1}, 0, "it is of this image itself");
  }
  EXPECT_TRUE(is_within(bounds, {.kind = WireKind::put, .source = 1}, 8));
}

TEST(WireCheck, names_what_no_message_holds) {
  WireBounds narrow = bounds;
  narrow.payload_bytes_max = 256;
  WireHeader const get{.kind = WireKind::get, .operand = 257};
  WireHeader const put{.kind = WireKind::put};

  EXPECT_FALSE(is_within(narrow, get, 0));
  EXPECT_THAT(defect_of(narrow, get, 0), HasSubstr("a get of 257 bytes"));
  EXPECT_THAT(defect_of(narrow, get, 0), HasSubstr("a message holds 256"));
  EXPECT_FALSE(is_within(narrow, put, 257));
  EXPECT_THAT(defect_of(narrow, put, 257), HasSubstr("257 bytes, and a message holds 256"));
  EXPECT_TRUE(is_within(narrow, put, 256));
}

TEST(WireCheck, has_words_for_any_bytes) {
  std::mt19937_64 draw(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same in each run
  for (int round = 0; round < 20000; ++round) {
    WireHeader header;
    std::array<std::uint64_t, sizeof header / 8> words{};
    for (auto& word : words) word = draw() >> (draw() % 64);
    std::memcpy(static_cast<void*>(&header), words.data(), sizeof header);
    if (!is_within(bounds, header, draw() % 2000)) {
      EXPECT_FALSE(defect_of(bounds, header, 0).empty());
    }
  }
}

}  // namespace
}  // namespace makespan::pgas
