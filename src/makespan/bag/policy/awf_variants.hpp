// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive weighted factoring, variants B to E: weighted factoring whose weights are measured in
// the loop itself (worker_weights.hpp), one record for each chunk.
//
//              | half of what is left when a batch | half of what is left
//              | of P claims begins                | at each claim
//   computing  | awf_b                             | awf_c
//   and claim  | awf_d                             | awf_e
//
// A chunk is w * R / (2 P) of work, with R what is left at that moment, which is also when weights
// are refreshed; in batches once more when a worker has finished its first chunk.

#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/factoring_batch.hpp"
#include "makespan/bag/policy/worker_weights.hpp"

namespace makespan::bag {

// What the four have in common. Source: R. L. Carino and I. Banicescu, Journal of Supercomputing
// 44(1), 2008, pages 41-63, https://doi.org/10.1007/s11227-007-0148-y. We deviate: work is
// predicted work, not items; and worker_weights.hpp says what counts for a worker that has finished
// nothing. As published its first chunk is like any other, which on a slow worker may outlast the
// loop; option learning_share makes it small. Tested by tests/bag/policy/awf_variants_test.cpp.
class AwfVariantPolicy : public ChunkPolicy {
 public:
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) final;
  void chunk_finished(ChunkReport const& report) final;

 protected:
  // When what is left is halved, and weights are refreshed.
  enum class Halves { at_each_batch, at_each_claim };
  // What of a chunk counts as its time.
  enum class Counts { computing, claim_too };

  AwfVariantPolicy(Halves halves, Counts counts, CheckedOptions const& options);

 private:
  Halves halves_;
  Counts counts_;
  double learning_share_;  // 0: an unknown worker gets a chunk like any other
  FactoringBatch batch_;
  WorkerWeights weights_;
};

// Batches; time of computing alone.
class AwfBPolicy final : public AwfVariantPolicy {
 public:
  static constexpr std::string_view name = "awf_b";
  static constexpr std::string_view summary =
      "factoring by two, weights measured anew for each batch";

  explicit AwfBPolicy(PolicyOptions const& given);
};

static_assert(RegisteredPolicy<AwfBPolicy>);

// Every chunk; time of computing alone.
class AwfCPolicy final : public AwfVariantPolicy {
 public:
  static constexpr std::string_view name = "awf_c";
  static constexpr std::string_view summary =
      "half a weighted share of what is left, weights measured at each claim";

  explicit AwfCPolicy(PolicyOptions const& given);
};

static_assert(RegisteredPolicy<AwfCPolicy>);

// Batches; time with the claim.
class AwfDPolicy final : public AwfVariantPolicy {
 public:
  static constexpr std::string_view name = "awf_d";
  static constexpr std::string_view summary = "as awf_b, with the time of claims counted";

  explicit AwfDPolicy(PolicyOptions const& given);
};

static_assert(RegisteredPolicy<AwfDPolicy>);

// Every chunk; time with the claim.
class AwfEPolicy final : public AwfVariantPolicy {
 public:
  static constexpr std::string_view name = "awf_e";
  static constexpr std::string_view summary = "as awf_c, with the time of claims counted";

  explicit AwfEPolicy(PolicyOptions const& given);
};

static_assert(RegisteredPolicy<AwfEPolicy>);

}  // namespace makespan::bag
