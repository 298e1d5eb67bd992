// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/tree_mean.hpp"

#include <algorithm>

#include "makespan/graph/balancer/detail/decision_check.hpp"

namespace makespan::graph {

TreeMean::TreeMean(int place, int places) : place_(place), places_(places) {
  int const first = arity * place + 1;
  awaited_ = 1 + std::clamp(places - first, 0, arity);
}

void TreeMean::begin(double weighted, double weight, std::int32_t kind, DecisionOutbox& outbox) {
  weighted_ += weighted;
  weight_ += weight;
  go_on(kind, outbox);
}

void TreeMean::take(int from, std::vector<double> const& numbers, std::int32_t kind,
                    DecisionOutbox& outbox) {
  // From above comes the mean, from below a subtree's sums.
  if (place_ > 0 && from == above()) {
    expect_told(numbers.size() == 1, "it is no mean");
    value_ = numbers[0];
    return tell_below(kind, outbox);
  }
  expect_told(numbers.size() == 2, "it is no sum and its weight");
  weighted_ += numbers[0];
  weight_ += numbers[1];
  go_on(kind, outbox);
}

void TreeMean::go_on(std::int32_t kind, DecisionOutbox& outbox) {
  if (--awaited_ > 0) return;
  if (place_ > 0) {
    outbox.send(above(), {.kind = kind, .numbers = {weighted_, weight_}});
    return;
  }
  value_ = weight_ > 0.0 ? weighted_ / weight_ : 0.0;
  tell_below(kind, outbox);
}

void TreeMean::tell_below(std::int32_t kind, DecisionOutbox& outbox) const {
  int const first = arity * place_ + 1;
  for (int place = first; place < std::min(first + arity, places_); ++place) {
    outbox.send(place, {.kind = kind, .numbers = {value_}});
  }
}

}  // namespace makespan::graph
