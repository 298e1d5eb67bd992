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
// these, or it is for the coordinator and came elsewhere. Tested by
// tests/graph/object/message/envelope_check_test.cpp, as the functions below.
void expect_within(EnvelopeBounds const& bounds, Envelope const& envelope);

// The same of what envelopes have in their bytes.
void expect_within(EnvelopeBounds const& bounds, ObjectLoads const& loads);
void expect_within(EnvelopeBounds const& bounds, ImageState const& state);
void expect_within(EnvelopeBounds const& bounds, std::span<LoadChange const> changes);
void expect_within(EnvelopeBounds const& bounds, DecisionMessage const& message);
void expect_within(EnvelopeBounds const& bounds, DecisionWorth const& worth);

}  // namespace makespan::graph
