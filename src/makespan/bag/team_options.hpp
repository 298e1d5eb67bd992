// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a team of devices is made of.

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/bag/detail/piece_rule.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/injection.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/protocol/overdue_watch.hpp"
#include "makespan/base/option_values.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Threads that are alike, and stand or fall together.
struct TeamDevice {
  int threads{0};            // 0: one for each core of `cores`
  std::vector<int> cores{};  // its threads are tied to these in turn; none: the threads run where
                             // the operating system lets them, and `threads` 0 means one for each
                             // core of the process
  Mode mode{Mode::automatic};
  PieceRule pieces{};
};

struct TeamOptions {
  std::vector<TeamDevice> devices{TeamDevice{}};
  std::string policy{"equal_time"};  // a name of policy_registry.hpp
  OptionValues policy_options{};
  Dispatcher dispatcher{Dispatcher::steal};
  std::vector<Injection> injections{};  // for tests
  OverdueRule overdue{};
  // Remembered from an earlier run, by worker; 0: not known. Empty: no speed is known.
  std::vector<Speed> speeds{};
};

// The options with what the dispatcher decides, whatever they said: a boss hands out whole tasks,
// one for each request; static gives one share to each. Throws InputError on a policy that makes no
// sense, also where it is not used. Tested by tests/bag/team_options_test.cpp.
[[nodiscard]] TeamOptions with_choices_of_dispatcher(TeamOptions options);

}  // namespace makespan::bag
