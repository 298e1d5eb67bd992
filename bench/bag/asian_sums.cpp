// SPDX-License-Identifier: Apache-2.0
// The path kernel as C calls, for programs of other languages that share a book by themselves
// (bench/peers/coarray_book.f90): sums over blocks of paths, and the price that they make.
//
// For one thread. An exception ends the process.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/option_key.hpp"
#include "makespan/apps/asian/estimate/exact_price.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bench {

// An option on the arithmetic average of equally spaced fixings, the last at expiry and none now.
// Laid out as the type of the same name in Fortran.
struct BookOption {
  double side;  // +1 call, -1 put
  double spot;
  double strike;
  double rate;
  double volatility;
  double expiry;
  std::int64_t fixings;
  std::int64_t paths;
};

// Options with the settings that `makespan price` has by itself, on the best instruction set.
class AsianSums {
 public:
  explicit AsianSums(std::uint64_t seed) : seed_{seed} {}

  // Before the first run().
  void add(std::string_view id, BookOption const& option) {
    asian::Contract const contract{
        .key = asian::option_key(id),
        .seed = seed_,
        .side = option.side,
        .average = asian::Average::arithmetic,
        .payoff = asian::Payoff::average_price,
        .spot = option.spot,
        .strike = option.strike,
        .multiplier = 1,
        .rate = option.rate,
        .drift = option.rate,
        .drift_given = false,
        .volatility = option.volatility,
        .expiry = option.expiry,
        .payment_lag = 0,
        .rate_curve = nullptr,
        .yield_curve = nullptr,
        .forward_curve = nullptr,
        .volatility_curve = nullptr,
        .dividends = nullptr,
        .cash_dividends = {},
        .heston = {},
        .basket = nullptr,
        .fixings = option.fixings,
        .first_fixing = option.expiry / static_cast<double>(option.fixings),
        .last_fixing = option.expiry,
        .times = {},
        .past_count = 0,
        .past_sum = 0,
        .past_log_sum = 0,
        .notional = 1,
        .paths = option.paths,
        .std_error = 0,
        .max_paths = option.paths,
    };
    MAKESPAN_EXPECT(!asian::has_exact_price(contract, settings_.method));
    contracts_.push_back(contract);
  }

  [[nodiscard]] std::int64_t blocks(std::int64_t option) const {
    return asian::blocks_between(sampling_, 0, samples(option));
  }

  void run(std::int64_t option, std::int64_t block_begin, std::int64_t block_end,
           std::span<double> sums) {
    asian::OptionWorker& worker = worker_of(option);
    for (std::int64_t item = block_begin; item < block_end; ++item) {
      auto const moments = worker.run(asian::block_at(sampling_, 0, samples(option), item));
      MAKESPAN_EXPECT(moments.size() == sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += moments[i];
    }
  }

  double price(std::int64_t option, std::span<double const> sums) {
    asian::OptionWorker& worker = worker_of(option);
    std::vector<double> const moments(sums.begin(), sums.end());
    asian::Estimate const estimate =
        worker.estimator().estimate_from({&moments, 1}, samples(option));
    return worker.estimator().result_from(estimate, samples(option)).value[asian::price];
  }

 private:
  [[nodiscard]] asian::Contract const& contract(std::int64_t option) const {
    return contracts_[static_cast<std::size_t>(option)];
  }

  [[nodiscard]] std::int64_t samples(std::int64_t option) const {
    return asian::first_round(contract(option), sampling_);
  }

  asian::OptionWorker& worker_of(std::int64_t option) {
    if (prepared_ != option) worker_.prepare(contract(option));
    prepared_ = option;
    return worker_;
  }

  std::uint64_t seed_;
  asian::PricingSettings settings_;
  asian::Sampling sampling_ = asian::sampling_of(settings_);
  asian::OptionWorker worker_{settings_, asian::Kernels::named(settings_.isa)};
  std::vector<asian::Contract> contracts_;
  std::int64_t prepared_ = -1;
};

constexpr std::size_t sums_per_option =
    asian::moment_count(asian::Estimator::controlled, /*greeks=*/false);

}  // namespace makespan::bench

using makespan::bench::AsianSums;
using makespan::bench::BookOption;
using makespan::bench::sums_per_option;

// Options and blocks count from 0; `sums` has asian_sums_per_option() values.
extern "C" {

// Lives until the process ends.
AsianSums* asian_sums_open(std::int64_t seed) noexcept {
  return std::make_unique<AsianSums>(static_cast<std::uint64_t>(seed)).release();
}

int asian_sums_per_option() noexcept {
  return static_cast<int>(sums_per_option);
}

void asian_sums_add(AsianSums* book, char const* id, int id_length,
                    BookOption const* option) noexcept {
  book->add({id, static_cast<std::size_t>(id_length)}, *option);
}

std::int64_t asian_sums_blocks(AsianSums const* book, std::int64_t option) noexcept {
  return book->blocks(option);
}

// Adds the sums over blocks block_begin .. block_end - 1.
void asian_sums_run(AsianSums* book, std::int64_t option, std::int64_t block_begin,
                    std::int64_t block_end, double* sums) noexcept {
  book->run(option, block_begin, block_end, {sums, sums_per_option});
}

// From the sums over all blocks.
double asian_sums_price(AsianSums* book, std::int64_t option, double const* sums) noexcept {
  return book->price(option, {sums, sums_per_option});
}

}  // extern "C"
