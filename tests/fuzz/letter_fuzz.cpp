// SPDX-License-Identifier: Apache-2.0
// Letters between objects, with payloads of methods, and what a place makes sure of before it takes
// one.
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/letter_check.hpp"

namespace makespan::fuzz {
namespace {

using graph::Letter;
using graph::LetterKind;
using graph::Payload;

struct Object {
  void nothing(graph::ObjectPlace&) {}
  void all(graph::ObjectPlace&, std::string const&, std::vector<double> const&,
           std::vector<std::string> const&, std::int32_t) {}
};

// Codes of functions are another target's: here a letter says which of two it is.
std::shared_ptr<Payload const> open(std::uint64_t code, std::span<std::byte const> bytes) {
  if (code == 1) return graph::MethodPayload<&Object::nothing>::read(bytes);
  if (code == 2) return graph::MethodPayload<&Object::all>::read(bytes);
  throw std::out_of_range("there is no such method");
}

void take(Letter const& letter) {
  expect_within({.place = 0, .places = 4, .images = 2, .objects = 10}, letter);
  MAKESPAN_ENSURE((letter.kind == LetterKind::message) == (letter.payload != nullptr));
  for (graph::Target const& target : letter.targets) {
    if (letter.kind <= LetterKind::news) MAKESPAN_ENSURE(target.object < 10);
  }
  if (!letter.payload) return;
  Bytes again;
  pgas::ByteWriter writer(again);
  letter.payload->write(writer);
  MAKESPAN_ENSURE(letter.payload->bytes() == std::ssize(again));
}

void read_and_take(std::span<std::byte const> bytes) {
  graph::read_letters(bytes, &open, &take);
}

// With the code in the place of the address that the writer puts there.
void append(Bytes& bytes, Letter const& letter, std::uint64_t number) {
  static pgas::CodeMap map;
  constexpr std::size_t code_at = 40;  // in a letter's head: letter.cpp
  std::size_t const at = bytes.size();
  graph::write_letter(bytes, letter, map);
  for (std::size_t byte = 0; byte < sizeof number; ++byte) {
    bytes[at + code_at + byte] = static_cast<std::byte>(number >> (8 * byte));
  }
}

std::vector<Bytes> seeds() {
  Letter const message{.kind = LetterKind::message,
                       .from = 1,
                       .targets = {{.object = 1}, {.object = 2, .moves = 1, .place = 3}},
                       .payload = graph::make_payload<&Object::all>(
                           "text", std::vector<double>{1, 2}, std::vector<std::string>{"a"}, 7)};
  Letter const bare{.kind = LetterKind::message,
                    .targets = {{.object = 3}},
                    .payload = graph::make_payload<&Object::nothing>()};
  Bytes row;
  append(row, message, 2);
  append(row, bare, 1);
  std::vector<Bytes> all{row};
  for (LetterKind const kind : {LetterKind::arrival, LetterKind::copy, LetterKind::loads,
                                LetterKind::lost, LetterKind::begin, LetterKind::abort}) {
    append(all.emplace_back(),
           {.kind = kind, .from = 2, .number = 1, .targets = {{.object = 4}}, .bytes = Bytes(20)},
           0);
  }
  return all;
}

FuzzTarget const target("letter", &read_and_take, &seeds);

}  // namespace
}  // namespace makespan::fuzz
