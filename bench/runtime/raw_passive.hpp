// SPDX-License-Identifier: Apache-2.0
#pragma once
// What bare libraries do for the memory of an image that computes.

#include <poll.h>
#include <ucp/api/ucp.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "passive_target.hpp"
#include "raw_atomic_ref.hpp"
#include "raw_mpi.hpp"
#include "raw_ucx.hpp"

namespace makespan::bench {

inline void nothing() {
}

// The computation undisturbed: the baseline of the others.
inline PassiveWay without_operations(MpiSession const& session) {
  return {.operate = [] { nap_us(1000); },
          .tell_end = [&session] { session.send_end(); },
          .begin = nothing,
          .serve_to_end = [&session] { session.receive_end(); }};
}

inline PassiveWay atomic_ref_passive(MpiSession const& session, SharedWords const& shared) {
  std::int64_t* const words = shared.words();
  return {.operate = [words] { keep(std::atomic_ref<std::int64_t>(words[0]).fetch_add(1)); },
          .tell_end = [&session] { session.send_end(); },
          .begin = nothing,
          .serve_to_end = [&session] { session.receive_end(); }};
}

inline PassiveWay mpi_passive(MpiSession const& session, MpiWindow const& window) {
  return {.operate = [&window] { window.fetch_add(); },
          .tell_end = [&session] { session.send_end(); },
          .begin = nothing,
          .serve_to_end = [&session] { session.receive_end(); }};
}

inline void progress_to_end(UcxLane<NoMutex>& lane) {
  while (!lane.take_end()) lane.progress();
}

// No thread makes progress while the image computes.
inline PassiveWay ucx_passive(UcxLane<NoMutex>& lane) {
  return {.operate = [&lane] { lane.fetch_add(0); },
          .tell_end = [&lane] { lane.send(UcxMessage::end); },
          .begin = nothing,
          .serve_to_end = [&lane] { progress_to_end(lane); }};
}

// A thread that sleeps until the network wakes it, makes progress, and sleeps again: all of it on
// the core of the computation, as in a program that uses all its cores.
inline void progress_by_events(UcxLane<NoMutex>& lane) {
  int descriptor = -1;
  check_ucx(ucp_worker_get_efd(lane.worker(), &descriptor), "ucp_worker_get_efd");
  while (!lane.take_end()) {
    while (lane.progress() || lane.answer_pings()) {
    }
    ucs_status_t const armed = ucp_worker_arm(lane.worker());
    if (armed == UCS_ERR_BUSY) continue;  // something came meanwhile
    check_ucx(armed, "ucp_worker_arm");
    pollfd event{.fd = descriptor, .events = POLLIN, .revents = 0};
    ::poll(&event, 1, 100);
  }
}

// `thread` outlives the block.
inline PassiveWay ucx_event_passive(UcxLane<NoMutex>& lane, std::jthread& thread) {
  PassiveWay way = ucx_passive(lane);
  way.begin = [&lane, &thread] { thread = std::jthread([&lane] { progress_by_events(lane); }); };
  way.serve_to_end = [&thread] { thread.join(); };
  return way;
}

}  // namespace makespan::bench
