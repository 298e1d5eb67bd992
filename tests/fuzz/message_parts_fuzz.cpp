// SPDX-License-Identifier: Apache-2.0
// What the threads of another image packed, as one message.
#include <algorithm>

#include "fuzz/fuzz_target.hpp"
#include "makespan/bag/image/message_parts.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::fuzz::message_parts_target {
namespace {

void read_parts(std::span<std::byte const> bytes) {
  Bytes again;
  for (auto const part : bag::parts_of(bytes)) bag::append_part(again, part);
  MAKESPAN_ENSURE(std::ranges::equal(again, bytes));
}

std::vector<Bytes> seeds() {
  Bytes message;
  for (std::string_view const part : {"one", "", "three"}) {
    bag::append_part(message, std::as_bytes(std::span(part)));
  }
  return {message, {}};
}

FuzzTarget const target("message_parts", &read_parts, &seeds);

}  // namespace
}  // namespace makespan::fuzz::message_parts_target
