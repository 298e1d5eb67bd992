// SPDX-License-Identifier: Apache-2.0
// Goal: a book has the same bits under every policy, dispatcher and mode together, on any number of
// images, whatever fails. Method: all of them in turn on two devices for each image, a third of
// them with a device that fails and a third with one that slows down, against one thread.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/asian/mixed_book.hpp"
#include "apps/asian/team_bits.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/image/node_place.hpp"
#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::asian {
namespace {

struct Combination {
  bag::Dispatcher dispatcher;
  std::string dispatcher_name;
  std::string policy;
  bag::ModeEntry mode;
};

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (bag::DispatcherEntry const& dispatcher : bag::dispatchers()) {
    bool const has_own_policy = dispatcher.dispatcher == bag::Dispatcher::boss ||
                                dispatcher.dispatcher == bag::Dispatcher::fixed;
    for (bag::PolicyEntry const& policy : bag::policies()) {
      if (has_own_policy && policy.name != bag::policies().front().name) continue;
      for (bag::ModeEntry const& mode : bag::modes()) {
        all.push_back(
            {dispatcher.dispatcher, std::string(dispatcher.name), std::string(policy.name), mode});
      }
    }
  }
  return all;
}

// Two for each image, one of them of another instruction set.
PricingSettings on_two_devices_each() {
  std::string devices;
  for (int image = 0; image < bag::node_place().size; ++image) {
    devices += "cpu[threads=2] cpu[threads=1,isa=one_lane] ";
  }
  PricingSettings settings = settings_of(Method::mc, false);
  settings.devices = machine::devices_from(devices);
  return settings;
}

TEST(PricingMatrix, every_combination_has_the_same_bits) {
  BookColumns const columns = mixed_book();
  std::vector<std::uint64_t> const right = bits_alone(columns, settings_of(Method::mc, false));
  int number = 0;
  for (Combination const& one : combinations()) {
    PricingSettings settings = on_two_devices_each();
    settings.dispatcher = one.dispatcher;
    settings.policy = one.policy;
    settings.mode = one.mode.mode;
    int const devices = static_cast<int>(settings.devices.size());
    int const device = number % devices;
    switch (number++ % 3) {
      case 1:
        settings.injections = {
            {.kind = bag::Injection::Kind::fail, .device = device, .item = number % 7}};
        break;
      case 2:
        settings.injections = {
            {.kind = bag::Injection::Kind::slow, .device = device, .item = 0, .factor = 3.0}};
        break;
      default:
        break;
    }
    SCOPED_TRACE(one.dispatcher_name + " " + one.policy + " " + std::string(one.mode.name));
    std::vector<std::uint64_t> const bits = bits_on_all(columns, settings);
    if (!bits.empty()) {
      EXPECT_EQ(bits, right);
    }
  }
  EXPECT_GE(number, 250);
}

}  // namespace
}  // namespace makespan::asian
