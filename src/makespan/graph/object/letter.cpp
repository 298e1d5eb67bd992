// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/letter.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {

namespace {

struct WireLetter {
  LetterKind kind;
  std::int32_t from;
  std::uint32_t generation;
  std::int64_t phase;
  std::int64_t number;
  std::uint64_t targets;
  std::uint64_t code;  // of the payload's reader; 0: `bytes` bytes as they are
  std::uint64_t bytes;
};

template <class T>
void write_plain(pgas::ByteWriter& writer, std::vector<T> const& values) {
  writer.write(values.data(), values.size() * sizeof(T));
}

[[noreturn]] void throw_ends_early() {
  throw std::out_of_range("letters end before the last one does");
}

std::span<std::byte const> cut(std::span<std::byte const>& rest, std::uint64_t bytes) {
  if (bytes > rest.size()) throw_ends_early();
  auto const front = rest.first(static_cast<std::size_t>(bytes));
  rest = rest.subspan(static_cast<std::size_t>(bytes));
  return front;
}

// What takes a letter counts on this of its kind.
void expect_complete(Letter const& letter) {
  bool const is_of_one = letter.kind == LetterKind::arrival || letter.kind == LetterKind::news;
  bool const is_message = letter.kind == LetterKind::message;
  bool const is_known = letter.kind <= LetterKind::abort;
  if (is_known && is_message == (letter.payload != nullptr) &&
      !(is_of_one && letter.targets.empty())) {
    return;
  }
  throw InputError("a letter of kind " + std::to_string(static_cast<int>(letter.kind)) + " with " +
                       std::to_string(letter.targets.size()) + " targets",
                   "there is no such kind, or it lacks what its kind is about",
                   "start the same executable on all images");
}

}  // namespace

void write_letter(std::vector<std::byte>& bytes, Letter const& letter, pgas::CodeMap& code) {
  MAKESPAN_EXPECT(letter.object == nullptr);
  WireLetter head{.kind = letter.kind,
                  .from = letter.from,
                  .generation = letter.generation,
                  .phase = letter.phase,
                  .number = letter.number,
                  .targets = letter.targets.size(),
                  .code = letter.payload ? code.encode(letter.payload->reader()) : 0,
                  .bytes = 0};
  std::size_t const at = bytes.size();
  pgas::ByteWriter writer(bytes);
  writer.write(&head, sizeof head);
  write_plain(writer, letter.targets);
  std::size_t const content = bytes.size();
  if (letter.payload) {
    letter.payload->write(writer);
  } else {
    write_plain(writer, letter.bytes);
  }
  head.bytes = bytes.size() - content;
  std::memcpy(bytes.data() + at, &head, sizeof head);
}

void read_letters(std::span<std::byte const> bytes, PayloadOpener const& open,
                  std::function<void(Letter)> const& take) {
  while (!bytes.empty()) {
    WireLetter head;
    std::ranges::copy(cut(bytes, sizeof head), reinterpret_cast<std::byte*>(&head));
    Letter letter{.kind = head.kind,
                  .from = head.from,
                  .generation = head.generation,
                  .phase = head.phase,
                  .number = head.number};
    if (head.targets > bytes.size() / sizeof(Target)) throw_ends_early();
    auto const targets = cut(bytes, head.targets * sizeof(Target));
    letter.targets.resize(static_cast<std::size_t>(head.targets));
    std::ranges::copy(targets, reinterpret_cast<std::byte*>(letter.targets.data()));
    auto const content = cut(bytes, head.bytes);
    if (head.code != 0) {
      letter.payload = open(head.code, content);
    } else {
      letter.bytes.assign(content.begin(), content.end());
    }
    expect_complete(letter);
    take(std::move(letter));
  }
}

void read_letters(std::span<std::byte const> bytes, pgas::CodeMap& code,
                  std::function<void(Letter)> const& take) {
  read_letters(
      bytes,
      [&code](std::uint64_t reader, std::span<std::byte const> content) {
        return reinterpret_cast<PayloadReader>(code.decode(reader, pgas::CodeKind::reader))(
            content);
      },
      take);
}

}  // namespace makespan::graph
