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
#include <utility>
#include <vector>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "apps/asian/surface_contracts.hpp"
#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/recursion/reduced_option.hpp"
#include "makespan/apps/asian/run/detail/row_kind.hpp"
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

// By the recursion.
std::uint64_t hash_of_solved(PricingSettings const& settings, OptionWorker const& worker,
                             Contract const& contract) {
  recursion::SumLaw law;
  recursion::fill_law(contract, law);
  recursion::Solver solver{Kernels::named(settings.isa)};
  solver.solve(law, {.derivatives = recursion::derivatives_of(contract, settings.greeks),
                     .tolerance = recursion_tolerance(contract)});
  OptionResult const result = worker.solved(solver);
  Hash hash;
  for (double const x : result.value) hash.add(x);
  for (double const x : result.error_bound) hash.add(x);
  return hash.value();
}

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
  if (settings.method == Method::exact) return hash_of_solved(settings, worker, contract);
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
  OptionResult const result =
      worker.estimator().result_from(worker.estimator().estimate_from(moments, samples), samples);
  for (double const x : result.value) hash.add(x);
  for (double const x : result.std_error) hash.add(x);
  for (double const x : {result.control_beta, result.variance_reduction, result.method_price})
    hash.add(x);
  return hash.value();
}

Contract with_past(Contract contract) {
  contract.past_count = 2;
  contract.past_sum = 195;
  contract.past_log_sum = 9.125;
  return contract;
}

// A book in small: each payoff, length, growth and precision. No logarithm of the math library,
// nor anything else of it that is not rounded correctly.
std::vector<Contract> lognormal_contracts() {
  static std::vector<double> const uneven{0, 0.003, 0.25, 0.31, 0.9};
  std::vector<Contract> all{monthly_call(), put(with_start(monthly_call()))};
  Contract const past = with_past(monthly_call());
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

// Each payoff of a model's rows.
std::vector<Contract> payoffs() {
  Contract late = monthly_call();
  late.last_fixing = 0.75;
  return {monthly_call(), put(with_past(with_start(monthly_call()))), late, on_strike(late, 1.02),
          put(on_strike(with_past(monthly_call()), 0.95))};
}

// Arithmetic averages are simulated, geometric ones are integrals.
std::vector<Contract> heston_contracts(Average average) {
  std::vector<Contract> all;
  for (Heston const& model : heston_models) {
    for (Contract contract : payoffs()) {
      contract.average = average;
      all.push_back(with_heston(contract, model));
    }
  }
  return all;
}

// Keeps what its contracts point to.
class Rows {
 public:
  explicit Rows(BookColumns columns) : columns_{std::move(columns)}, reader_{columns_.book()} {}
  [[nodiscard]] std::vector<Contract> all() const {
    std::vector<Contract> rows;
    for (std::int64_t row = 0; row < reader_.rows(); ++row) rows.push_back(reader_.at(row));
    return rows;
  }

 private:
  BookColumns columns_;
  ContractReader reader_;
};

std::vector<Contract> basket_contracts() {
  static Rows const rows{[] {
    BookColumns columns;
    for (BasketOf const& basket : {single(), five(), opposed(), spread()}) {
      std::int32_t const number = add_basket(columns, basket);
      for (Contract const& contract : payoffs()) add_basket_row(columns, contract, number);
    }
    return columns;
  }()};
  return rows.all();
}

// A skew that flattens with time, and a smile.
SurfaceOf bent() {
  SurfaceOf surface{{0, 0.25, 1}, {}, {}};
  for (int i = -6; i <= 6; ++i) surface.log_moneyness.push_back(0.125 * i);
  for (double const time : surface.time) {
    for (double const x : surface.log_moneyness) {
      surface.volatility.push_back(0.25 + 0.03125 * time - (0.125 - 0.0625 * time) * x +
                                   0.0625 * x * x);
    }
  }
  return surface;
}

std::vector<Contract> local_contracts() {
  static Rows const rows{[] {
    BookColumns columns;
    std::int32_t const number = add_surface(columns, bent());
    for (Contract const& contract : payoffs()) add_surface_row(columns, contract, number, 16);
    return columns;
  }()};
  return rows.all();
}

enum class Book { lognormal, heston_paths, heston_integral, baskets, local };

std::vector<Contract> contracts(Book book) {
  switch (book) {
    case Book::lognormal:
      break;
    case Book::heston_paths:
      return heston_contracts(Average::arithmetic);
    case Book::heston_integral:
      return heston_contracts(Average::geometric);
    case Book::baskets:
      return basket_contracts();
    case Book::local:
      return local_contracts();
  }
  return lognormal_contracts();
}

struct Golden {
  Book book;
  Method method;
  bool greeks;
  PrecisionChoice precision;
  int philox_rounds;
  std::uint64_t hash;
};

constexpr Golden golden[] = {
    {Book::lognormal, Method::mc, false, PrecisionChoice::automatic, 10, 0x24cc331359edb581},
    {Book::lognormal, Method::mc, true, PrecisionChoice::automatic, 10, 0x6e655768b2a5e4fa},
    {Book::lognormal, Method::mc, true, PrecisionChoice::automatic, 7, 0xd54eef0e540fcf0f},
    {Book::lognormal, Method::mc, true, PrecisionChoice::fp64, 10, 0x15770276f973c375},
    {Book::lognormal, Method::mc_plain, false, PrecisionChoice::automatic, 10, 0xaee712fcc98c25bc},
    {Book::lognormal, Method::mc_plain, true, PrecisionChoice::automatic, 7, 0xc7252e2c22c3a571},
    {Book::lognormal, Method::mc_plain, true, PrecisionChoice::fp64, 10, 0xe7463de90d6380f2},
    {Book::lognormal, Method::rqmc, false, PrecisionChoice::automatic, 10, 0x9470e87be8fb4840},
    {Book::lognormal, Method::rqmc, true, PrecisionChoice::automatic, 10, 0xa98e76f23b6e5636},
    {Book::lognormal, Method::rqmc, true, PrecisionChoice::fp64, 10, 0x4594d49a1895397b},
    {Book::lognormal, Method::rqmc_smooth, true, PrecisionChoice::automatic, 10,
     0x4602525371e54bff},
    {Book::lognormal, Method::exact, false, PrecisionChoice::automatic, 10, 0x13f4862114a0e56d},
    {Book::lognormal, Method::exact, true, PrecisionChoice::automatic, 10, 0xac4bbaae400ce8d7},
    {Book::heston_paths, Method::mc, false, PrecisionChoice::automatic, 10, 0x3468cda0bff975cf},
    {Book::heston_paths, Method::mc, true, PrecisionChoice::automatic, 10, 0x1eab3c88ea6d894b},
    {Book::heston_paths, Method::mc_plain, true, PrecisionChoice::automatic, 10,
     0x9f392fec8dd5f099},
    {Book::heston_integral, Method::exact, true, PrecisionChoice::automatic, 10,
     0x714beeabe7e9b5e9},
    {Book::baskets, Method::mc, false, PrecisionChoice::automatic, 10, 0x5a6a06b6dbb98e5d},
    {Book::baskets, Method::mc, true, PrecisionChoice::automatic, 10, 0x991808eadb84c6ab},
    {Book::baskets, Method::rqmc_smooth, true, PrecisionChoice::automatic, 10, 0x1d0332b35941139b},
    {Book::local, Method::mc, false, PrecisionChoice::automatic, 10, 0x37ee92eb0b99c4f6},
    {Book::local, Method::mc, true, PrecisionChoice::automatic, 10, 0x0d9864da8059306e},
    {Book::local, Method::rqmc, true, PrecisionChoice::automatic, 10, 0xd0c609ee0213e83d},
};

// Of all of the book's contracts; rows are chained into one hash.
std::uint64_t hash_of_all(Golden const& job, std::string_view isa) {
  PricingSettings settings;
  settings.method = job.method;
  settings.greeks = job.greeks;
  settings.precision = job.precision;
  settings.philox_rounds = job.philox_rounds;
  settings.replicates = 16;
  settings.isa = isa;
  Hash all;
  for (Contract const& contract : contracts(job.book)) all.add_bits(hash_of(settings, contract));
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
