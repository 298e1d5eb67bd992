// SPDX-License-Identifier: Apache-2.0
// What a pricing run recorded of itself, as columns.
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/trace/trace.hpp"

namespace bindings {

// thread, kind, begin_s, end_s, row, items; empty of a run that was not traced.
[[nodiscard]] nanobind::dict columns_of(makespan::asian::PricingRun::Timeline const& timeline);

// row, items, cost.
[[nodiscard]] nanobind::dict columns_of(std::span<makespan::bag::Segment const> segments);

// The same of a bag that was run, with begin_s and end_s since `start`.
[[nodiscard]] nanobind::dict columns_of(makespan::asian::PricingRun::Round const& round,
                                        makespan::trace::Clock::time_point start);

}  // namespace bindings
