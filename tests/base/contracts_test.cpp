// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/contracts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

// Goal: each level evaluates what it should and nothing else, and a broken contract says where.
// Method: tests/test_main.cpp makes broken contracts throw; the abort is looked at in a process of
// its own.
namespace makespan {
namespace {

constexpr bool cheap_is_on = MAKESPAN_CONTRACT_LEVEL >= 1;
constexpr bool costly_is_on = MAKESPAN_CONTRACT_LEVEL >= 2;

// Whether `broken` threw ContractViolated.
template <class Broken>
bool violates(Broken broken) {
  try {
    broken();
  } catch (ContractViolated const&) {
    return true;
  }
  return false;
}

TEST(Contracts, kept_ones_are_silent) {
  EXPECT_NO_THROW(MAKESPAN_EXPECT(1 + 1 == 2));
  EXPECT_NO_THROW(MAKESPAN_ENSURE_COSTLY(1 + 1 == 2));
}

TEST(Contracts, broken_ones_are_seen_when_their_level_is_on) {
  EXPECT_EQ(violates([] { MAKESPAN_EXPECT(1 + 1 == 3); }), cheap_is_on);
  EXPECT_EQ(violates([] { MAKESPAN_ASSERT(1 + 1 == 3); }), cheap_is_on);
  EXPECT_EQ(violates([] { MAKESPAN_ENSURE(1 + 1 == 3); }), cheap_is_on);
  EXPECT_EQ(violates([] { MAKESPAN_EXPECT_COSTLY(1 + 1 == 3); }), costly_is_on);
  EXPECT_EQ(violates([] { MAKESPAN_ASSERT_COSTLY(1 + 1 == 3); }), costly_is_on);
  EXPECT_EQ(violates([] { MAKESPAN_ENSURE_COSTLY(1 + 1 == 3); }), costly_is_on);
}

TEST(Contracts, conditions_are_evaluated_once_or_not_at_all) {
  int evaluations = 0;

  MAKESPAN_EXPECT(++evaluations > 0);
  MAKESPAN_EXPECT_COSTLY(++evaluations > 0);

  EXPECT_EQ(evaluations, (cheap_is_on ? 1 : 0) + (costly_is_on ? 1 : 0));
}

TEST(Contracts, conditions_may_hold_commas) {
  EXPECT_NO_THROW(MAKESPAN_EXPECT(std::array<int, 2>{1, 2}.size() == 2));
}

constexpr int halved(int even) {
  MAKESPAN_EXPECT(even % 2 == 0);
  return even / 2;
}

TEST(Contracts, work_in_constant_expressions) {
  static_assert(halved(4) == 2);
}

TEST(ContractViolation, says_where_and_what) {
  ContractViolation const violation{
      .kind = "EXPECT", .condition = "tasks > 0", .file = "bag.cpp", .line = 7};

  EXPECT_EQ(describe(violation), "bag.cpp:7: EXPECT(tasks > 0) does not hold");
}

TEST(ContractHandlerDeathTest, default_one_prints_and_aborts) {
  auto const broken = [] {
    set_contract_handler(abort_on_violation);
    contract_violated(
        {.kind = "ENSURE", .condition = "chunk > 0", .file = "policy.cpp", .line = 12});
  };

  EXPECT_DEATH(broken(), "policy.cpp:12: ENSURE\\(chunk > 0\\) does not hold");
}

TEST(ContractHandlerDeathTest, one_that_returns_still_ends_the_process) {
  auto const broken = [] {
    set_contract_handler([](ContractViolation const&) {});
    contract_violated({.kind = "ASSERT", .condition = "false", .file = "x.cpp", .line = 1});
  };

  EXPECT_DEATH(broken(), "");
}

TEST(ContractHandler, setting_one_gives_back_the_one_before) {
  ContractHandler const before = set_contract_handler(abort_on_violation);

  EXPECT_EQ(set_contract_handler(before), abort_on_violation);
}

}  // namespace
}  // namespace makespan
