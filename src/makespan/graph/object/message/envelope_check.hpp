// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether an envelope speaks of places and objects that there are. Its numbers become indexes of
// the place that takes it, and it may come from another image: of another program, or damaged.

#include <span>

#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/graph/object/message/envelope.hpp"

namespace makespan::graph {

// What a run has, as one of its places sees it.
struct EnvelopeBounds {
  int place{};  // that takes the envelope; 0 is the coordinator's
  int places{};
  int images{};
  int objects{};
};

// Throws InputError, which says from where the envelope came, if a number in it is outside of
// these, or it is for the coordinator and came elsewhere, or is the coordinator's and came from
// elsewhere. Tested by
// tests/graph/object/message/envelope_check_test.cpp, as the functions below.
void expect_within(EnvelopeBounds const& bounds, Envelope const& envelope);

// Throws InputError for an envelope of a phase after the next one: no place begins a phase before
// all have ended the one before, which is `present` or the one after it.
void expect_phase(Envelope const& envelope, std::int64_t present);

// The same of what envelopes have in their bytes.
void expect_within(EnvelopeBounds const& bounds, ObjectLoads const& loads);
void expect_within(EnvelopeBounds const& bounds, ImageState const& state);
void expect_within(EnvelopeBounds const& bounds, std::span<LoadChange const> changes);
void expect_within(EnvelopeBounds const& bounds, DecisionWorth const& worth);
// Of a decision, where places are those that are left.
void expect_within(EnvelopeBounds const& bounds, DecisionOrder const& order);
void expect_within(EnvelopeBounds const& bounds, DecisionMessage const& message);

// Where a place is in a decision that it makes with others.
struct DecisionStage {
  int steps{};         // of the balancer; 0: place 0 decides
  std::int64_t now{};  // the step that has begun; 0: none
};

// Throws InputError unless an order for step `number` can come next; 0 is the end.
void expect_next_step(DecisionStage const& stage, std::int64_t number);
// Throws InputError where no decision is under way.
void expect_deciding(DecisionStage const& stage);
// Throws InputError where place 0 decides by itself, which does not take `what` then.
void expect_together(DecisionStage const& stage, std::string const& what);

}  // namespace makespan::graph
