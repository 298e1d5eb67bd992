// SPDX-License-Identifier: Apache-2.0
#pragma once

// Failures and slow-downs that are made on purpose, to see that a run survives them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// From the first item at or behind `item`, in the bag's order, that the device begins.
struct Injection {
  enum class Kind {
    fail,  // the device fails
    slow,  // the device takes `factor` times as long for everything
    kill,  // the process ends at once by SIGKILL, with all its devices
    hang,  // a thread of the device does nothing for `seconds`, once
  };
  Kind kind{Kind::fail};
  int device{};  // its number in the team, from 0
  std::int64_t item{};
  double factor{1.0};  // of `slow`, at least 1
  Seconds time{};      // of `hang`
};

// Reads "fail:0@5000", "kill:0@5000", "slow:1@3000:4" and "hang:0@5000:60", several with commas
// between. Throws
// InputError that names the part that is wrong.
[[nodiscard]] std::vector<Injection> injections_from(std::string_view text);

// As `injections_from` reads it, for messages: "slow:1@3000:4".
[[nodiscard]] std::string text_of(Injection const& injection);

}  // namespace makespan::bag
