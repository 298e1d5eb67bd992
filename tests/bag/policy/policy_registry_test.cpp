// SPDX-License-Identifier: Apache-2.0
// Goal: names, help and construction all come from the registry, and every policy in it keeps the
// contract of next_chunk(). Method: loops over the registry, never over a list of names. The same
// policies are run on whole bags in tests/bag/protocol/policy_properties_test.cpp.
#include "makespan/bag/policy/policy_registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// The one that learns from loop to loop, as its name promises.
constexpr std::string_view remembers = "awf";

std::vector<Drain> drains() {
  return {
      {.items = 1, .speeds = {0}},
      {.items = 1, .speeds = {1}, .claim_cost = Seconds{1.0}, .item_cost_spread = 1.0},
      {.items = 3, .speeds = {0, 0, 0, 0, 0, 0, 0}},
      {.items = 500, .speeds = {2}, .claim_cost = Seconds{1e-3}, .item_cost_spread = 0.5},
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
  if (GetParam().name == remembers) GTEST_SKIP() << "keeps its weights";
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

// A thousand claims of a loop that no double counts finer than in items.
TEST_P(EveryPolicy, keeps_the_contract_in_huge_loops) {
  constexpr std::int64_t items = 1'000'000'000'000'000;
  for (int const workers : {1, 2, 1000}) {
    Drain const drain{.items = items,
                      .speeds = std::vector<double>(static_cast<std::size_t>(workers), 1e9),
                      .claim_cost = Seconds{1e-6},
                      .item_cost_spread = 0.1};
    auto const policy = GetParam().make({});
    std::int64_t left = items;
    for (std::int64_t step = 0; step < 1000 && left > 0; ++step) {
      ChunkSize const size = policy->next_chunk(drain.request(step, left));
      if (auto const* const chunk = size.items()) {
        ASSERT_GE(*chunk, 1);
        ASSERT_LE(*chunk, left);
        left -= *chunk;
      } else {
        ASSERT_GT(*size.work(), Work{0.0});
        ASSERT_LE(*size.work(), Work{static_cast<double>(left)});
        left -= std::max<std::int64_t>(1, std::llround(size.work()->value()));
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
  EXPECT_TRUE(std::ranges::is_sorted(policies().subspan(1), {}, &PolicyEntry::name));
}

TEST(PolicyRegistry, names_the_nearest_of_an_unknown_policy) {
  try {
    static_cast<void>(make_policy("guidd", {}));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    std::string_view const message = error.what();
    EXPECT_TRUE(message.starts_with("chunk policy 'guidd' is unknown (known: equal_time, af, "));
    EXPECT_TRUE(message.ends_with("): did you mean 'guided'?"));
  }
}

}  // namespace
}  // namespace makespan::bag
