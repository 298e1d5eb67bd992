// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/option_key.hpp"

#include <cstddef>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::asian {

std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

namespace {

std::uint64_t hash(std::span<std::uint8_t const> bytes) {
  std::uint64_t state = 0xcbf29ce484222325U;
  for (std::uint8_t const byte : bytes) state = (state ^ byte) * 0x100000001b3U;
  return mixed(state);
}

}  // namespace

std::uint64_t option_key(std::string_view id) {
  return hash({reinterpret_cast<std::uint8_t const*>(id.data()), id.size()});  // bytes of text
}

std::vector<std::uint64_t> option_keys(std::span<std::uint8_t const> text,
                                       std::span<std::int64_t const> offsets) {
  std::vector<std::uint64_t> keys;
  keys.reserve(offsets.size());
  auto const end = static_cast<std::int64_t>(text.size());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::int64_t const from = offsets[i];
    std::int64_t const to = offsets[i + 1];
    if (from < 0 || to < from || to > end) {
      throw InputError("the offsets of the ids do not lie in their text",
                       "id " + std::to_string(i) + " would end outside it",
                       "pass the buffers of one Arrow string column");
    }
    keys.push_back(
        hash(text.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from))));
  }
  return keys;
}

}  // namespace makespan::asian
