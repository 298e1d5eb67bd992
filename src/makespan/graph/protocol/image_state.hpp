// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places, and the images that they belong to, say of themselves while a phase runs.

#include <cstdint>
#include <vector>

namespace makespan::graph {

// Whatever goes from place to place because of an object is counted: messages, objects that move,
// and word of where they are. Counts since the run began; but for `kept`, which changes only when
// one of them does, they only grow.
struct MessageCounts {
  std::int64_t sent{0};
  std::int64_t processed{0};
  std::int64_t kept{0};  // messages that wait here for an unknown object

  MessageCounts& operator+=(MessageCounts const& other) {
    sent += other.sent;
    processed += other.processed;
    kept += other.kept;
    return *this;
  }
  // Messages to an object that there is not are never processed: they count as done, so that the
  // phase ends, as starved.
  [[nodiscard]] std::int64_t open() const { return sent - processed - kept; }

  friend bool operator==(MessageCounts const&, MessageCounts const&) = default;
};

struct PlaceState {
  MessageCounts counts{};
  double busy_wall_s{};  // in this phase, computing
  double busy_cpu_s{};   // the processor's time in it
  double gathering_s{};  // until its objects had come
};

// Of all places of an image at one moment.
struct ImageState {
  // How often a place of the image had become idle or busy by then.
  std::int64_t version{0};
  // Whether all were idle. If not, `places` is empty.
  bool is_idle{false};
  std::vector<PlaceState> places{};

  [[nodiscard]] MessageCounts counts() const {
    MessageCounts sum;
    for (PlaceState const& each : places) sum += each.counts;
    return sum;
  }
};

}  // namespace makespan::graph
