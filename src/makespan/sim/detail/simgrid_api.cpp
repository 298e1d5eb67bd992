// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/simgrid_api.hpp"

#include <simgrid/version.h>

namespace makespan::sim {

namespace sg = simgrid::s4u;

namespace {

#if SIMGRID_VERSION >= 40000  // has a root already; a zone outside it has no models for its hosts

sg::NetZone* add_zone(std::string const& name) {
  return sg::Engine::get_instance()->get_netzone_root()->add_netzone_empty(name);
}

sg::Host* add_host(sg::NetZone* zone, std::string const& name, double speed) {
  return zone->add_host(name, speed);
}

#else  // makes its first zone the root

sg::NetZone* add_zone(std::string const& name) {
  return sg::create_empty_zone(name);
}

sg::Host* add_host(sg::NetZone* zone, std::string const& name, double speed) {
  return zone->create_host(name, speed);
}

#endif

}  // namespace

std::vector<sg::Host*> add_hosts(int count, double speed) {
  sg::NetZone* const zone = add_zone("machine");
  std::vector<sg::Host*> hosts;
  hosts.reserve(static_cast<std::size_t>(count));
  for (int node = 0; node < count; ++node) {
    hosts.push_back(add_host(zone, "node" + std::to_string(node), speed));
  }
  zone->seal();
  return hosts;
}

sg::ActorPtr add_actor(std::string const& name, sg::Host* host, std::function<void()> const& code) {
#if SIMGRID_VERSION >= 40100
  return host->add_actor(name, code);
#elif SIMGRID_VERSION >= 40000
  return sg::Engine::add_actor(name, host, code);
#else
  return sg::Actor::create(name, host, code);
#endif
}

}  // namespace makespan::sim
