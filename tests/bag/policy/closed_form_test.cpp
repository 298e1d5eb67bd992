// SPDX-License-Identifier: Apache-2.0
// Goal: a technique whose chunk depends on the number of the claim alone fits the interface,
// without memory of its own. Method: two such techniques as the interface wants them, against
// sequences worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "drain.hpp"
#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {
namespace {

// Items of the next chunk by a formula, cut to what is left.
template <class Formula>
class ByStep final : public ChunkPolicy {
 public:
  explicit ByStep(Formula formula) : formula_(formula) {}

  ChunkSize next_chunk(ChunkRequest const& request) override {
    double const chunk = formula_(request.loop, static_cast<double>(request.step));
    return ChunkSize::of_items(std::min(static_cast<std::int64_t>(chunk), request.items_left));
  }

 private:
  Formula formula_;
};

TEST(ClosedForm, expresses_factoring_by_two) {
  ByStep policy([](LoopFacts const& loop, double step) {
    double const batch = std::floor(step / loop.workers);
    return std::ceil(std::exp2(-(batch + 1.0)) * static_cast<double>(loop.items) / loop.workers);
  });

  auto const chunks = Drain{.items = 100, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{13, 13, 13, 13, 7, 7, 7, 7, 4, 4, 4, 4, 2, 2}));
}

// First chunk F = ceil(N / 2P) = 13, last L = 1, S = ceil(2N / (F + L)) = 15 steps, each (F - L) /
// (S - 1) = 6/7 smaller.
TEST(ClosedForm, expresses_trapezoid) {
  ByStep policy([](LoopFacts const& loop, double step) {
    auto const items = static_cast<double>(loop.items);
    double const first = std::ceil(items / (2.0 * loop.workers));
    double const steps = std::ceil(2.0 * items / (first + 1.0));
    return std::max(1.0, std::floor(first - step * (first - 1.0) / (steps - 1.0)));
  });

  auto const chunks = Drain{.items = 100, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks,
            (std::vector<std::int64_t>{13, 12, 11, 10, 9, 8, 7, 7, 6, 5, 4, 3, 2, 1, 1, 1}));
}

}  // namespace
}  // namespace makespan::bag
