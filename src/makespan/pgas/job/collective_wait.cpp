// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/collective_wait.hpp"

#include <chrono>
#include <cstdint>
#include <thread>

#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

namespace {

// Some jobs have more images than cores: a waiting image yields its core, and soon sleeps.
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
  try {
    // Tested first: what is done counts, also if an image was lost meanwhile.
    for (std::int64_t round = 0; !operation.test(); ++round) {
      throw_if_lost(call);
      give_way(round);
    }
  } catch (ImageFailed const& failure) {
    if (failure.image() >= ImageId{0}) throw;
    wait_for_news(call);
    throw;
  }
}

void CollectiveWait::throw_if_lost(std::string_view call) const {
  if (auto const lost = losses_.first()) throw ImageFailed(*lost, losses_.reason(*lost), call);
}

// Another image has given the operation up, and MPI does not say for whose sake. That will be known
// here too in a moment.
void CollectiveWait::wait_for_news(std::string_view call) const {
  // Within that a loss is known to all (docs/decisions/0018).
  constexpr std::chrono::seconds limit{2};
  auto const begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < limit) {
    throw_if_lost(call);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void CollectiveWait::meet_all(Collectives& team, std::string_view call) const {
  throw_if_lost(call);  // rather than begin what will be given up
  wait_for(*team.barrier(), call);
}

}  // namespace makespan::pgas
