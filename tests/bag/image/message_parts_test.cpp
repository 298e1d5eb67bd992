// SPDX-License-Identifier: Apache-2.0
// Goal: parts come back as they were appended, and of a message that is cut or made up nothing
// beyond it is read. Method: there and back; every length.
#include "makespan/bag/image/message_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::byte> message_of(std::vector<std::string> const& parts) {
  std::vector<std::byte> message;
  for (std::string const& part : parts) append_part(message, std::as_bytes(std::span(part)));
  return message;
}

std::vector<std::string> texts_in(std::span<std::byte const> message) {
  std::vector<std::string> texts;
  for (auto const part : parts_of(message)) {
    texts.emplace_back(reinterpret_cast<char const*>(part.data()), part.size());
  }
  return texts;
}

TEST(MessageParts, come_back_in_their_order) {
  EXPECT_THAT(texts_in(message_of({"one", "", "three"})), ElementsAre("one", "", "three"));
  EXPECT_THAT(texts_in({}), ElementsAre());
}

TEST(MessageParts, of_a_message_that_is_cut_are_refused) {
  std::vector<std::byte> const message = message_of({"one", "three"});
  for (std::size_t bytes = 0; bytes < message.size(); ++bytes) {
    std::span const cut = std::span(message).first(bytes);
    // Between two parts it looks whole.
    if (bytes == 0 || bytes == 8 + 3) continue;
    EXPECT_THROW(static_cast<void>(parts_of(cut)), InputError) << bytes;
  }
}

TEST(MessageParts, of_any_length_are_refused_where_there_are_not_as_many_bytes) {
  for (std::uint64_t const length : {std::uint64_t{4}, UINT64_MAX, UINT64_MAX - 8}) {
    std::vector<std::byte> message = message_of({"one"});
    auto const bytes = std::as_bytes(std::span(&length, 1));
    std::copy(bytes.begin(), bytes.end(), message.begin());
    EXPECT_THAT([&] { static_cast<void>(parts_of(message)); },
                ThrowsMessage<InputError>(HasSubstr("its message has 3 left")));
  }
}

}  // namespace
}  // namespace makespan::bag
