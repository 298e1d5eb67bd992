// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets a policy cut a loop of equal items, worker after worker in turn, and checks what every
// policy owes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {

// What the loop and the workers are like; every item costs 1.
struct Drain {
  std::int64_t items{};
  std::vector<double> speeds;  // by worker [items/s]; 0: not measured
  Seconds claim_cost{};
  double item_cost_spread{};

  [[nodiscard]] ChunkRequest request(std::int64_t step, std::int64_t items_left) const {
    auto const workers = static_cast<int>(speeds.size());
    auto const index = static_cast<int>(step % workers);
    double const speed = speeds[static_cast<std::size_t>(index)];
    double total = 0.0;
    for (double const each : speeds) total += each;
    return {.loop = {items, Work{static_cast<double>(items)}, item_cost_spread, workers},
            .step = step,
            .items_left = items_left,
            .work_left = Work{static_cast<double>(items_left)},
            .worker = {index, speed > 0.0, Speed{speed}, Speed{total}, claim_cost}};
  }

  // The chunks in items, in the order of the claims. Work is rounded to the nearest item, at least
  // one.
  [[nodiscard]] std::vector<std::int64_t> chunks(ChunkPolicy& policy) const {
    std::vector<std::int64_t> taken;
    for (std::int64_t left = items; left > 0;) {
      ChunkSize const size =
          policy.next_chunk(request(static_cast<std::int64_t>(taken.size()), left));
      std::int64_t const chunk =
          size.items() != nullptr ? *size.items()
                                  : std::max<std::int64_t>(1, std::llround(size.work()->value()));
      EXPECT_GE(chunk, 1);
      EXPECT_LE(chunk, left);
      if (chunk < 1 || chunk > left) break;
      taken.push_back(chunk);
      left -= chunk;
    }
    return taken;
  }
};

}  // namespace makespan::bag
