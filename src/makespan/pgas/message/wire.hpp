// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message between two images looks like: a header of fixed size and bytes after it.
//
// All images run the same build on machines of one byte order, so the header travels as it lies in
// memory. Every request that carries a token is answered with the same token; requests without one
// are counted, and the counts come back in `ack`s.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace makespan::pgas {

enum class WireKind : std::uint8_t {
  put,         // payload goes to `offset`
  put_signal,  // as put; then `op` is applied to the word at `word_offset` with `operand`
  get,         // `operand` bytes from `offset` come back
  atomic,      // `op` on the word of `width` bytes at `offset`; the old value comes back
  rpc,         // a call for thread `thread`: code address in `offset`, arguments in the payload
  reply,       // the answer to `token`, a get or an atomic, or that a put is done
  call_reply,  // the result of the call behind `token`
  refusal,     // the call behind `token` threw; the payload is the text of the exception
  ack,         // `operand` requests without a token were carried out
};

enum class AtomicOp : std::uint8_t {
  load,
  store,
  add,
  bit_and,
  bit_or,
  bit_xor,
  swap,
  compare_swap
};

// Names an operation that waits for its answer: a slot of one channel's table, and how often that
// slot was used before. `channel` is that of the asking image.
struct WireToken {
  std::uint32_t slot{0};
  std::uint32_t turn{0};  // 0: no thread waits for this one alone
  std::uint16_t channel{0};

  [[nodiscard]] bool is_tracked() const { return turn != 0; }
};

struct WireHeader {
  WireKind kind{};
  AtomicOp op{};
  std::uint8_t width{};  // bytes of the word: 4 or 8
  std::uint8_t reserved{};
  std::uint16_t thread{};  // of the target image, for rpc
  std::int32_t source{};   // the image that sent this
  WireToken token{};
  std::uint64_t offset{};       // into the target's heap; for rpc, the code address
  std::uint64_t word_offset{};  // for put_signal
  std::uint64_t operand{};
  std::uint64_t compare{};
};
static_assert(std::is_trivially_copyable_v<WireHeader>);

// Where the last fields begin, which a call and its answer do not use.
inline constexpr std::size_t spare_header_offset = offsetof(WireHeader, word_offset);
inline constexpr std::size_t spare_header_bytes = sizeof(WireHeader) - spare_header_offset;

// Whether a payload fits into fields of its header that say nothing there: a message through memory
// is one cache line then, and not two.
[[nodiscard]] constexpr bool fits_into_header(WireKind kind, std::uint64_t payload_bytes) {
  bool const is_of_call =
      kind == WireKind::rpc || kind == WireKind::call_reply || kind == WireKind::refusal;
  return is_of_call && payload_bytes <= spare_header_bytes;
}

}  // namespace makespan::pgas
