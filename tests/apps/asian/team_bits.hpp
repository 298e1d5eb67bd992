// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bits of a book that all images price together, and those of one thread.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_team.hpp"

namespace makespan::asian {

// Prices the book on all images; on image 0 gives the bits, and calls `look`.
inline std::vector<std::uint64_t> bits_on_all(
    BookColumns const& columns, PricingSettings const& settings,
    std::function<void(RunSummary const&)> const& look = {}) {
  PricingTeam team(settings);
  std::vector<std::uint64_t> bits;
  if (team.image() == 0) {
    PricingRun run(columns.book(), settings, &team);
    RunSummary const summary = run.summary();
    EXPECT_TRUE(summary.complete);
    EXPECT_EQ(summary.images, team.images());
    bits = bits_of(run.results());
    if (look) look(summary);
  } else {
    team.serve();
  }
  team.finish_all();
  return bits;
}

// What is computed stays as in `settings`; who computes it does not.
inline std::vector<std::uint64_t> bits_alone(BookColumns const& columns, PricingSettings settings) {
  settings.devices.clear();
  settings.threads = 1;
  settings.injections.clear();
  PricingRun run(columns.book(), settings);
  EXPECT_TRUE(run.summary().complete);
  return bits_of(run.results());
}

}  // namespace makespan::asian
