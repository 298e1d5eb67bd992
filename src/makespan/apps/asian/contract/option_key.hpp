// SPDX-License-Identifier: Apache-2.0
// The 64-bit key of an option, from its id: with the seed it makes the option's random numbers its
// own, so that a row has the same price in any book and at any place in it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace makespan::asian {

// Another word for each word, such that words that differ in one bit differ in about half of
// theirs. Source: D. Stafford's variant 13 of the MurmurHash3 finaliser.
std::uint64_t mixed(std::uint64_t word);

// FNV-1a over the bytes, then mixed so that keys of ids that differ in a digit differ in about half
// of their bits. Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV non-cryptographic
// hash algorithm", IETF draft.
std::uint64_t option_key(std::string_view id);

// Keys of ids that lie one after the other: id i is text[offsets[i]] .. text[offsets[i + 1] - 1].
// Throws InputError if the offsets do not lie in the text.
std::vector<std::uint64_t> option_keys(std::span<std::uint8_t const> text,
                                       std::span<std::int64_t const> offsets);

}  // namespace makespan::asian
