// SPDX-License-Identifier: Apache-2.0
#pragma once

// A machine that need not exist: what its devices do in a second, how far its nodes are from each
// other, and what happens to it.

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/bag/protocol/mode.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::sim {

// Who serves what other images ask of one.
enum class Progress : std::uint8_t {
  network,  // the network itself: atomics of its adapters, or shared memory
  helper,   // a thread that does nothing else
  hand,     // the workers, between two pieces
  none,     // the workers, between two chunks
};

struct FabricModel {
  // Path of a SimGrid platform, whose hosts, in the order of their names, are the nodes; then
  // latency and bandwidth are those of its routes.
  std::string platform{};
  Seconds latency{1.5e-6};     // one way, between two nodes
  double bandwidth{1e10};      // of each node's link [bytes/s]
  Seconds node_latency{2e-7};  // one way, between images of a node
  Seconds atomic{5e-8};        // of the target, for each one-sided operation
  Seconds message{1e-6};       // of the image that is called, for each call
  Progress progress{Progress::helper};
};

// Time of a piece of work: launch + work / speed; of a chunk, claim + its pieces.
struct DeviceModel {
  std::string kind{};
  int threads{1};
  Speed speed{};        // of all threads, each on tasks of its own
  Speed together{};     // of all threads on one task; 0: the same
  Seconds claim{};      // before each chunk, beside what its claim takes on the network
  Seconds launch{};     // before each piece
  Seconds piece{5e-4};  // how long pieces are, about
  double noise{};       // of the time that a chunk takes: standard deviation over mean
  bag::Mode mode{bag::Mode::automatic};
};

// A process.
struct ImageModel {
  int node{};  // from 0; nodes that no image is on count, too
  std::vector<DeviceModel> devices{};
};

// From `at` on a device has `factor` of its speed; with 0 it fails, and its image notices.
struct SpeedChange {
  int device{};  // counted through all images
  Seconds at{};
  double factor{};
};

// An image ends without a word; the others notice when so much time has passed.
struct ImageLoss {
  int image{};
  Seconds at{};
};

struct MachineModel {
  std::vector<ImageModel> images{};
  FabricModel network{};
  std::vector<SpeedChange> changes{};
  std::vector<ImageLoss> losses{};
  Seconds losses_noticed_after{1.0};
  std::uint64_t seed{1};  // of noise

  // One more than the greatest number of one that an image is on. Of what check() takes.
  [[nodiscard]] int nodes() const;
  [[nodiscard]] int devices() const;
};

// Throws InputError that names the image and device, where a value is invalid. Nodes are 0 to
// 2^20 - 1.
// Tested by tests/sim/model/machine_model_test.cpp.
void check(MachineModel const& machine);

}  // namespace makespan::sim
