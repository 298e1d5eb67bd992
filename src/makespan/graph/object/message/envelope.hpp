// SPDX-License-Identifier: Apache-2.0
#pragma once

// What goes from place to place: messages to objects, objects, and what places and the coordinator
// have to tell each other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "makespan/graph/object/message/detail/targets.hpp"
#include "makespan/graph/object/message/object_store.hpp"
#include "makespan/graph/object/message/payload.hpp"
#include "makespan/pgas/message/code_address.hpp"

namespace makespan::graph {

enum class EnvelopeKind : std::uint8_t {
  // From place to place. Counted, and of a phase.
  message,   // `payload` for `targets`
  arrival,   // an object: `object`, or what it is read from in `bytes`; before that, where the
             // program moves it in a measured phase, or the balancer before one that is not, its
             // ObjectLoads
  news,      // where the object in `targets` is
  decision,  // of step `number`: what the balancers of two places tell each other
  copy,      // for the buddy: what a place needs to come back
  // To the coordinator.
  waiting,   // objects that messages wait for
  restored,  // objects are there again
  report,    // an image is idle
  answer,    // to a question
  loads,     // what objects took, and to whom they sent
  changes,   // what objects took that took something before: where places decide together
  outcome,   // what a decision would be worth
  saved,
  failed,  // `bytes` is the text; `number` is a FailureKind
  lost,    // image `number`; `bytes` is why
  // From the coordinator.
  begin,        // a phase; `targets` move, as far as that concerns the place
  ask_waiting,  // send `waiting`
  question,     // `number`
  look,         // send `loads`, or `changes`
  decide,       // step `number` of a decision; 0: send `outcome`
  save,         // send a copy, or write one
  restart,      // from a copy, without the places in `targets`
  end,
  abort,  // as `failed`
  // From the image itself, never on a way.
  unreadable,  // what came for the place; `object` is the std::exception_ptr that says why
};

// What a place has thrown. The others throw the same for what was given to the program, so that
// callers need not care which place read it.
enum class FailureKind : std::uint8_t { other, input };  // InputError

// What places measure in a phase.
enum class Measured : std::uint8_t { nothing, loads, messages };  // loads, too

// The number of `begin`.
struct PhaseOrder {
  Measured measured{};
  bool takes_decision{false};  // objects move as places have decided

  [[nodiscard]] std::int64_t number() const {
    return 2 * static_cast<std::int64_t>(measured) + (takes_decision ? 1 : 0);
  }
  [[nodiscard]] static PhaseOrder of(std::int64_t number) {
    return {.measured = static_cast<Measured>(number / 2), .takes_decision = number % 2 != 0};
  }
};

// One more than the highest number of a PhaseOrder.
inline constexpr std::int64_t phase_orders = 2 * static_cast<std::int64_t>(Measured::messages) + 2;

struct Envelope {
  EnvelopeKind kind{};
  std::int32_t from{};          // the place that a message comes from, also when it was forwarded
  std::uint32_t generation{0};  // of the run: restarts so far
  std::int64_t phase{0};
  // 1 of an arrival that the coordinator has ordered.
  // Of a question, a step; of a beginning, a PhaseOrder; of what ends a run, a FailureKind.
  std::int64_t number{0};
  Targets targets{};
  std::shared_ptr<Payload const> payload{};  // of a message
  LooseObject object{};                      // of an arrival within an image, and of unreadable
  std::vector<std::byte> bytes{};            // of all others
};

// Appends an envelope that has no loose object.
void write_envelope(std::vector<std::byte>& bytes, Envelope const& envelope, pgas::CodeMap& code);

// That of the first envelope of what write_envelope() wrote; none where that ends before.
[[nodiscard]] std::optional<std::uint32_t> first_generation(std::span<std::byte const> bytes);

// What makes a payload of its reader's code, as it travelled, and its bytes.
using PayloadOpener = std::function<std::shared_ptr<Payload const>(
    std::uint64_t code, std::span<std::byte const> bytes)>;

// Calls `take` with each envelope of what write_envelope() wrote, one after the other. Throws
// std::out_of_range where that ends too early, and InputError for an envelope that none writes: of
// no kind, or without what its kind is about. Tested by
// tests/graph/object/message/envelope_test.cpp.
void read_envelopes(std::span<std::byte const> bytes, PayloadOpener const& open,
                    std::function<void(Envelope)> const& take);
// The same, with readers that this program has.
void read_envelopes(std::span<std::byte const> bytes, pgas::CodeMap& code,
                    std::function<void(Envelope)> const& take);

}  // namespace makespan::graph
