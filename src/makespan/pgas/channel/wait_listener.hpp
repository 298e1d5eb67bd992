// SPDX-License-Identifier: Apache-2.0
#pragma once

// A listener that is told when a thread begins to wait on a channel, and so drives it from then on.

namespace makespan::pgas {

class WaitListener {
 public:
  WaitListener() = default;
  WaitListener(WaitListener const&) = delete;
  WaitListener& operator=(WaitListener const&) = delete;
  virtual ~WaitListener() = default;

  // Called by any thread before it waits, and delays that wait: must be short.
  virtual void on_wait() noexcept = 0;
};

}  // namespace makespan::pgas
