// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/short_sleep.hpp"

#include <sys/prctl.h>

#include <thread>

namespace makespan::pgas {

namespace {

// Where the kernel does not tell, the slack stays: the sleep is longer then, and nothing else.
class NoTimerSlack {
 public:
  NoTimerSlack() : before_{::prctl(PR_GET_TIMERSLACK)} {
    if (before_ > 0) ::prctl(PR_SET_TIMERSLACK, 1UL);
  }
  NoTimerSlack(NoTimerSlack const&) = delete;
  NoTimerSlack& operator=(NoTimerSlack const&) = delete;
  ~NoTimerSlack() {
    if (before_ > 0) ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(before_));
  }

 private:
  int before_;
};

}  // namespace

void short_sleep(std::chrono::nanoseconds time) {
  NoTimerSlack const no_slack;
  std::this_thread::sleep_for(time);
}

}  // namespace makespan::pgas
