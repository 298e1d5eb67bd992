// SPDX-License-Identifier: Apache-2.0
#pragma once

// Equal time: every worker gets the chunk that takes the same time on it, so that all come back
// equally often.
//
// With R the predicted work that is not claimed yet, a chunk takes
//
//     tau = clamp(f * R / (sum of speeds), tau_min, tau_max)   seconds of the worker's own time,
//
// that is work tau * speed. This keeps the four rules of a balanced bag: the time between two
// claims is the same for every worker; a fast device gets enough to run at full speed; chunks
// shrink as the end comes near; claims are few, because each takes a share f of what is left. A
// worker whose speed is unknown takes one item: the learning phase.

#include <span>
#include <string_view>

#include "makespan/bag/policy/memoryless_policy.hpp"

namespace makespan::bag {

// Source: the four rules are those of V. Cardellini, A. Fanfarillo and S. Filippone, "Heterogeneous
// CAF-based Load Balancing on Intel Xeon Phi", 2016. Without the clamps and with f = 1/2 the
// formula is adaptive weighted factoring, variant C: R. L. Carino and I. Banicescu, Journal of
// Supercomputing 44(1), 2008, pages 41-63, https://doi.org/10.1007/s11227-007-0148-y. We deviate: f
// is smaller, so that a worker which slows down in the middle of a chunk holds less, and chunks are
// counted in predicted work. Tested by tests/bag/policy/equal_time_test.cpp and, in virtual time,
// tests/bag/protocol/virtual_time_test.cpp.
class EqualTimePolicy final : public MemorylessPolicy {
 public:
  static constexpr std::string_view name = "equal_time";
  static constexpr std::string_view summary =
      "chunks that take every worker the same time, smaller near the end (default)";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit EqualTimePolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize chunk_for(ChunkRequest const& request) const override;

 private:
  explicit EqualTimePolicy(CheckedOptions const& options);
  [[nodiscard]] double fraction_for(LoopFacts const& loop) const;

  double fraction_;  // 0: chosen for each loop
  Seconds chunk_min_;
  Seconds chunk_max_;
};

static_assert(RegisteredPolicy<EqualTimePolicy>);

}  // namespace makespan::bag
