// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cores that this process may use.

#include <vector>

namespace makespan::machine {

// Numbers of the cores in the calling thread's affinity mask, rising; at least one. Where the
// system has no such mask, as many as it has cores.
[[nodiscard]] std::vector<int> allowed_cores();

enum class PinOutcome { pinned, refused };

// Ties the calling thread to one core. Refused where the system cannot, or where the core has gone
// since: a thread that is not pinned is slower at worst, so this is no error.
PinOutcome pin_this_thread(int core);

// Ties the calling thread to a core (to none below 0) as long as this lives; then it may go where
// it could go before. Tested by tests/machine/affinity_test.cpp.
class PinScope {
 public:
  explicit PinScope(int core);
  PinScope(PinScope const&) = delete;
  PinScope& operator=(PinScope const&) = delete;
  ~PinScope();

 private:
  // As the kernel gave it (detail/core_mask.hpp); empty: nothing was changed.
  std::vector<unsigned long> mask_before_{};
};

}  // namespace makespan::machine
