// SPDX-License-Identifier: Apache-2.0
#pragma once

// What way each message of an exchange takes, and what devices' threads do for it.

#include <array>
#include <cstdint>

#include "makespan/base/quantity.hpp"
#include "makespan/sim/grids/detail/grid_layout.hpp"
#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

enum class HopKind : std::uint8_t {
  link,         // between a device's memory and its host's
  peer,         // between the memories of two devices, over the links of both
  network_out,  // from a node into the network
  network_in,   // from the network into a node
  host,         // an image's host has it, and sends it on
};

struct Hop {
  HopKind kind{};
  int at{};          // a link, or an image
  int beside{};      // of peers: the other device's link
  Seconds taking{};  // of the host; of peers: at least
};

struct MessageWay {
  double bytes{};
  double pieces{1.0};
  Seconds pack{};     // of the sender's thread; its network apart
  Seconds unpack{};   // of the receiver's
  Seconds send{};     // of the sender's thread, for the network
  Seconds receive{};  // of the receiver's
  bool is_put{};      // the sender's buffer is its own again when the receiver has it
  bool crosses_nodes{};
  int hop_count{0};  // none: it is packed where it is read
  std::array<Hop, 6> hops{};
};

// Links by number: of each node out and in, then of each device to its host and back.
[[nodiscard]] inline int link_out(int node) {
  return 2 * node;
}
[[nodiscard]] inline int link_in(int node) {
  return 2 * node + 1;
}

// Tested through tests/sim/grids/grid_simulation_test.cpp.
class MessageWays {
 public:
  MessageWays(GridJob const& job, GridRoster const& roster);

  [[nodiscard]] MessageWay way(grid::HaloMessage const& message, int from_device,
                               int to_device) const;
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int link_to_host(int device) const { return 2 * nodes_ + 2 * device; }
  [[nodiscard]] int link_to_device(int device) const { return link_to_host(device) + 1; }

 private:
  struct Ends;
  void add_within_node(MessageWay& way, Ends const& ends) const;
  void add_between_nodes(MessageWay& way, Ends const& ends) const;
  [[nodiscard]] Seconds host_time(double bytes) const;
  [[nodiscard]] Seconds network_time(MessageWay const& way, Seconds piece) const;

  GridJob const& job_;
  GridRoster const& roster_;
  int nodes_{0};
};

}  // namespace makespan::sim
