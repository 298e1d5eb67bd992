// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets a policy cut a loop of equal items, worker after worker in turn, and checks what every
// policy owes. A worker finishes its chunk, at its speed, just before it claims again.

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
            .worker = {index, measured_at(Speed{speed}), Speed{speed}, Speed{total}, claim_cost}};
  }

  // The chunks in items, in the order of the claims. Work is rounded to the nearest item, at least
  // one.
  [[nodiscard]] std::vector<std::int64_t> chunks(ChunkPolicy& policy) const {
    std::vector<std::int64_t> taken;
    std::int64_t left = items;
    while (left > 0) {
      auto const step = static_cast<std::int64_t>(taken.size());
      finish_chunk_before(policy, step, taken);
      ChunkSize const size = policy.next_chunk(request(step, left));
      std::int64_t const chunk =
          size.items() != nullptr ? *size.items()
                                  : std::max<std::int64_t>(1, std::llround(size.work()->value()));
      EXPECT_GE(chunk, 1);
      EXPECT_LE(chunk, left);
      if (chunk < 1 || chunk > left) break;
      taken.push_back(chunk);
      left -= chunk;
    }
    auto const claims = static_cast<std::int64_t>(taken.size());
    for (std::size_t worker = 0; worker < speeds.size(); ++worker)
      finish_chunk_before(policy, claims + static_cast<std::int64_t>(worker), taken);
    return taken;
  }

 private:
  // Of the worker whose turn claim `step` is, if it has one. Without a speed its time is unknown.
  void finish_chunk_before(ChunkPolicy& policy, std::int64_t step,
                           std::vector<std::int64_t> const& taken) const {
    auto const workers = static_cast<std::int64_t>(speeds.size());
    std::int64_t const last = step - workers;
    if (last < 0 || last >= static_cast<std::int64_t>(taken.size())) return;
    std::int64_t const chunk = taken[static_cast<std::size_t>(last)];
    double const speed = speeds[static_cast<std::size_t>(last % workers)];
    Work const work{static_cast<double>(chunk)};
    Seconds const computing = speed > 0.0 ? work / Speed{speed} : Seconds{};
    policy.chunk_finished({.worker = static_cast<int>(last % workers),
                           .step = last,
                           .items = chunk,
                           .work = work,
                           .computing = computing,
                           .with_claim = computing + claim_cost});
  }
};

// Each size so many times, as the tables of the literature print batches.
struct Run {
  std::int64_t chunk{};
  int times{1};
};

inline std::vector<std::int64_t> unrolled(std::vector<Run> const& runs) {
  std::vector<std::int64_t> chunks;
  for (auto const& [chunk, times] : runs)
    chunks.insert(chunks.end(), static_cast<std::size_t>(times), chunk);
  return chunks;
}

}  // namespace makespan::bag
