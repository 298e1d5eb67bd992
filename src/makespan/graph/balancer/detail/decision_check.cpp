// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/decision_check.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {

void expect_told(bool is_right, std::string_view why) {
  if (is_right) return;
  throw InputError("a message of a decision", std::string(why),
                   "start the same executable, with the same input, on all images");
}

int told_below(double number, int end) {
  // What is no number is below nothing.
  expect_told(number >= 0.0 && number < static_cast<double>(end),
              "it has an index that there is not");
  return static_cast<int>(number);
}

void expect_at(Places const& places, KnownObjects const& known) {
  auto const is_place = [&](std::int32_t place) { return place >= 0 && place < places.count(); };
  bool const are_objects_at = std::ranges::all_of(known.objects, [&](KnownObject const& each) {
    return is_place(each.place) && is_place(each.to);
  });
  expect_told(are_objects_at && std::ranges::all_of(known.edges, is_place, &KnownEdge::to_place),
              "it names a place that there is not");
}

void expect_known(Places const& places, KnownObjects const& known) {
  expect_at(places, known);
  if (known.objects.empty()) return;
  std::size_t const kinds = known.kinds();
  auto const most = static_cast<std::size_t>(std::ranges::max(places.all(), {}, &Place::kind).kind);
  expect_told(kinds > most && kinds * known.objects.size() == known.work.size(),
              "it has objects without their work");
}

}  // namespace makespan::graph
