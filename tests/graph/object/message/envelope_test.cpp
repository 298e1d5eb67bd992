// SPDX-License-Identifier: Apache-2.0
// Goal: envelopes become bytes and come back as they were. Method: envelopes of every kind, alone
// and in a row, whole and cut.
#include "makespan/graph/object/message/envelope.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/object/recorder.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t at = 0; at < bytes; ++at) data[at] = static_cast<std::byte>(at * 7 + 1);
  return data;
}

class EnvelopeTest : public testing::Test {
 protected:
  void write(Envelope const& envelope) { write_envelope(bytes_, envelope, code_); }
  std::vector<Envelope> read(std::span<std::byte const> bytes) {
    std::vector<Envelope> envelopes;
    read_envelopes(bytes, code_,
                   [&](Envelope envelope) { envelopes.push_back(std::move(envelope)); });
    return envelopes;
  }

  // All that is the envelope's own; payloads by what they do.
  static void expect_same(Envelope const& got, Envelope const& sent) {
    EXPECT_EQ(got.kind, sent.kind);
    EXPECT_EQ(got.from, sent.from);
    EXPECT_EQ(got.generation, sent.generation);
    EXPECT_EQ(got.phase, sent.phase);
    EXPECT_EQ(got.number, sent.number);
    EXPECT_EQ(got.bytes, sent.bytes);
    EXPECT_EQ(got.object, nullptr);
    ASSERT_EQ(got.targets.size(), sent.targets.size());
    for (std::size_t at = 0; at < sent.targets.size(); ++at) {
      Target const& target = got.targets.begin()[at];
      Target const& expected = sent.targets.begin()[at];
      EXPECT_EQ(target.object, expected.object);
      EXPECT_EQ(target.moves, expected.moves);
      EXPECT_EQ(target.place, expected.place);
    }
    EXPECT_EQ(calls_of(got), calls_of(sent));
  }

  static std::vector<std::string> calls_of(Envelope const& envelope) {
    Recorder recorder;
    if (envelope.payload) envelope.payload->invoke(&recorder, nowhere());
    return recorder.calls;
  }

  // One of each kind, none like another.
  static std::vector<Envelope> of_all_kinds() {
    std::vector<Envelope> envelopes;
    for (auto kind = EnvelopeKind::message; kind <= EnvelopeKind::abort;
         kind = static_cast<EnvelopeKind>(static_cast<int>(kind) + 1)) {
      auto const at = static_cast<int>(kind);
      Envelope envelope{.kind = kind,
                        .from = 100 + at,
                        .generation = (3U << 16U) + static_cast<std::uint32_t>(at),
                        .phase = (std::int64_t{1} << 40) + at,
                        .number = -at};
      envelope.targets = Targets(static_cast<std::size_t>(at % 4));
      for (int target = 0; target < at % 4; ++target) {
        envelope.targets.begin()[target] = {
            .object = target, .moves = static_cast<std::uint32_t>(at), .place = 5 - target};
      }
      if (kind == EnvelopeKind::message) {
        envelope.payload = make_payload<&Recorder::text>("to you", std::vector<int>(9));
      } else {
        envelope.bytes = pattern(static_cast<std::size_t>(at * 3));
      }
      envelopes.push_back(std::move(envelope));
    }
    return envelopes;
  }

  pgas::CodeMap code_;
  std::vector<std::byte> bytes_;
};

TEST_F(EnvelopeTest, Of_every_kind_come_back_one_by_one) {
  for (Envelope const& sent : of_all_kinds()) {
    SCOPED_TRACE(static_cast<int>(sent.kind));
    bytes_.clear();
    write(sent);

    auto const got = read(bytes_);

    ASSERT_EQ(got.size(), 1U);
    expect_same(got.front(), sent);
  }
}

TEST_F(EnvelopeTest, In_a_row_come_back_in_their_order) {
  auto const sent = of_all_kinds();
  for (Envelope const& each : sent) write(each);

  auto const got = read(bytes_);

  ASSERT_EQ(got.size(), sent.size());
  for (std::size_t at = 0; at < sent.size(); ++at) {
    SCOPED_TRACE(at);
    expect_same(got[at], sent[at]);
  }
}

TEST_F(EnvelopeTest, Of_no_bytes_are_no_envelopes) {
  EXPECT_TRUE(read({}).empty());
}

TEST_F(EnvelopeTest, A_message_without_arguments_has_its_method) {
  write({.kind = EnvelopeKind::message, .payload = make_payload<&Recorder::nothing>()});

  auto const got = read(bytes_);

  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(calls_of(got.front()), std::vector<std::string>{"nothing"});
}

TEST_F(EnvelopeTest, Of_a_megabyte_come_back) {
  Envelope const sent{.kind = EnvelopeKind::copy, .from = 1, .bytes = pattern((1 << 20) + 3)};
  write(sent);

  auto const got = read(bytes_);

  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.front().bytes, sent.bytes);
}

// The envelopes before the cut are taken; a cut between two leaves nothing to complain of.
TEST_F(EnvelopeTest, That_end_too_early_are_refused) {
  Envelope const first{.kind = EnvelopeKind::message,
                       .targets = {{.object = 1}, {.object = 2}},
                       .payload = make_payload<&Recorder::text>("abc", std::vector<int>(2))};
  write(first);
  std::size_t const end_of_first = bytes_.size();
  write({.kind = EnvelopeKind::loads, .targets = {{.object = 3}}, .bytes = pattern(5)});

  for (std::size_t length = 1; length < bytes_.size(); ++length) {
    if (length == end_of_first) continue;
    SCOPED_TRACE(length);
    int taken = 0;
    EXPECT_THROW(
        read_envelopes(std::span(bytes_).first(length), code_, [&](Envelope const&) { ++taken; }),
        std::out_of_range);
    EXPECT_EQ(taken, length > end_of_first ? 1 : 0);
  }
}

TEST_F(EnvelopeTest, In_a_row_say_the_generation_of_the_first) {
  EXPECT_EQ(first_generation(bytes_), std::nullopt);
  write({.kind = EnvelopeKind::look, .generation = 7});
  write({.kind = EnvelopeKind::look, .generation = 8});

  EXPECT_EQ(first_generation(bytes_), 7U);
  EXPECT_EQ(first_generation(std::span(bytes_).first(10)), std::nullopt);
}

// So many targets that their bytes, in 64 bits, would be few again.
TEST_F(EnvelopeTest, Of_more_targets_than_there_are_bytes_are_refused) {
  write({.kind = EnvelopeKind::question, .targets = {{.object = 1}}});
  // Where WireEnvelope has its count: behind kind, place, generation, phase and number.
  constexpr std::size_t count_at = 32;
  for (std::uint64_t const count : {std::uint64_t{2}, std::uint64_t{1} << 62U, ~std::uint64_t{0}}) {
    std::memcpy(bytes_.data() + count_at, &count, sizeof count);
    EXPECT_THROW(static_cast<void>(read(bytes_)), std::out_of_range) << count;
  }
}

// The receiver of an envelope reads its payload, or its first target, by its kind.
TEST_F(EnvelopeTest, That_lack_what_their_kind_is_about_are_refused) {
  for (Envelope const& envelope :
       {Envelope{.kind = EnvelopeKind::message, .targets = {{.object = 1}}},
        Envelope{.kind = EnvelopeKind::arrival}, Envelope{.kind = EnvelopeKind::news},
        Envelope{.kind = static_cast<EnvelopeKind>(200)},
        Envelope{.kind = EnvelopeKind::unreadable},  // which no image sends
        Envelope{.kind = EnvelopeKind::look, .payload = make_payload<&Recorder::nothing>()}}) {
    bytes_.clear();
    write(envelope);
    EXPECT_THROW(static_cast<void>(read(bytes_)), InputError) << static_cast<int>(envelope.kind);
  }
}

}  // namespace
}  // namespace makespan::graph
