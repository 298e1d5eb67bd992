// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/detail/streaming_copy.hpp"

#include <cstdint>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

// The thread sanitizer does not see streaming stores, and would report a race between the reader of
// what they wrote and the thread that wrote there before.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define MAKESPAN_STREAMING_STORES
#include <emmintrin.h>
#endif

namespace makespan::pgas {

#ifdef MAKESPAN_STREAMING_STORES

void streaming_copy(std::byte* to, std::byte const* from, std::size_t bytes) {
  constexpr std::size_t step = sizeof(__m128i);
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(to) % step == 0);
  std::size_t const streamed = bytes - bytes % step;
  for (std::size_t at = 0; at < streamed; at += step) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + at)));
  }
  copy_words(to + streamed, {from + streamed, bytes - streamed});
  _mm_sfence();  // no other store orders these
}

#else

void streaming_copy(std::byte* to, std::byte const* from, std::size_t bytes) {
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(to) % 16 == 0);
  copy_words(to, {from, bytes});
}

#endif

}  // namespace makespan::pgas
