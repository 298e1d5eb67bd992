// SPDX-License-Identifier: Apache-2.0
// Goal: names, help and construction all come from the registry, and every policy in it keeps the
// contract of next_chunk(). Method: loops over the registry, never over a list of names. The same
// policies are run on whole bags in tests/bag/protocol/policy_properties_test.cpp.
#include "makespan/bag/policy/policy_registry.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <ostream>
#include <set>
#include <string>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {

// How a failed test names its parameter.
void PrintTo(PolicyEntry const& entry, std::ostream* out) {
  *out << entry.name;
}

namespace {

class EveryPolicy : public testing::TestWithParam<PolicyEntry> {};

INSTANTIATE_TEST_SUITE_P(PolicyRegistry, EveryPolicy,
                         testing::ValuesIn(policies().begin(), policies().end()),
                         [](auto const& test) { return std::string(test.param.name); });

std::vector<Drain> drains() {
  return {
      {.items = 1, .speeds = {0}},
      {.items = 1, .speeds = {3, 0, 0, 0, 0}},
      {.items = 1000, .speeds = {1, 1, 1}},
      {.items = 1000, .speeds = {1, 40}},
      {.items = 999, .speeds = {1e9, 1e-9, 0}},
      {.items = 49, .speeds = {1, 2, 3, 4, 5}, .claim_cost = Seconds{10.0}},
      {.items = 100'000,
       .speeds = {5e3, 2e5},
       .claim_cost = Seconds{1e-6},
       .item_cost_spread = 3.0},
  };
}

TEST_P(EveryPolicy, hands_out_between_one_item_and_the_rest_until_none_is_left) {
  for (Drain const& drain : drains()) {
    auto const policy = GetParam().make({});

    auto const chunks = drain.chunks(*policy);

    EXPECT_EQ(std::accumulate(chunks.begin(), chunks.end(), std::int64_t{0}), drain.items);
  }
}

TEST_P(EveryPolicy, forgets_a_loop_when_the_next_begins) {
  for (Drain const& drain : drains()) {
    auto const policy = GetParam().make({});

    auto const first = drain.chunks(*policy);

    EXPECT_EQ(drain.chunks(*policy), first);
  }
}

TEST_P(EveryPolicy, keeps_the_contract_at_both_ends_of_every_option) {
  for (OptionHelp const& option : GetParam().options) {
    for (double const value : {option.smallest, option.default_value, option.largest}) {
      auto const policy = GetParam().make({{std::string(option.name), value}});
      for (Drain const& drain : drains()) {
        auto const chunks = drain.chunks(*policy);
        EXPECT_EQ(std::accumulate(chunks.begin(), chunks.end(), std::int64_t{0}), drain.items)
            << option.name << value;
      }
    }
  }
}

TEST_P(EveryPolicy, never_exceeds_the_work_left) {
  for (Drain const& drain : drains()) {
    auto const policy = GetParam().make({});
    ChunkRequest request = drain.request(0, drain.items);
    request.work_left = Work{0.25};

    ChunkSize const size = policy->next_chunk(request);

    if (auto const* const work = size.work()) {
      EXPECT_GT(*work, Work{0.0});
      EXPECT_LE(*work, request.work_left);
    }
  }
}

TEST_P(EveryPolicy, says_what_it_is) {
  EXPECT_FALSE(GetParam().name.empty());
  EXPECT_FALSE(GetParam().summary.empty());
  for (OptionHelp const& option : GetParam().options) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_LE(option.smallest, option.default_value) << option.name;
    EXPECT_LE(option.default_value, option.largest) << option.name;
  }
}

TEST_P(EveryPolicy, refuses_an_option_that_it_does_not_have) {
  EXPECT_THROW(static_cast<void>(GetParam().make({{"no_such_option", 1.0}})), InputError);
}

TEST(PolicyRegistry, has_each_name_once_and_the_default_first) {
  std::set<std::string_view> names;
  for (PolicyEntry const& entry : policies()) names.insert(entry.name);

  EXPECT_EQ(names.size(), policies().size());
  EXPECT_EQ(policies().front().name, "equal_time");
}

TEST(PolicyRegistry, names_the_nearest_of_an_unknown_policy) {
  try {
    static_cast<void>(make_policy("guidd", {}));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "chunk policy 'guidd' is unknown (known: equal_time, guided, self): did you mean "
                 "'guided'?");
  }
}

}  // namespace
}  // namespace makespan::bag
