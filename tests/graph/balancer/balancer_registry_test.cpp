// SPDX-License-Identifier: Apache-2.0
// Goal: every balancer is found by its name, and says what it is. Method: the registry itself.
#include "makespan/graph/balancer/balancer_registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

// Also where the build lacks what the balancer needs, which its entry says.
bool is_accepted(BalancerEntry const& entry, OptionValues const& given) {
  try {
    static_cast<void>(entry.make(given));
    EXPECT_TRUE(entry.is_built) << entry.name;
  } catch (NotConfigured const&) {
    EXPECT_FALSE(entry.is_built) << entry.name;
    return true;
  } catch (InputError const&) {
    return false;
  }
  return true;
}

TEST(BalancerRegistry, has_each_name_once_in_order_behind_the_default) {
  auto const all = balancers();
  std::set<std::string_view> names;
  for (BalancerEntry const& entry : all) EXPECT_TRUE(names.insert(entry.name).second);
  EXPECT_TRUE(std::ranges::is_sorted(all.subspan(1), {}, &BalancerEntry::name));
}

TEST(BalancerRegistry, says_what_each_is_and_what_its_options_are) {
  for (BalancerEntry const& entry : balancers()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    for (OptionHelp const& option : entry.options) {
      EXPECT_FALSE(option.help.empty()) << entry.name << " " << option.name;
      EXPECT_GE(option.default_value, option.smallest) << entry.name << " " << option.name;
      EXPECT_LE(option.default_value, option.largest) << entry.name << " " << option.name;
      for (double const value : {option.smallest, option.default_value, option.largest}) {
        EXPECT_TRUE(is_accepted(entry, {{std::string(option.name), value}})) << option.name;
      }
    }
  }
}

TEST(BalancerRegistry, refuses_names_and_options_that_it_does_not_have) {
  EXPECT_THROW(static_cast<void>(balancer_entry("gredy")), InputError);
  for (BalancerEntry const& entry : balancers()) {
    EXPECT_THROW(static_cast<void>(make_balancer(entry.name, {{"no_such_option", 1.0}})),
                 InputError)
        << entry.name;
  }
}

}  // namespace
}  // namespace makespan::graph
