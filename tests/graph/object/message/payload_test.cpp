// SPDX-License-Identifier: Apache-2.0
// Goal: a method and its arguments arrive as they were sent, as values and as bytes. Method: calls
// of an object that remembers them.
#include "makespan/graph/object/message/payload.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/object/recorder.hpp"

namespace makespan::graph {
namespace {

using Calls = std::vector<std::string>;

std::vector<std::byte> bytes_of(Payload const& payload) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  payload.write(writer);
  return bytes;
}

std::shared_ptr<Payload const> copy_of(Payload const& payload) {
  auto const read = reinterpret_cast<PayloadReader>(payload.reader());
  return read(bytes_of(payload));
}

TEST(Payload, calls_its_method) {
  Recorder recorder;

  make_payload<&Recorder::plain>(7, 0.5)->invoke(&recorder, nowhere());
  make_payload<&Recorder::nothing>()->invoke(&recorder, nowhere());

  EXPECT_EQ(recorder.calls, (Calls{"plain 7 0.500000", "nothing"}));
}

TEST(Payload, becomes_bytes_and_back) {
  std::vector<std::shared_ptr<Payload const>> const payloads{
      make_payload<&Recorder::plain>(-7, 0.25),
      make_payload<&Recorder::text>("some words", std::vector<int>(300)),
      make_payload<&Recorder::nothing>()};
  Recorder here;
  Recorder there;

  for (auto const& payload : payloads) {
    payload->invoke(&here, nowhere());
    copy_of(*payload)->invoke(&there, nowhere());
  }

  EXPECT_EQ(here.calls, (Calls{"plain -7 0.250000", "text some words 300", "nothing"}));
  EXPECT_EQ(there.calls, here.calls);
}

TEST(Payload, knows_how_long_it_is) {
  auto const plain = make_payload<&Recorder::plain>(1, 2.0);
  auto const text = make_payload<&Recorder::text>("abc", std::vector<int>(5));
  auto const nothing = make_payload<&Recorder::nothing>();

  EXPECT_EQ(plain->bytes(), 12);
  EXPECT_EQ(nothing->bytes(), 0);
  EXPECT_EQ(text->bytes(), std::ssize(bytes_of(*text)));
}

TEST(Payload, is_the_same_for_all_that_get_it) {
  auto const shared = make_payload<&Recorder::spoil>(std::vector<int>(2));
  Recorder recorder;

  shared->invoke(&recorder, nowhere());
  shared->invoke(&recorder, nowhere());

  EXPECT_EQ(recorder.calls, (Calls{"spoil 3", "spoil 3"}));
}

TEST(Payload, that_ends_too_early_is_refused) {
  auto const payload = make_payload<&Recorder::text>("abc", std::vector<int>(5));
  auto const read = reinterpret_cast<PayloadReader>(payload->reader());
  auto const bytes = bytes_of(*payload);

  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(static_cast<void>(read(std::span(bytes).first(length))), std::out_of_range);
  }
}

}  // namespace
}  // namespace makespan::graph
