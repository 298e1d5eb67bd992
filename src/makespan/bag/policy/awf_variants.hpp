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
#include "makespan/bag/policy/detail/factoring_batch.hpp"
#include "makespan/bag/policy/detail/worker_weights.hpp"

namespace makespan::bag {

// When what is left is halved, and weights are refreshed.
enum class AwfHalves { at_each_batch, at_each_claim };

// What of a chunk counts as its time.
enum class AwfCounts { computing, claim_too };

// What the four have in common. Source: R. L. Carino and I. Banicescu, Journal of Supercomputing
// 44(1), 2008, pages 41-63, https://doi.org/10.1007/s11227-007-0148-y. We deviate: work is
// predicted work, not items; and worker_weights.hpp says what counts for a worker that has finished
// nothing. As published its first chunk is like any other, which on a slow worker may outlast the
// loop; option learning_share makes it small. Tested by tests/bag/policy/awf_variants_test.cpp.
class AwfVariant : public ChunkPolicy {
 public:
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) final;
  void chunk_finished(ChunkReport const& report) final;

 protected:
  AwfVariant(AwfHalves halves, AwfCounts counts, CheckedOptions const& options);

 private:
  AwfHalves halves_;
  AwfCounts counts_;
  double learning_share_;  // 0: an unknown worker gets a chunk like any other
  FactoringBatch batch_;
  WorkerWeights weights_;
};

// What a variant is called.
struct AwfWords {
  std::string_view name;
  std::string_view summary;
};

constexpr AwfWords awf_words(AwfHalves halves, AwfCounts counts) {
  if (halves == AwfHalves::at_each_batch) {
    return counts == AwfCounts::computing
               ? AwfWords{"awf_b", "factoring by two, weights measured anew for each batch"}
               : AwfWords{"awf_d", "as awf_b, with the time of claims counted"};
  }
  return counts == AwfCounts::computing
             ? AwfWords{"awf_c",
                        "half a weighted share of what is left, weights measured at each claim"}
             : AwfWords{"awf_e", "as awf_c, with the time of claims counted"};
}

template <AwfHalves halves, AwfCounts counts>
class AwfVariantPolicy final : public AwfVariant {
 public:
  static constexpr std::string_view name = awf_words(halves, counts).name;
  static constexpr std::string_view summary = awf_words(halves, counts).summary;

  explicit AwfVariantPolicy(OptionValues const& given)
      : AwfVariant(halves, counts, CheckedOptions(name, option_help(), given)) {}
};

using AwfBPolicy = AwfVariantPolicy<AwfHalves::at_each_batch, AwfCounts::computing>;
using AwfCPolicy = AwfVariantPolicy<AwfHalves::at_each_claim, AwfCounts::computing>;
using AwfDPolicy = AwfVariantPolicy<AwfHalves::at_each_batch, AwfCounts::claim_too>;
using AwfEPolicy = AwfVariantPolicy<AwfHalves::at_each_claim, AwfCounts::claim_too>;

static_assert(RegisteredPolicy<AwfBPolicy> && RegisteredPolicy<AwfCPolicy> &&
              RegisteredPolicy<AwfDPolicy> && RegisteredPolicy<AwfEPolicy>);

}  // namespace makespan::bag
