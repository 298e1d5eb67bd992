// SPDX-License-Identifier: Apache-2.0
// Goal: what is put can be got, from any image and of any length; signals come after data; room is
// bounded; the Completion of a thread that gave up, or of a lost image, is not called again.
// Method: every image works on the next one, or on itself where there is none, and looks with
// operations of its own.
#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"
#include "rma_test.hpp"

namespace makespan::pgas {
namespace {

// Lengths on both sides of where the way of doing it changes.
std::vector<std::size_t> const lengths{
    1, 7, 8, 100, rma_inline_bytes - 1, rma_inline_bytes, rma_inline_bytes + 1, 70000, 500000};

class RmaMemoryTest : public RmaTest {
 protected:
  [[nodiscard]] static std::uint64_t seed_of(ImageId image, std::size_t length) {
    return static_cast<std::uint64_t>(image.value()) * 1000003 + length;
  }
};

TEST_F(RmaMemoryTest, Heap_is_zeroed_and_aligned) {
  open_all();
  auto const heap = transport->own_heap();

  EXPECT_EQ(heap.size(), static_cast<std::size_t>(heap_bytes));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(heap.data()) % 4096, 0U);
  EXPECT_TRUE(std::ranges::all_of(heap, [](std::byte byte) { return byte == std::byte{0}; }));
  close_all();
}

TEST_F(RmaMemoryTest, Get_reads_what_was_put) {
  open_all();

  for (std::size_t const length : lengths) {
    std::uint64_t const offset = 1000 + length % 13;
    auto const data = pattern(length, seed_of(self(), length));
    put(next(), offset, data);

    EXPECT_TRUE(get(next(), offset, length) == data) << length;
    // Nothing beside it was touched.
    EXPECT_EQ(get(next(), offset - 1, 1)[0], std::byte{0}) << length;
    EXPECT_EQ(get(next(), offset + length, 1)[0], std::byte{0}) << length;
    put(next(), offset, std::vector<std::byte>(length));
  }
  close_all();
}

TEST_F(RmaMemoryTest, Put_reaches_the_owners_memory) {
  open_all();
  for (std::size_t const length : lengths) {
    put(next(), 0, pattern(length, seed_of(self(), length)));
    meet_all();

    auto const expected = pattern(length, seed_of(previous(), length));
    auto const found = transport->own_heap().first(length);
    EXPECT_TRUE(std::ranges::equal(found, expected)) << length;
    meet_all();
  }
  close_all();
}

TEST_F(RmaMemoryTest, Owners_stores_can_be_got) {
  open_all();
  auto const data = pattern(5000, seed_of(self(), 5000));
  std::ranges::copy(data, transport->own_heap().begin() + 64);
  meet_all();

  EXPECT_TRUE(get(next(), 64, 5000) == pattern(5000, seed_of(next(), 5000)));
  meet_all();
  close_all();
}

TEST_F(RmaMemoryTest, Data_of_a_put_without_completion_may_be_reused_at_once) {
  open_all();
  std::uint64_t offset = 0;
  for (std::size_t const length : lengths) {
    auto data = pattern(length, length);
    ASSERT_TRUE(wait_until(
        [&] { return memory->put(next(), offset, data, nullptr) == StartOutcome::started; },
        [&] { memory->poll(); }));
    std::ranges::fill(data, std::byte{0xff});
    offset += length;
  }
  flush(next());
  EXPECT_EQ(memory->poll(), 0);

  offset = 0;
  for (std::size_t const length : lengths) {
    EXPECT_TRUE(get(next(), offset, length) == pattern(length, length)) << length;
    offset += length;
  }
  close_all();
}

TEST_F(RmaMemoryTest, Nothing_is_put_or_got_at_once) {
  open_all();
  Note put_note;
  Note get_note;

  EXPECT_EQ(memory->put(next(), heap_bytes, {}, &put_note), StartOutcome::started);
  EXPECT_EQ(memory->get(next(), heap_bytes, {}, get_note), StartOutcome::started);

  EXPECT_EQ(put_note.completed, 1);
  EXPECT_EQ(get_note.completed, 1);
  EXPECT_TRUE(memory->is_flushed(next()));
  close_all();
}

TEST_F(RmaMemoryTest, Signal_comes_after_the_data) {
  constexpr std::uint64_t word = 600000;
  open_all();
  std::uint64_t round = 0;
  for (std::size_t const length : lengths) {
    ++round;
    auto const data = pattern(length, seed_of(self(), length));
    Note note;
    ASSERT_TRUE(run_operation(*memory, note, [&] {
      return memory->put_signal(next(), 0, data,
                                {.op = AtomicOp::add, .offset = word, .operand = 1}, &note);
    }));
    EXPECT_EQ(note.completed, 1);
    EXPECT_TRUE(note.bytes.empty());

    EXPECT_TRUE(wait_until([&] { return load(self(), word) == round; }, [] {}));
    EXPECT_TRUE(std::ranges::equal(transport->own_heap().first(length),
                                   pattern(length, seed_of(previous(), length))))
        << length;
    meet_all();
  }
  close_all();
}

TEST_F(RmaMemoryTest, Signal_can_store_and_come_alone_and_unwatched) {
  open_all();
  SignalRequest const signal{.op = AtomicOp::store, .offset = 8, .operand = 77};
  auto const data = pattern(3000, 1);

  Note note;
  ASSERT_TRUE(run_operation(*memory, note,
                            [&] { return memory->put_signal(next(), 64, {}, signal, &note); }));
  EXPECT_TRUE(note.bytes.empty());
  EXPECT_EQ(load(next(), 8), 77U);

  SignalRequest const second{.op = AtomicOp::store, .offset = 8, .operand = 78};
  ASSERT_EQ(memory->put_signal(next(), 64, data, second, nullptr), StartOutcome::started);
  flush(next());
  EXPECT_EQ(load(next(), 8), 78U);
  EXPECT_TRUE(get(next(), 64, 3000) == data);
  close_all();
}

TEST_F(RmaMemoryTest, Memory_is_busy_when_there_is_no_room) {
  open_all({.operations_max = 3});
  std::array<Note, 4> notes;
  AtomicRequest const request{.op = AtomicOp::add, .offset = 0, .operand = 1};

  for (std::size_t at = 0; at < 3; ++at) {
    EXPECT_EQ(memory->atomic(next(), request, &notes[at]), StartOutcome::started);
  }
  EXPECT_EQ(memory->atomic(next(), request, &notes[3]), StartOutcome::busy);
  EXPECT_FALSE(memory->is_flushed(next()));

  EXPECT_TRUE(wait_until([&] { return notes[2].has_ended() && notes[0].has_ended(); },
                         [&] { memory->poll(); }));
  EXPECT_EQ(memory->atomic(next(), request, &notes[3]), StartOutcome::started);
  EXPECT_TRUE(wait_until([&] { return notes[3].has_ended(); }, [&] { memory->poll(); }));
  flush(next());
  EXPECT_EQ(load(next(), 0), 4U);
  close_all();
}

TEST_F(RmaMemoryTest, Copies_of_puts_without_a_wait_are_bounded) {
  open_all();
  std::vector<std::byte> const data(static_cast<std::size_t>(heap_bytes));
  int begun = 0;

  while (begun < 100 && memory->put(next(), 0, data, nullptr) == StartOutcome::started) ++begun;

  EXPECT_EQ(begun, 16);  // of 1 MiB each
  flush(next());
  EXPECT_EQ(memory->put(next(), 0, data, nullptr), StartOutcome::started);
  flush(next());
  close_all();
}

TEST_F(RmaMemoryTest, Completion_may_serve_several_operations) {
  open_all();
  Note note;

  for (int time = 0; time < 5; ++time) {
    ASSERT_EQ(memory->put(next(), 0, pattern(8, 1), &note), StartOutcome::started);
  }

  EXPECT_TRUE(wait_until([&] { return note.completed == 5; }, [&] { memory->poll(); }));
  close_all();
}

TEST_F(RmaMemoryTest, Forgotten_completion_is_not_called) {
  open_all();
  auto forgotten = std::make_unique<Note>();
  auto destination = std::make_unique<std::vector<std::byte>>(200000);
  ASSERT_EQ(memory->put(next(), 0, pattern(8, 1), forgotten.get()), StartOutcome::started);
  ASSERT_EQ(memory->get(next(), 0, *destination, *forgotten), StartOutcome::started);
  Note other;
  ASSERT_EQ(memory->put(next(), 8, pattern(8, 2), &other), StartOutcome::started);

  memory->forget(*forgotten);
  EXPECT_FALSE(forgotten->has_ended());
  destination.reset();
  forgotten.reset();

  flush(next());
  EXPECT_EQ(other.completed, 1);
  EXPECT_TRUE(get(next(), 0, 8) == pattern(8, 1));
  close_all();
}

TEST_F(RmaMemoryTest, Operations_on_a_lost_image_fail) {
  open_all({.messages = {.close_limit = Seconds{0.2}}});
  Note before;
  Note after;
  AtomicRequest const request{.op = AtomicOp::add, .offset = 0, .operand = 1};
  ASSERT_EQ(memory->atomic(next(), request, &before), StartOutcome::started);
  ASSERT_EQ(memory->atomic(next(), request, nullptr), StartOutcome::started);

  memory->abandon(next());

  EXPECT_EQ(before.failed, 1);
  EXPECT_EQ(before.lost, next());
  EXPECT_TRUE(memory->is_flushed(next()));
  EXPECT_EQ(memory->atomic(next(), request, &after), StartOutcome::started);
  EXPECT_EQ(after.failed, 1);
  memory->poll();
  EXPECT_EQ(before.completed + before.failed + after.completed + after.failed, 2);
  if (images() > 1) {
    EXPECT_EQ(load(self(), 8), 0U);  // the others are well
  }
  close_all();  // the lost image is well enough for that
}

TEST_F(RmaMemoryTest, Memory_asserts_on_bad_use) {
  open_all();
  Note note;
  auto const data = pattern(16, 1);
  auto const end = static_cast<std::uint64_t>(heap_bytes);
  auto const begin_atomic = [&](ImageId target, AtomicRequest const& request) {
    static_cast<void>(memory->atomic(target, request, &note));
  };

  EXPECT_THROW(static_cast<void>(memory->put(next(), end - 15, data, &note)), ContractViolated);
  EXPECT_THROW(static_cast<void>(memory->put(next(), ~std::uint64_t{0}, data, &note)),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(memory->put(ImageId{images()}, 0, data, &note)), ContractViolated);
  EXPECT_THROW(begin_atomic(ImageId{}, {.op = AtomicOp::load}), ContractViolated);
  EXPECT_THROW(begin_atomic(next(), {.op = AtomicOp::load, .offset = 4}), ContractViolated);
  EXPECT_THROW(begin_atomic(next(), {.op = AtomicOp::load, .width = 2}), ContractViolated);
  EXPECT_THROW(begin_atomic(next(), {.op = AtomicOp::load, .offset = end}), ContractViolated);
  EXPECT_FALSE(note.has_ended());
  close_all();
}

}  // namespace
}  // namespace makespan::pgas
