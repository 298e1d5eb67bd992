// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/platform.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>

#include "makespan/base/error.hpp"
#include "makespan/sim/detail/engine_words.hpp"

namespace makespan::sim {

namespace sg = simgrid::s4u;

Platform::Platform(std::string const& path) {
  try {
    sg::Engine::get_instance()->load_platform(path);
  } catch (std::exception const& error) {
    throw InputError(path, error.what(), "give a platform that SimGrid reads");
  }
  nodes_ = sg::Engine::get_instance()->get_all_hosts();
  if (nodes_.empty()) throw InputError(path, "it has no hosts", "give a platform with some");
  // So that which host is which node does not hang on an order of SimGrid's own.
  std::ranges::sort(nodes_, {}, &sg::Host::get_name);
}

std::vector<PlatformHost> Platform::hosts() const {
  std::vector<PlatformHost> hosts;
  hosts.reserve(nodes_.size());
  for (sg::Host const* host : nodes_) {
    hosts.push_back({host->get_name(), Speed{host->get_speed()}, host->get_core_count()});
  }
  return hosts;
}

Route const& Platform::route(std::size_t from, std::size_t to) const {
  // Each message asks for one: SimGrid is asked once for each pair (docs/decisions/0078).
  auto const [place, is_new] = routes_.try_emplace(from * nodes_.size() + to);
  if (!is_new) return place->second;
  std::vector<sg::Link*> links;
  double latency = 0.0;
  nodes_[from]->route_to(nodes_[to], links, &latency);
  // A full zone gives an empty route where there is none, if it has others.
  if (from != to && links.empty() && latency == 0.0) {
    throw InputError(
        "the platform",
        "there is no route from " + nodes_[from]->get_name() + " to " + nodes_[to]->get_name(),
        "give each pair of hosts one");
  }
  Route& route = place->second;
  route = {.latency = Seconds{latency}, .bandwidth = std::numeric_limits<double>::infinity()};
  for (sg::Link const* link : links) {
    route.bandwidth = std::min(route.bandwidth, link->get_bandwidth());
  }
  return route;
}

std::vector<PlatformHost> platform_hosts(std::string const& path) {
  EngineWords words;
  sg::Engine const engine(&words.count(), words.arguments());
  Platform const platform(path);
  for (std::size_t host = 1; host < platform.nodes().size(); ++host) {
    // A pair without a route ends the process: here that is one of its own, before any simulation
    // (docs/decisions/0078).
    static_cast<void>(platform.route(0, host));
    static_cast<void>(platform.route(host, 0));
  }
  return platform.hosts();
}

}  // namespace makespan::sim
