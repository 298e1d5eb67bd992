// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who is told that a thread begins to wait on a channel, and so drives it from here on.

namespace makespan::pgas {

class AttentionListener {
 public:
  AttentionListener() = default;
  AttentionListener(AttentionListener const&) = delete;
  AttentionListener& operator=(AttentionListener const&) = delete;
  virtual ~AttentionListener() = default;

  // Called by any thread, in the way of what it waits for: to be short.
  virtual void attended() noexcept = 0;
};

}  // namespace makespan::pgas
