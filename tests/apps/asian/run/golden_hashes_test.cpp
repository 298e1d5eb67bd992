// SPDX-License-Identifier: Apache-2.0
// Goal: every compiler and every machine computes the same bits. Method: hashes over the bits of
// prices, Greeks and standard errors of fixed jobs, written down here. They change when the
// numbers change: with the generator, the order of a sum, a polynomial. Such a change needs a line
// in CHANGELOG.md; the failed test prints the new table.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

// FNV-1a over the bytes of doubles, least significant first; every NaN alike.
class Hash {
 public:
  void add(double x) { add_bits(std::isnan(x) ? 0 : std::bit_cast<std::uint64_t>(x)); }
  void add_bits(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((bits >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

// Moments and result of a contract under the settings: a whole block and a short one, or a block of
// each replicate.
std::uint64_t hash_of(PricingSettings const& settings, Contract const& contract) {
  Hash hash;
  OptionWorker worker{settings, Kernels::named(settings.isa)};
  worker.prepare(contract);
  if (auto const exact = worker.exact()) {
    for (double const x : exact->value) hash.add(x);
    return hash.value();
  }
  Sampling const sampling = sampling_of(settings);
  std::int64_t const samples = sampling.powers_of_two ? 256 : 1300;
  std::vector<MomentTree> trees(static_cast<std::size_t>(sampling.replicates));
  for (std::int64_t item = 0; item < blocks_between(sampling, 0, samples); ++item) {
    Block const block = block_at(sampling, 0, samples, item);
    trees[static_cast<std::size_t>(block.replicate)].add(block.index, worker.run(block));
  }
  std::vector<std::vector<double>> moments;
  for (MomentTree const& tree : trees) moments.push_back(tree.total());
  for (auto const& one : moments) {
    for (double const x : one) hash.add(x);
  }
  OptionResult const result = worker.result_from(worker.estimate_from(moments, samples), samples);
  for (double const x : result.value) hash.add(x);
  for (double const x : result.std_error) hash.add(x);
  for (double const x : {result.control_beta, result.variance_reduction, result.method_price})
    hash.add(x);
  return hash.value();
}

// A book in small: each payoff, length, growth and precision. No logarithm of the math library.
std::vector<Contract> contracts() {
  static std::vector<double> const uneven{0, 0.003, 0.25, 0.31, 0.9};
  std::vector<Contract> all{monthly_call(), put(with_start(monthly_call()))};
  Contract past = monthly_call();
  past.past_count = 2;
  past.past_sum = 195;
  past.past_log_sum = 9.125;
  all.push_back(past);
  all.push_back(on_strike(past, 0.95));
  all.push_back(put(on_strike(monthly_call(), 1.05)));
  all.push_back(geometric(past));
  all.push_back(on_strike(geometric(past), 1));
  for (double const volatility : {0.01, 0.5, 2.0, 5.5}) {
    Contract contract = monthly_call();
    contract.volatility = volatility;
    contract.fixings = 65;
    contract.first_fixing = 1.0 / 65;
    all.push_back(contract);
  }
  Contract fixed = monthly_call();
  fixed.times = uneven;
  fixed.fixings = 5;
  fixed.expiry = 1.5;
  all.push_back(fixed);
  all.push_back(on_strike(fixed, 1.02));
  return all;
}

struct Golden {
  Method method;
  bool greeks;
  PrecisionChoice precision;
  int philox_rounds;
  std::uint64_t hash;
};

constexpr Golden golden[] = {
    {Method::mc, false, PrecisionChoice::automatic, 10, 0x24cc331359edb581},
    {Method::mc, true, PrecisionChoice::automatic, 10, 0x6e655768b2a5e4fa},
    {Method::mc, true, PrecisionChoice::automatic, 7, 0xd54eef0e540fcf0f},
    {Method::mc, true, PrecisionChoice::fp64, 10, 0x15770276f973c375},
    {Method::mc_plain, false, PrecisionChoice::automatic, 10, 0xaee712fcc98c25bc},
    {Method::mc_plain, true, PrecisionChoice::automatic, 7, 0xc7252e2c22c3a571},
    {Method::mc_plain, true, PrecisionChoice::fp64, 10, 0xe7463de90d6380f2},
    {Method::rqmc, false, PrecisionChoice::automatic, 10, 0xd064aec70b2a035a},
    {Method::rqmc, true, PrecisionChoice::automatic, 10, 0x095b744fbadc7a20},
    {Method::rqmc, true, PrecisionChoice::fp64, 10, 0x71a3c7aa5d496f99},
};

// `contract` runs over contracts(); rows are chained into one hash.
std::uint64_t hash_of_all(Golden const& job, std::string_view isa) {
  PricingSettings settings;
  settings.method = job.method;
  settings.greeks = job.greeks;
  settings.precision = job.precision;
  settings.philox_rounds = job.philox_rounds;
  settings.replicates = 16;
  settings.isa = isa;
  Hash all;
  for (Contract const& contract : contracts()) all.add_bits(hash_of(settings, contract));
  return all.value();
}

void print_table() {
  std::printf("new hashes, in the order of the table:\n");
  for (Golden const& job : golden) {
    auto const hash = static_cast<unsigned long long>(hash_of_all(job, "auto"));
    std::printf("0x%016llx\n", hash);
  }
}

TEST(GoldenHashes, are_what_they_were_on_every_instruction_set_and_compiler) {
  for (Golden const& job : golden) {
    for (Kernels const* kernels : Kernels::available()) {
      // Without optimisation the others take minutes; kernels_test.cpp compares them.
      if (is_small_build && kernels != Kernels::available().front()) continue;
      EXPECT_EQ(hash_of_all(job, kernels->isa), job.hash) << kernels->isa;
    }
  }
  if (HasFailure()) print_table();
}

}  // namespace
}  // namespace makespan::asian
