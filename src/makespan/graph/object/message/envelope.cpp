// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/message/envelope.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {

namespace {

struct WireEnvelope {
  EnvelopeKind kind;
  std::int32_t from;
  std::uint32_t generation;
  std::int64_t phase;
  std::int64_t number;
  std::uint64_t targets;
  std::uint64_t code;  // of the payload's reader; 0: `bytes` bytes as they are
  std::uint64_t bytes;
};

template <class T>
void write_plain(pgas::ByteWriter& writer, std::span<T const> values) {
  writer.write(values.data(), values.size_bytes());
}

[[noreturn]] void throw_ends_early() {
  throw std::out_of_range("envelopes end before the last one does");
}

std::span<std::byte const> cut(std::span<std::byte const>& rest, std::uint64_t bytes) {
  if (bytes > rest.size()) throw_ends_early();
  auto const front = rest.first(static_cast<std::size_t>(bytes));
  rest = rest.subspan(static_cast<std::size_t>(bytes));
  return front;
}

// What takes an envelope counts on this of its kind.
void expect_complete(Envelope const& envelope) {
  bool const is_of_one =
      envelope.kind == EnvelopeKind::arrival || envelope.kind == EnvelopeKind::news;
  bool const is_message = envelope.kind == EnvelopeKind::message;
  bool const is_known = envelope.kind < EnvelopeKind::unreadable;
  if (is_known && is_message == (envelope.payload != nullptr) &&
      !(is_of_one && envelope.targets.empty())) {
    return;
  }
  throw InputError("an envelope of kind " + std::to_string(static_cast<int>(envelope.kind)) +
                       " with " + std::to_string(envelope.targets.size()) + " targets",
                   "there is no such kind, or it lacks what its kind is about",
                   "start the same executable on all images");
}

}  // namespace

void write_envelope(std::vector<std::byte>& bytes, Envelope const& envelope, pgas::CodeMap& code) {
  MAKESPAN_EXPECT(envelope.object == nullptr);
  WireEnvelope head{.kind = envelope.kind,
                    .from = envelope.from,
                    .generation = envelope.generation,
                    .phase = envelope.phase,
                    .number = envelope.number,
                    .targets = envelope.targets.size(),
                    .code = envelope.payload ? code.encode(envelope.payload->reader()) : 0,
                    .bytes = 0};
  std::size_t const at = bytes.size();
  pgas::ByteWriter writer(bytes);
  writer.write(&head, sizeof head);
  write_plain(writer, std::span<Target const>(envelope.targets));
  std::size_t const content = bytes.size();
  if (envelope.payload) {
    envelope.payload->write(writer);
  } else {
    write_plain(writer, std::span<std::byte const>(envelope.bytes));
  }
  head.bytes = bytes.size() - content;
  // Only now is the length known; to count it first would run the program's serialize() twice.
  std::memcpy(bytes.data() + at, &head, sizeof head);
}

std::optional<std::uint32_t> first_generation(std::span<std::byte const> bytes) {
  WireEnvelope head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::ranges::copy(bytes.first(sizeof head), reinterpret_cast<std::byte*>(&head));
  return head.generation;
}

void read_envelopes(std::span<std::byte const> bytes, PayloadOpener const& open,
                    std::function<void(Envelope)> const& take) {
  while (!bytes.empty()) {
    WireEnvelope head;
    std::ranges::copy(cut(bytes, sizeof head), reinterpret_cast<std::byte*>(&head));
    Envelope envelope{.kind = head.kind,
                      .from = head.from,
                      .generation = head.generation,
                      .phase = head.phase,
                      .number = head.number};
    // Divided, since the product of a damaged number could wrap around.
    if (head.targets > bytes.size() / sizeof(Target)) throw_ends_early();
    auto const targets = cut(bytes, head.targets * sizeof(Target));
    envelope.targets = Targets(static_cast<std::size_t>(head.targets));
    std::ranges::copy(targets, reinterpret_cast<std::byte*>(envelope.targets.begin()));
    auto const content = cut(bytes, head.bytes);
    if (head.code != 0) {
      envelope.payload = open(head.code, content);
    } else {
      envelope.bytes.assign(content.begin(), content.end());
    }
    expect_complete(envelope);
    take(std::move(envelope));
  }
}

void read_envelopes(std::span<std::byte const> bytes, pgas::CodeMap& code,
                    std::function<void(Envelope)> const& take) {
  read_envelopes(
      bytes,
      [&code](std::uint64_t reader, std::span<std::byte const> content) {
        return reinterpret_cast<PayloadReader>(code.decode(reader, pgas::CodeKind::reader))(
            content);
      },
      take);
}

}  // namespace makespan::graph
