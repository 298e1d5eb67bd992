// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/trigger_options.hpp"

#include <cmath>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::graph {

namespace {

void expect(bool is_right, std::string const& what, std::string_view why, std::string_view advice) {
  if (!is_right) throw InputError(what, why, advice);
}

}  // namespace

void check(TriggerOptions const& options) {
  auto const is_amount = [](double value) { return value >= 0.0 && std::isfinite(value); };
  expect(options.every >= 1, "balancing every " + std::to_string(options.every) + " phases",
         "it is at least 1", "give 10, say, or balance never");
  expect(options.phases >= 0, std::to_string(options.phases) + " phases of a run",
         "there are 0 or more", "give 0 where their number is not known");
  expect(is_amount(options.look_first_s),
         "a first look of " + short_text(options.look_first_s) + " s",
         "it takes a finite time, at least 0", "leave it out: 0.001 is usual");
  expect(options.waste_max > 0.0 && is_amount(options.waste_max),
         "waste_max = " + short_text(options.waste_max),
         "it is a part of the time of all phases, above 0", "leave it out: 0.02 is usual");
  expect(is_amount(options.slowdown_max), "slowdown_max = " + short_text(options.slowdown_max),
         "it is a part of a phase, at least 0", "leave it out: 0.05 is usual");
}

}  // namespace makespan::graph
