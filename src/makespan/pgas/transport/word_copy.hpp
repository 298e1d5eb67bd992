// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies what lies in a heap, where others may change words by atomics meanwhile: words come whole.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace makespan::pgas {

// Each aligned word of 4 or 8 bytes that lies within `from` is copied as it was at some moment, as
// load_each() (atomics.hpp) needs it. `to` need not be aligned. Tested by
// tests/pgas/transport/word_copy_test.cpp.
#ifdef __SANITIZE_THREAD__

// The thread sanitizer takes memcpy() for reads that are not atomic. Where others write by anything
// but atomics, it still reports that.
inline void copy_words(std::byte* to, std::span<std::byte const> from) {
  auto const copy_one = [&]<class Word>(Word) {
    auto* const at = reinterpret_cast<Word*>(const_cast<std::byte*>(from.data()));
    Word const word = std::atomic_ref<Word>(*at).load(std::memory_order_relaxed);
    std::memcpy(to, &word, sizeof word);
    to += sizeof word;
    from = from.subspan(sizeof word);
  };
  auto const begins_with = [&](std::size_t bytes) {
    return from.size() >= bytes && reinterpret_cast<std::uintptr_t>(from.data()) % bytes == 0;
  };
  while (!from.empty()) {
    if (begins_with(8)) {
      copy_one(std::uint64_t{});
    } else if (begins_with(4)) {
      copy_one(std::uint32_t{});
    } else {
      copy_one(std::uint8_t{});
    }
  }
}

#else

// C libraries move words or more at once wherever they can. std::ranges::copy() is no substitute:
// libstdc++ 12 makes a loop over single bytes of it, which tears words where the compiler keeps it.
inline void copy_words(std::byte* to, std::span<std::byte const> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

#endif

}  // namespace makespan::pgas
