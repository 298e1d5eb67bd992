// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive weighted factoring for programs that run one loop again and again, as simulations do at
// each time step: weighted factoring whose weights are learned from the loops before
// (worker_weights.hpp), one record for each loop and worker.

#include <span>
#include <string_view>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/factoring_batch.hpp"
#include "makespan/bag/policy/detail/worker_weights.hpp"

namespace makespan::bag {

// The only policy that keeps something from loop to loop; with another number of workers it begins
// anew. The first loop has even weights. Source: I. Banicescu, V. Velusamy and J. Devaprasad, "On
// the scalability of dynamic scheduling scientific applications with adaptive weighted factoring",
// Cluster Computing 6(3), 2003, pages 215-226, https://doi.org/10.1023/A:1023588520138. We deviate:
// work is predicted work, not items. Tested by tests/bag/policy/awf_test.cpp.
class AwfPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "awf";
  static constexpr std::string_view summary =
      "factoring by two, weighted by what workers did in earlier loops";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit AwfPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override;

 private:
  struct Done {
    Work work;
    Seconds taken;
  };

  void begin_loop(int workers);

  FactoringBatch batch_;
  WorkerWeights weights_;
  std::vector<Done> done_;  // by worker, in the present loop
};

static_assert(RegisteredPolicy<AwfPolicy>);

}  // namespace makespan::bag
