// SPDX-License-Identifier: Apache-2.0
// Envelopes between objects, with payloads of methods, and what a place makes sure of before it
// takes one.
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"

namespace makespan::fuzz::envelope_target {
namespace {

using graph::Envelope;
using graph::EnvelopeKind;
using graph::Payload;

struct Object {
  void nothing(graph::ObjectPlace&) {}
  void all(graph::ObjectPlace&, std::string const&, std::vector<double> const&,
           std::vector<std::string> const&, std::int32_t) {}
};

// Codes of functions are another target's: here an envelope says which of two it is.
std::shared_ptr<Payload const> open(std::uint64_t code, std::span<std::byte const> bytes) {
  if (code == 1) return graph::MethodPayload<&Object::nothing>::read(bytes);
  if (code == 2) return graph::MethodPayload<&Object::all>::read(bytes);
  throw std::out_of_range("there is no such method");
}

void take(Envelope const& envelope) {
  expect_within({.place = 0, .places = 4, .images = 2, .objects = 10}, envelope);
  MAKESPAN_ENSURE((envelope.kind == EnvelopeKind::message) == (envelope.payload != nullptr));
  for (graph::Target const& target : envelope.targets) {
    if (envelope.kind <= EnvelopeKind::news) MAKESPAN_ENSURE(target.object < 10);
  }
  if (!envelope.payload) return;
  Bytes again;
  pgas::ByteWriter writer(again);
  envelope.payload->write(writer);
  MAKESPAN_ENSURE(envelope.payload->bytes() == std::ssize(again));
}

void read_and_take(std::span<std::byte const> bytes) {
  graph::read_envelopes(bytes, &open, &take);
}

// With the code in the place of the address that the writer puts there.
void append(Bytes& bytes, Envelope const& envelope, std::uint64_t number) {
  static pgas::CodeMap map;
  constexpr std::size_t code_at = 40;  // in an envelope's head: envelope.cpp
  std::size_t const at = bytes.size();
  graph::write_envelope(bytes, envelope, map);
  for (std::size_t byte = 0; byte < sizeof number; ++byte) {
    bytes[at + code_at + byte] = static_cast<std::byte>(number >> (8 * byte));
  }
}

std::vector<Bytes> seeds() {
  Envelope const message{.kind = EnvelopeKind::message,
                         .from = 1,
                         .targets = {{.object = 1}, {.object = 2, .moves = 1, .place = 3}},
                         .payload = graph::make_payload<&Object::all>(
                             "text", std::vector<double>{1, 2}, std::vector<std::string>{"a"}, 7)};
  Envelope const bare{.kind = EnvelopeKind::message,
                      .targets = {{.object = 3}},
                      .payload = graph::make_payload<&Object::nothing>()};
  Bytes row;
  append(row, message, 2);
  append(row, bare, 1);
  std::vector<Bytes> all{row};
  for (EnvelopeKind const kind : {EnvelopeKind::arrival, EnvelopeKind::copy, EnvelopeKind::loads,
                                  EnvelopeKind::lost, EnvelopeKind::begin, EnvelopeKind::abort}) {
    // Orders are the coordinator's, which is at place 0.
    bool const is_order = kind == EnvelopeKind::begin || kind == EnvelopeKind::abort;
    append(all.emplace_back(),
           {.kind = kind,
            .from = is_order ? 0 : 2,
            .number = 1,
            .targets = {{.object = 4, .moves = 1}},
            .bytes = Bytes(20)},
           0);
  }
  return all;
}

FuzzTarget const target("envelope", &read_and_take, &seeds);

}  // namespace
}  // namespace makespan::fuzz::envelope_target
