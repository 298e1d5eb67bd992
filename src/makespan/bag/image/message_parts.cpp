// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/message_parts.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::bag {

namespace {

void expect_left(std::uint64_t bytes, std::size_t left) {
  if (bytes <= left) return;
  throw InputError("a result of " + std::to_string(bytes) + " bytes",
                   "its message has " + std::to_string(left) + " left",
                   "start the same executable on all images");
}

}  // namespace

void append_part(std::vector<std::byte>& message, std::span<std::byte const> part) {
  auto const size = static_cast<std::uint64_t>(part.size());
  auto const head = std::as_bytes(std::span(&size, 1));
  message.insert(message.end(), head.begin(), head.end());
  message.insert(message.end(), part.begin(), part.end());
}

std::vector<std::span<std::byte const>> parts_of(std::span<std::byte const> message) {
  std::vector<std::span<std::byte const>> parts;
  while (!message.empty()) {
    std::uint64_t size = 0;
    expect_left(sizeof size, message.size());
    std::memcpy(&size, message.data(), sizeof size);
    message = message.subspan(sizeof size);
    expect_left(size, message.size());
    parts.push_back(message.first(size));
    message = message.subspan(size);
  }
  return parts;
}

}  // namespace makespan::bag
