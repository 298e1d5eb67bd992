// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events: counters that any image posts to, and that their owner waits on, as those of Fortran
// 2018.
//
//   auto const ready = runtime.allocate_all<EventWord>(1, "ready");
//   post(here, ready.at(neighbour));        // there
//   wait(here, ready.at(here.address().image));  // takes one post away

#include <cstdint>

#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"

namespace makespan::pgas {

// What an event is in the heap; zero before the first post.
struct EventWord {
  std::uint64_t posts{0};
};

// Adds a post. What this thread put to the same image before, and flushed, can be read by the
// thread that waits. Blocks until the post has left; flush() tells that it is there. Drives
// progress while there is no room.
void post(Endpoint& here, GlobalPtr<EventWord> event);

// Blocks until the event of this image has `count` >= 1 posts, and takes them away. Drives
// progress, and helps. One thread waits on an event at a time.
void wait(Endpoint& here, GlobalPtr<EventWord> event, std::uint64_t count = 1);

// How many posts there are now. Of this image's events only.
[[nodiscard]] std::uint64_t query(Endpoint& here, GlobalPtr<EventWord> event);

}  // namespace makespan::pgas
