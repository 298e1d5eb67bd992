// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

inline constexpr std::string_view no_memory_for_arguments = "there is no memory for its arguments";

// Takes remote calls as they arrive, and keeps them for the threads that will run them.
class CallIntake {
 public:
  // Called by the thread that drives progress, with a channel's lock held. `arguments` is valid
  // during the call only. Throws std::bad_alloc where there is no memory for them; the call is not
  // taken then, and who asked refuses it with no_memory_for_arguments.
  virtual void accept(WireHeader const& header, std::span<std::byte const> arguments) = 0;

 protected:
  ~CallIntake() = default;
};

}  // namespace makespan::pgas
