// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/collective_wait.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

#include "makespan/pgas/errors.hpp"

namespace makespan::pgas {

namespace {

// There are more images than cores now and then: who waits gives way, and soon sleeps.
void give_way(std::int64_t round) {
  constexpr std::int64_t yields_max = 100;
  if (round < yields_max) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace

void CollectiveWait::wait_for(CollectiveOperation& operation, std::string_view call) const {
  for (std::int64_t round = 0; !operation.test(); ++round) {
    if (auto const lost = losses_.first()) throw ImageFailed(*lost, losses_.reason(*lost), call);
    give_way(round);
  }
}

void CollectiveWait::meet_all(Collectives& team, std::string_view call) const {
  wait_for(*team.barrier(), call);
}

}  // namespace makespan::pgas
