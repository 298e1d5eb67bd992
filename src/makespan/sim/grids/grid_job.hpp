// SPDX-License-Identifier: Apache-2.0
#pragma once

// A grid on a machine that need not exist: what is asked, and what came of it.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/halo_parts.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/rebalance.hpp"

namespace makespan::sim {

inline constexpr double without_limit = std::numeric_limits<double>::infinity();

// One direction of a link, on which messages follow each other.
struct LinkModel {
  Seconds latency{};
  double bandwidth{without_limit};          // of all messages together [bytes/s]
  double message_bandwidth{without_limit};  // of each one [bytes/s]
  double burst{};  // bytes that pass at once after a pause, as through a token bucket
};

struct GridDeviceModel {
  std::string kind{};
  Speed speed{};                                         // points per second
  Seconds start{};                                       // of each step, before its first point
  std::array<double, 3> boundary_factor{1.0, 1.0, 1.0};  // how many times as long a point takes in
                                                         // boundary layers across x, y, z
  double pack_bandwidth{without_limit};                  // packing, and unpacking [bytes/s]
  Seconds message{};  // before each message that is packed, or unpacked
  std::int64_t planes_max{std::numeric_limits<std::int64_t>::max()};
  // Memory of its own, with a link to its host in both directions; otherwise its fields lie in the
  // host's.
  bool has_memory{false};
  LinkModel to_host{};
  LinkModel to_device{};
  double peer_bandwidth{0.0};  // of a message straight to another such device of the node; 0: none
  // As grid::Accelerator: sweeps are queued, and the thread that asked for them packs and sends
  // beside; halos go by way of the host's memory when they are packed and unpacked.
  bool is_queued{false};
};

// A process.
struct GridImageModel {
  int node{};
  std::vector<GridDeviceModel> devices{};
};

struct GridNetworkModel {
  LinkModel out{};  // of each node; its latency is that of the network, one way
  LinkModel in{};
  std::int64_t piece_bytes{std::int64_t{64} << 10};  // long puts go in pieces
  Seconds send{};                                    // of the sender's processor, for each piece
  Seconds receive{};                                 // of the receiver's
  double copy_bandwidth{without_limit};  // of both processors, for what they send or receive
  // By hosts: what a message that they carry takes of them, and how fast they copy it [bytes/s].
  Seconds relay{};
  double relay_bandwidth{without_limit};
};

// From `at` on a device has `factor` of its speed.
struct GridSpeedChange {
  int device{};  // counted through all images
  Seconds at{};
  double factor{1.0};
};

struct GridJob {
  grid::Box box{};
  grid::Wraps wraps{};
  grid::HaloShape halo_shape{grid::HaloShape::faces};
  std::int64_t halo_width{1};  // of a step
  std::int64_t fields{1};      // whose halos travel, of 8 bytes a point
  std::int64_t fields_all{1};  // that planes have when they move
  std::int64_t steps{1};
  int steps_at_once{1};
  grid::Schedule schedule{grid::Schedule::overlap};
  grid::Route route{grid::Route::direct};
  grid::ImageCut cut{grid::ImageCut::automatic};
  // So many images along each axis, in equal boxes, x first; instead of `cut`.
  std::optional<grid::Point> images_along{};
  grid::HostLayers layers{};
  std::int64_t rebalance_steps{0};  // between two looks; 0: never
  grid::RebalanceOptions rebalance{};
  bool knows_speeds{true};  // the first cut is by speed; otherwise as if all were equal

  std::vector<GridImageModel> images{};
  GridNetworkModel network{};
  std::vector<GridSpeedChange> changes{};
  std::int64_t spans_kept{0};  // of the schedule, the first ones
};

// As grid::Phase has them, but for packing, which is part of `send` here.
enum class GridPhase : std::uint8_t { boundary, interior, send, wait, unpack };
inline constexpr std::size_t grid_phases = 5;

struct GridSpan {
  int device{};  // counted through all images
  GridPhase phase{};
  std::int64_t step{};
  Seconds begin{};
  Seconds end{};
};

struct GridDeviceUse {
  int image{};
  int device{};           // of the image
  std::int64_t planes{};  // at the end
  std::int64_t points{};
  std::array<Seconds, grid_phases> times{};  // by phase, of the whole run
  // Computing interiors, behind which halos may travel: of an accelerator also what it computes
  // while its thread is in another phase.
  Seconds interior_busy{};
};

struct GridResult {
  Seconds time{};       // of all steps, with looks at speeds, and planes that moved
  Seconds ideal{};      // all points of all steps over what the devices could do together
  Seconds last_step{};  // of the last half of the steps, each: the first ones may be uneven
  std::vector<GridDeviceUse> devices{};
  std::int64_t looks{};
  std::int64_t rebalances{};  // that moved planes
  std::int64_t planes_moved{};
  Seconds moving{};         // what that took
  std::int64_t messages{};  // of an exchange, as cut at the end
  double bytes{};           // likewise, all together
  double network_bytes{};   // likewise, between nodes
  std::vector<GridSpan> spans{};
};

}  // namespace makespan::sim
