// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// Takes remote calls as they arrive, and keeps them for the threads that will run them.
class CallIntake {
 public:
  // Called by the thread that drives progress, with a channel's lock held. `arguments` is valid
  // during the call only.
  virtual void accept(WireHeader const& header, std::span<std::byte const> arguments) = 0;

 protected:
  ~CallIntake() = default;
};

}  // namespace makespan::pgas
