// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who is told that a thread begins to wait on a channel, and so drives it from here on.

namespace makespan::pgas {

class WaitListener {
 public:
  WaitListener() = default;
  WaitListener(WaitListener const&) = delete;
  WaitListener& operator=(WaitListener const&) = delete;
  virtual ~WaitListener() = default;

  // Called by any thread, in the way of what it waits for: to be short.
  virtual void on_wait() noexcept = 0;
};

}  // namespace makespan::pgas
