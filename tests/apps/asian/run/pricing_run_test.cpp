// SPDX-License-Identifier: Apache-2.0
// Goal: a book's results do not depend on who computed them, a run can be watched and stopped, and
// ends as it says. Method: a mixed book under many settings, compared by bits; runs too long to
// finish; runs of nothing.
#include "makespan/apps/asian/run/pricing_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/run/detail/worker_kind.hpp"
#include "makespan/apps/asian/run/result_book.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

std::vector<std::uint64_t> bits_under(BookColumns const& columns, PricingSettings const& settings) {
  PricingRun run{columns.book(), settings};
  EXPECT_TRUE(run.summary().complete);
  return bits_of(run.results());
}

}  // namespace

// How a failed test names its parameter.
static void PrintTo(MethodEntry const& entry, std::ostream* out) {
  *out << entry.name;
}

namespace {

class EveryMethod : public testing::TestWithParam<MethodEntry> {
 protected:
  static Method method() { return GetParam().method; }
};

INSTANTIATE_TEST_SUITE_P(PricingRun, EveryMethod,
                         testing::ValuesIn(methods().begin(), methods().end()),
                         [](auto const& test) { return std::string(test.param.name); });

TEST_P(EveryMethod, gives_the_same_bits_for_all_threads_and_cuts) {
  BookColumns const columns = mixed_book();
  // With Greeks, which take as long again, by one policy with each mode.
  std::array const expected{bits_under(columns, settings_of(method(), false, 1)),
                            bits_under(columns, settings_of(method(), true, 1))};
  // Each mode with each policy, by one number of threads in turn; a policy's is another one with
  // each mode. Exact prices take a second a run, seven with Greeks: a policy has one mode there.
  constexpr std::array<int, 3> counts{3, 2, 5};
  std::size_t first = 0;
  for (bag::ModeEntry const& mode : bag::modes()) {
    std::size_t turn = first++;
    for (bag::PolicyEntry const& policy : bag::policies()) {
      bool const has_greeks = policy.name == bag::policies().front().name;
      bool const has_time = method() != Method::exact || turn % bag::modes().size() == 0;
      int const threads = counts[turn++ % counts.size()];
      if (!has_time || (is_small_build && threads != 3)) continue;
      PricingSettings settings = settings_of(method(), has_greeks, threads);
      settings.mode = mode.mode;
      settings.policy = policy.name;
      EXPECT_EQ(bits_under(columns, settings), expected[has_greeks ? 1 : 0])
          << threads << " threads, " << mode.name << ", " << policy.name;
    }
  }
}

TEST_P(EveryMethod, gives_the_same_bits_on_every_instruction_set) {
  BookColumns const columns = mixed_book();
  // Exact Greeks take seven seconds: golden_hashes_test.cpp has the solver's.
  PricingSettings settings = settings_of(method(), method() != Method::exact);
  auto const expected = bits_under(columns, settings);
  for (Kernels const* kernels : Kernels::available()) {
    settings.isa = kernels->isa;
    EXPECT_EQ(bits_under(columns, settings), expected) << kernels->isa;
  }
}

// Whether they are right, too low or too high.
TEST_P(EveryMethod, gives_the_same_bits_whatever_speeds_are_remembered) {
  BookColumns const columns = mixed_book();
  for (bag::ModeEntry const& mode : bag::modes()) {
    PricingSettings settings = settings_of(method(), false, 2);
    settings.mode = mode.mode;
    PricingRun first{columns.book(), settings};
    EXPECT_FALSE(first.summary().devices.front().remembered);
    auto const expected = bits_of(first.results());
    auto const kinds =
        worker_kinds(devices_of(settings), bag::TeamLayout(team_options(settings).devices));
    for (double const speed : {1.0, 1e9, 1e11, 1e18}) {
      for (std::string const& kind : kinds) settings.speeds[kind] = Speed{speed};
      PricingRun run{columns.book(), settings};
      EXPECT_TRUE(run.summary().devices.front().remembered);
      EXPECT_EQ(bits_of(run.results()), expected) << mode.name << ", " << speed;
    }
  }
}

TEST_P(EveryMethod, gives_the_same_prices_with_and_without_Greeks) {
  BookColumns const columns = mixed_book();
  PricingRun alone{columns.book(), settings_of(method(), false)};
  PricingRun with_greeks{columns.book(), settings_of(method(), true)};
  static_cast<void>(alone.summary());
  static_cast<void>(with_greeks.summary());
  for (std::size_t row = 0; row < alone.results().status.size(); ++row) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(alone.results().value[price][row]),
              std::bit_cast<std::uint64_t>(with_greeks.results().value[price][row]))
        << row;
  }
  EXPECT_EQ(alone.results().std_error[price], with_greeks.results().std_error[price]);
  EXPECT_EQ(alone.results().paths_used, with_greeks.results().paths_used);
}

TEST_P(EveryMethod, gives_a_row_the_same_bits_in_another_book) {
  BookColumns const columns = mixed_book();
  PricingRun whole{columns.book(), settings_of(method(), true)};
  static_cast<void>(whole.summary());
  for (std::int64_t row = columns.book().rows() - 1; row >= 0; --row) {
    BookColumns const one = columns.only(row);
    PricingRun run{one.book(), settings_of(method(), true, 1)};
    static_cast<void>(run.summary());
    for (std::size_t k = 0; k < output_count; ++k) {
      auto const at = static_cast<std::size_t>(row);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(run.results().value[k][0]),
                std::bit_cast<std::uint64_t>(whole.results().value[k][at]))
          << "row " << row << ", output " << k;
    }
  }
}

// Strikes that are averaged a last place before expiry, or of which the last price alone counts.
TEST_P(EveryMethod, prices_an_average_that_is_next_to_the_price_at_expiry) {
  static std::vector<double> const late{1 - 0x1p-53, 1};
  BookColumns columns;
  for (Contract const& kind : {monthly_call(), geometric(monthly_call())}) {
    Contract row = on_strike(kind, 1);
    row.key = columns.spot.size();
    row.times = late;
    row.fixings = 2;
    columns.add(row);
    row.times = {};
    row.first_fixing = 0.5;
    row.rate = 100;
    row.drift = 100;
    columns.add(row);
  }
  PricingRun run{columns.book(), settings_of(method(), true)};
  ASSERT_TRUE(run.summary().complete);

  ResultBook const& results = run.results();
  std::array const expected{0.0, 50.0, 0.0, 100.0};
  for (std::size_t row = 0; row < expected.size(); ++row) {
    if (method() == Method::exact && row == 1) continue;  // too far for the recursion's nodes
    double const error = results.status[row] == RowStatus::ok ? results.std_error[price][row] : 0;
    // Paths in single precision are off by 1e-7 of the spot.
    double const most = 2e-5 + 4.5 * (std::isnan(error) ? 0 : error);
    EXPECT_NEAR(results.value[price][row], expected[row], most) << row;
  }
}

TEST(PricingRun, says_of_each_row_how_it_ended) {
  BookColumns const columns = mixed_book();
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  RunSummary const summary = run.summary();
  ResultBook const& results = run.results();

  EXPECT_EQ(results.status[0], RowStatus::ok);
  EXPECT_EQ(results.paths_used[0], 3000);  // 2999, rounded up to pairs
  EXPECT_EQ(results.status[3], RowStatus::deterministic);
  EXPECT_EQ(results.paths_used[3], 0);
  EXPECT_EQ(results.ci_low[3], results.value[price][3] - results.error_bound[price][3]);
  EXPECT_GT(results.error_bound[price][3], 0);
  EXPECT_TRUE(std::isnan(results.error_bound[price][0]));
  EXPECT_EQ(results.method[0], Method::mc);
  EXPECT_EQ(results.method[3], Method::exact);
  EXPECT_EQ(results.status[5], RowStatus::ok);
  EXPECT_LE(results.std_error[price][5], 0.002);
  EXPECT_EQ(results.status[7], RowStatus::max_paths_reached);
  EXPECT_GT(results.std_error[price][7], 1e-9);
  EXPECT_LE(results.paths_used[7], columns.max_paths[7]);
  EXPECT_EQ(results.status[8], RowStatus::deterministic);
  EXPECT_EQ(summary.rows_fp64, 4);  // the wide one, the fine one, and two of volatilities by time
  EXPECT_EQ(summary.threads, 2);
  EXPECT_EQ(summary.busy.size(), 2U);
  EXPECT_GT(summary.rounds, 1);
  EXPECT_EQ(summary.isa, Kernels::available().front()->isa);
  for (std::int64_t const replicates : results.replicates) EXPECT_EQ(replicates, 0);
}

TEST(PricingRun, counts_rows_whose_paths_were_in_double_precision) {
  BookColumns columns;
  columns.add(monthly_call());
  columns.add(geometric(monthly_call()));  // no paths
  for (MethodEntry const& entry : methods()) {
    PricingRun run{columns.book(), settings_of(entry.method, false)};
    // rqmc_smooth takes the first row as a basket of one.
    EXPECT_EQ(run.summary().rows_fp64, entry.method == Method::rqmc_smooth ? 1 : 0) << entry.name;
  }
}

// Without a race, which the thread sanitizer sees.
TEST(PricingRun, sums_up_for_several_threads_at_once) {
  BookColumns columns;
  columns.add(monthly_call());
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&run] {
      for (int times = 0; times < 100; ++times) EXPECT_TRUE(run.summary().complete);
    });
  }
}

TEST(PricingRun, puts_the_interval_around_the_price) {
  BookColumns columns;
  columns.add(monthly_call());
  PricingSettings settings = settings_of(Method::mc, false);
  settings.confidence = 0.99;
  PricingRun run{columns.book(), settings};
  static_cast<void>(run.summary());
  ResultBook const& results = run.results();
  double const half = 2.5758293035489004 * results.std_error[price][0];
  EXPECT_NEAR(results.ci_low[0], results.value[price][0] - half, 1e-13);
  EXPECT_NEAR(results.ci_high[0], results.value[price][0] + half, 1e-13);

  settings.method = Method::rqmc;  // 16 replicates: Student's distribution with 15
  PricingRun replicated{columns.book(), settings};
  static_cast<void>(replicated.summary());
  double const wide = 2.946712883475238 * replicated.results().std_error[price][0];
  EXPECT_NEAR(replicated.results().ci_high[0] - replicated.results().value[price][0], wide,
              1e-9 * wide);
  EXPECT_EQ(replicated.results().replicates[0], 16);
}

TEST(PricingRun, counts_its_work_as_it_goes) {
  BookColumns const columns = mixed_book();
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  RunProgress before = run.wait_for(0s);
  for (RunProgress now = before; !now.done; before = now) {
    now = run.wait_for(1ms);
    EXPECT_GE(now.work_done, before.work_done);
    EXPECT_GE(now.rows_finished, before.rows_finished);
    EXPECT_GE(now.work_total, now.work_done);
  }
  RunProgress const end = run.wait_for(0s);

  EXPECT_EQ(end.rows_finished, columns.book().rows());
  EXPECT_NEAR(end.work_done / end.work_total, 1, 1e-9);
  ResultBook const& results = run.results();
  std::int64_t steps = 0;
  for (std::int64_t row = 0; row < columns.book().rows(); ++row) {
    steps += results.paths_used[static_cast<std::size_t>(row)] *
             step_count(contract_at(columns.book(), row));
  }
  EXPECT_EQ(end.path_steps, steps);
  EXPECT_EQ(run.summary().path_steps, steps);
}

TEST(PricingRun, says_how_fast_its_workers_were) {
  BookColumns columns;
  Contract contract = monthly_call();
  contract.paths = 4'000'000;
  columns.add(contract);
  PricingSettings const settings = settings_of(Method::mc, false, 1);
  PricingRun run{columns.book(), settings};

  SpeedByKind const speeds = run.speeds();

  ASSERT_EQ(speeds.size(), 1U);
  DeviceSummary const device = run.summary().devices.front();
  EXPECT_NEAR(speeds.begin()->second / (device.work / device.busy), 1.0, 0.5);
}

TEST(PricingRun, hands_out_each_finished_row_once) {
  BookColumns const columns = mixed_book();
  PricingRun run{columns.book(), settings_of(Method::rqmc, false)};
  std::vector<std::int64_t> rows;
  for (bool done = false; !done;) {
    done = run.wait_for(1ms).done;
    for (std::int64_t const row : run.take_finished()) {
      EXPECT_NE(run.results().status[static_cast<std::size_t>(row)], RowStatus::pending);
      rows.push_back(row);
    }
  }
  std::sort(rows.begin(), rows.end());

  ASSERT_EQ(rows.size(), static_cast<std::size_t>(columns.book().rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], static_cast<std::int64_t>(i));
  EXPECT_TRUE(run.take_finished().empty());
}

// A book that would take hours.
BookColumns endless_book() {
  BookColumns columns;
  for (std::uint64_t i = 0; i < 4; ++i) {
    Contract contract = monthly_call();
    contract.key = i;
    contract.fixings = 1000;
    contract.paths = std::int64_t{1} << 32;
    columns.add(contract);
  }
  Contract exact = monthly_call();
  exact.volatility = 0;
  columns.add(exact);
  return columns;
}

TEST(PricingRun, waits_no_longer_than_told) {
  BookColumns const columns = endless_book();
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  auto const start = std::chrono::steady_clock::now();
  RunProgress const progress = run.wait_for(50ms);
  auto const waited = std::chrono::steady_clock::now() - start;

  EXPECT_FALSE(progress.done);
  EXPECT_GE(waited, 50ms);
  EXPECT_LT(waited, 5s);
}

TEST(PricingRun, ends_soon_after_a_cancel_in_every_mode) {
  BookColumns const columns = endless_book();
  for (bag::ModeEntry const& mode : bag::modes()) {
    PricingSettings settings = settings_of(Method::mc, true);
    settings.mode = mode.mode;
    PricingRun run{columns.book(), settings};
    EXPECT_FALSE(run.wait_for(30ms).done);
    run.cancel();
    run.cancel();
    EXPECT_TRUE(run.wait_for(is_small_build ? 20s : 1s).done) << mode.name;
    RunSummary const summary = run.summary();
    EXPECT_FALSE(summary.complete);
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(run.results().status[row], RowStatus::pending);
      EXPECT_TRUE(std::isnan(run.results().value[price][row]));
    }
  }
}

TEST(PricingRun, may_be_thrown_away_while_it_runs) {
  BookColumns const columns = endless_book();
  auto const start = std::chrono::steady_clock::now();
  {
    PricingRun const run{columns.book(), settings_of(Method::rqmc, false, 3)};
  }

  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST(PricingRun, of_no_rows_is_over_at_once) {
  BookColumns const columns;
  PricingRun run{columns.book(), settings_of(Method::mc, false)};

  EXPECT_TRUE(run.wait_for(10s).done);
  RunSummary const summary = run.summary();
  EXPECT_TRUE(summary.complete);
  EXPECT_EQ(summary.path_steps, 0);
  EXPECT_EQ(summary.rounds, 0);
}

TEST(PricingRun, of_one_row_leaves_other_threads_idle) {
  BookColumns columns;
  columns.add(monthly_call());
  PricingRun run{columns.book(), settings_of(Method::mc, false, 5)};
  RunSummary const summary = run.summary();

  EXPECT_TRUE(summary.complete);
  EXPECT_EQ(summary.busy.size(), 5U);
  EXPECT_NEAR(run.results().value[price][0], 5.465282, 4 * run.results().std_error[price][0]);
}

TEST(PricingRun, refuses_what_cannot_be_priced_before_it_starts) {
  BookColumns columns = mixed_book();
  columns.spot[2] = -1;
  EXPECT_THROW(PricingRun(columns.book(), settings_of(Method::mc, false)), InputError);
  columns = mixed_book();
  PricingSettings settings = settings_of(Method::mc, false);
  settings.isa = "mmx";
  EXPECT_THROW(PricingRun(columns.book(), settings), InputError);
  settings = settings_of(Method::mc, false);
  settings.policy = "luck";
  EXPECT_THROW(PricingRun(columns.book(), settings), InputError);
  settings = settings_of(Method::rqmc, false);
  settings.replicates = 3;
  EXPECT_THROW(PricingRun(columns.book(), settings), InputError);
}

}  // namespace
}  // namespace makespan::asian
