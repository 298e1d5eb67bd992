// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hosts and routes of a SimGrid platform (https://simgrid.org/doc/latest/Platform_reference.html).

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace simgrid::s4u {
class Host;
}

namespace makespan::sim {

struct PlatformHost {
  std::string name{};
  Speed speed{};  // of a core
  int cores{};
};

struct Route {
  Seconds latency{};   // one way
  double bandwidth{};  // of the narrowest link [bytes/s]
};

// The hosts of the engine of this process, in the order of their names. Tested by
// tests/sim/platform_test.cpp.
class Platform {
 public:
  // Into the engine, which has none yet. Throws InputError that names the file, and the line where
  // the reader tells one.
  explicit Platform(std::string const& path);

  [[nodiscard]] std::vector<PlatformHost> hosts() const;
  [[nodiscard]] std::vector<simgrid::s4u::Host*> const& nodes() const { return nodes_; }
  // Asked for the first time it is looked up. A process in which there is none ends by SimGrid.
  [[nodiscard]] Route const& route(std::size_t from, std::size_t to) const;

 private:
  std::vector<simgrid::s4u::Host*> nodes_{};
  mutable std::unordered_map<std::uint64_t, Route> routes_{};
};

// The hosts of a platform, each of which has a route from the first one and back. Needs a process
// of its own, since that has one engine. Throws as Platform.
[[nodiscard]] std::vector<PlatformHost> platform_hosts(std::string const& path);

}  // namespace makespan::sim
