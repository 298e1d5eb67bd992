// SPDX-License-Identifier: Apache-2.0
#pragma once

// That the images of a node live, told by way of memory that they share: without MPI, whose locks
// can keep a thread waiting for seconds while others of its process call it without pause.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/job/node_memory.hpp"

namespace makespan::pgas {

// A thread that counts up in this image's segment, once in a period. Tested by
// tests/pgas/job/node_pulse_test.cpp.
class NodePulse {
 public:
  // Bytes of a segment: a cache line.
  static constexpr std::int64_t segment_bytes = 64;

  // Begins at once. Keeps a reference. `memory`: segments of segment_bytes, zero at first;
  // `images`: those of the node.
  NodePulse(NodeMemory& memory, ImageId self, std::span<ImageId const> images, Seconds period);
  NodePulse(NodePulse const&) = delete;
  NodePulse& operator=(NodePulse const&) = delete;
  ~NodePulse() = default;  // stops

  // For good. Callable from any thread.
  void stop() { thread_.request_stop(); }

  // Another image of the node whose pulse has gone on since this was asked last; each once, then
  // nothing. By one thread.
  [[nodiscard]] std::optional<ImageId> next_alive();

 private:
  struct Mate {
    ImageId image;
    std::uint64_t* beats;
    std::uint64_t seen;
  };

  void run(std::stop_token const& stop, std::uint64_t* beats, Seconds period);

  std::vector<Mate> mates_;
  std::size_t next_{0};  // of mates_, to be looked at
  std::mutex mutex_;
  std::condition_variable_any wakes_;  // when it is to stop
  std::jthread thread_;                // last: it uses the above
};

}  // namespace makespan::pgas
