// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/message/envelope_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::graph {

namespace {

// Of one place, so that the sum over all stays below where numbers end.
std::int64_t count_max(EnvelopeBounds const& bounds) {
  return (std::int64_t{1} << 62) / bounds.places;
}

[[noreturn]] void refuse_envelope(std::string const& what, std::string const& why) {
  throw InputError(what, why, "start the same executable, with the same input, on all images");
}

void expect_index(std::string_view what, std::int64_t index, std::int64_t count) {
  if (index >= 0 && index < count) return;
  refuse_envelope("an envelope about " + std::string(what) + " " + std::to_string(index),
                  "there are " + std::to_string(count));
}

// In begin and waiting, news and what is sent on an object's way.
bool has_objects(EnvelopeKind kind) {
  return kind == EnvelopeKind::message || kind == EnvelopeKind::arrival ||
         kind == EnvelopeKind::news || kind == EnvelopeKind::waiting || kind == EnvelopeKind::begin;
}

bool has_places(EnvelopeKind kind) {
  return kind == EnvelopeKind::news || kind == EnvelopeKind::waiting ||
         kind == EnvelopeKind::begin || kind == EnvelopeKind::restart;
}

// The coordinator's, which is at place 0.
bool is_order(EnvelopeKind kind) {
  return kind >= EnvelopeKind::begin && kind <= EnvelopeKind::abort;
}

// So that sums, and products of two, stay below where numbers end.
constexpr double amount_max = 1e30;
// Thirty years.
constexpr double seconds_max = 1e9;

bool is_amount(double value) {
  return value >= 0.0 && value <= amount_max;
}

bool is_time(double seconds) {
  return seconds >= 0.0 && seconds <= seconds_max;
}

void expect_place_state(EnvelopeBounds const& bounds, PlaceState const& state) {
  for (std::int64_t const count : {state.counts.sent, state.counts.processed, state.counts.kept}) {
    if (count >= 0 && count <= count_max(bounds)) continue;
    refuse_envelope(
        "a place that has sent or taken " + std::to_string(count) + " messages",
        "a run of " + std::to_string(bounds.places) + " places counts from 0, and not so far");
  }
  for (double const seconds : {state.busy_wall_s, state.busy_cpu_s, state.gathering_s}) {
    if (is_time(seconds)) continue;
    refuse_envelope("a place that was busy for " + short_text(seconds) + " seconds",
                    "it is measured: 0 to 1e9");
  }
}

}  // namespace

void expect_within(EnvelopeBounds const& bounds, Envelope const& envelope) {
  expect_index("place", envelope.from, bounds.places);
  if (is_order(envelope.kind) && envelope.from != 0) {
    refuse_envelope("an order from place " + std::to_string(envelope.from),
                    "the coordinator is at place 0");
  }
  if (envelope.kind == EnvelopeKind::begin) {
    expect_index("measurements of kind", envelope.number, phase_orders);
  }
  if (envelope.kind == EnvelopeKind::lost) {
    expect_index("image", envelope.number, bounds.images);
    if (envelope.number == 0) refuse_envelope("the loss of image 0", "it is the one that is told");
  }
  if (envelope.kind == EnvelopeKind::failed) expect_index("failures of kind", envelope.number, 2);
  if (envelope.kind == EnvelopeKind::restored) {
    expect_index("messages", envelope.number, count_max(bounds) + 1);
  }
  if (is_for_coordinator(envelope.kind) && bounds.place != 0) {
    refuse_envelope("an envelope to the coordinator from place " + std::to_string(envelope.from),
                    "it came to place " + std::to_string(bounds.place));
  }
  bool const objects = has_objects(envelope.kind);
  bool const places = has_places(envelope.kind);
  for (Target const& target : envelope.targets) {
    if (objects) expect_index("object", target.object, bounds.objects);
    if (places) expect_index("place", target.place, bounds.places);
  }
  if (envelope.kind == EnvelopeKind::arrival && envelope.targets.front().moves == 0) {
    refuse_envelope("an object that comes from place " + std::to_string(envelope.from),
                    "it has not moved");
  }
}

void expect_phase(Envelope const& envelope, std::int64_t present) {
  if (envelope.phase <= present || envelope.phase - 1 == present) return;
  refuse_envelope("an envelope of phase " + std::to_string(envelope.phase) + " from place " +
                      std::to_string(envelope.from),
                  "this place is in phase " + std::to_string(present));
}

void expect_within(EnvelopeBounds const& bounds, ObjectLoads const& loads) {
  for (ObjectLoad const& load : loads.objects) {
    expect_index("object", load.object, bounds.objects);
    if (is_time(load.cpu_s) && is_amount(load.bytes)) continue;
    refuse_envelope("the load of object " + std::to_string(load.object),
                    "it is negative, or no number");
  }
  for (ObjectTraffic const& edge : loads.traffic) {
    expect_index("object", edge.from, bounds.objects);
    expect_index("object", edge.to, bounds.objects);
    if (is_amount(edge.messages) && is_amount(edge.bytes)) continue;
    refuse_envelope("what object " + std::to_string(edge.from) + " sent",
                    "it is negative, or no number");
  }
}

void expect_within(EnvelopeBounds const& bounds, ImageState const& state) {
  int const threads = bounds.places / bounds.images;
  if (std::ssize(state.places) != (state.is_idle ? threads : 0) || state.version < 0) {
    refuse_envelope(
        "an image that tells of " + std::to_string(state.places.size()) + " places",
        "an idle one has " + std::to_string(threads) + ", and a busy one tells of none");
  }
  for (PlaceState const& each : state.places) expect_place_state(bounds, each);
}

void expect_within(EnvelopeBounds const& bounds, std::span<LoadChange const> changes) {
  for (LoadChange const& each : changes) {
    expect_index("place", each.place_before, bounds.places);
    if (is_time(each.before_s) && is_time(each.now_s)) continue;
    refuse_envelope("what an object took at place " + std::to_string(each.place_before),
                    "it is negative, or no number");
  }
}

void expect_within(EnvelopeBounds const& bounds, DecisionOrder const& order) {
  auto const places = static_cast<std::size_t>(bounds.places);
  if (order.speeds.size() != places || order.availability.size() != places) {
    refuse_envelope("a decision with " + std::to_string(order.speeds.size()) + " speeds and " +
                        std::to_string(order.availability.size()) + " shares of cores",
                    std::to_string(places) + " places decide");
  }
  // Alone, and as the product that a place decides with.
  auto const is_speed = [](double value) { return value > 0.0 && std::isfinite(value); };
  for (std::size_t place = 0; place < places; ++place) {
    double const speed = order.speeds[place];
    double const share = order.availability[place];
    if (is_speed(speed) && is_speed(share) && is_speed(speed * share)) continue;
    refuse_envelope("a decision in which place " + std::to_string(place) + " has no speed",
                    "each has one, which is a number above 0");
  }
  if (is_amount(order.noise) && order.goes_back <= 1) return;
  refuse_envelope("a decision with noise that is negative, or no number, or of no kind",
                  "it is measured, and objects go on or back");
}

void expect_next_step(DecisionStage const& stage, std::int64_t number) {
  bool const goes_on = number == stage.now + 1 && number <= stage.steps;
  bool const is_end = number == 0 && stage.now > 0;
  if (goes_on || is_end) return;
  refuse_envelope("an order to begin step " + std::to_string(number) + " of a decision",
                  "it has " + std::to_string(stage.steps) + ", of which step " +
                      std::to_string(stage.now) + " has begun");
}

void expect_deciding(DecisionStage const& stage) {
  if (stage.now > 0) return;
  refuse_envelope("what another place tells of a decision", "none has begun");
}

void expect_together(DecisionStage const& stage, std::string const& what) {
  if (stage.steps > 0) return;
  refuse_envelope(what, "place 0 decides");
}

void expect_within(EnvelopeBounds const& bounds, DecisionMessage const& message) {
  KnownObjects const& known = message.known;
  for (KnownObject const& each : known.objects) {
    expect_index("object", each.object, bounds.objects);
    expect_index("place", each.place, bounds.places);
    expect_index("place", each.to, bounds.places);
    if (is_time(each.cpu_s) && is_amount(each.bytes)) continue;
    refuse_envelope("the load of object " + std::to_string(each.object),
                    "it is negative, or no number");
  }
  // Objects whose work the receiver knows come without.
  bool const has_work = known.work.empty() || known.work.size() == known.objects.size();
  if (!has_work || !std::ranges::all_of(known.work, &is_amount)) {
    refuse_envelope("a decision about " + std::to_string(known.objects.size()) + " objects with " +
                        std::to_string(known.work.size()) + " numbers of work",
                    "each has one, which is a number and not negative");
  }
  for (KnownEdge const& edge : known.edges) {
    expect_index("object", edge.from, bounds.objects);
    expect_index("object", edge.to, bounds.objects);
    expect_index("place", edge.to_place, bounds.places);
    if (is_amount(edge.messages) && is_amount(edge.bytes)) continue;
    refuse_envelope("what object " + std::to_string(edge.from) + " sent",
                    "it is negative, or no number");
  }
  if (std::ranges::all_of(message.numbers, &is_amount)) return;
  refuse_envelope("a decision with numbers that are negative, or none",
                  "places tell times and work");
}

void expect_within(EnvelopeBounds const& bounds, DecisionWorth const& worth) {
  bool const are_amounts = is_amount(worth.now_s) && is_amount(worth.new_s) &&
                           is_amount(worth.migrate_s) && is_amount(worth.moved_bytes);
  if (are_amounts && worth.moved >= 0 && worth.moved <= bounds.objects) return;
  refuse_envelope("what a decision is worth", "it is negative, no number, or more than there is");
}

}  // namespace makespan::graph
