// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/virtual_network.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/errors.hpp"

namespace makespan::sim {

namespace sg = simgrid::s4u;

namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};
// What devices compute is told by their model; hosts are there to be reached.
constexpr double host_speed = 1e9;

}  // namespace

VirtualNetwork::VirtualNetwork(MachineModel const& machine)
    : machine_{machine},
      busy_until_(machine.images.size()),
      lost_at_(machine.images.size(), never) {
  auto* const zone = sg::create_star_zone("machine");
  FabricModel const& network = machine.network;
  for (int node = 0; node < machine.nodes(); ++node) {
    std::string const name = "node" + std::to_string(node);
    auto* const host = zone->create_host(name, host_speed);
    // Out of one node and into another: two links make the way.
    auto* const link = zone->create_link(name + "-link", network.bandwidth)
                           ->set_latency(network.latency.value() / 2)
                           ->seal();
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {sg::LinkInRoute(link)}, true);
    hosts_.push_back(host);
  }
  zone->seal();
}

sg::Host* VirtualNetwork::host_of(int image) const {
  int const node = machine_.images[static_cast<std::size_t>(image)].node;
  return hosts_[static_cast<std::size_t>(node)];
}

Seconds VirtualNetwork::latency(int from, int to) const {
  if (from == to) return Seconds{};
  sg::Host* const here = host_of(from);
  sg::Host* const there = host_of(to);
  if (here == there) return machine_.network.node_latency;
  std::vector<sg::Link*> links;
  double latency = 0;
  here->route_to(there, links, &latency);
  return Seconds{latency};
}

bool VirtualNetwork::is_lost(int image) const {
  return VirtualClock::time() >= lost_at_[static_cast<std::size_t>(image)];
}

bool VirtualNetwork::is_known_lost(int image) const {
  return VirtualClock::time() >=
         lost_at_[static_cast<std::size_t>(image)] + machine_.losses_noticed_after;
}

void VirtualNetwork::expect_alive(int from, int to, char const* what) const {
  if (!is_lost(to)) return;
  VirtualClock::sleep_until(lost_at_[static_cast<std::size_t>(to)] + machine_.losses_noticed_after);
  throw pgas::ImageFailed(ImageId{to}, "died",
                          std::string(what) + " of image " + std::to_string(from));
}

// Operations are served in the order in which they come.
Seconds VirtualNetwork::served_at(int to, Seconds arrival, Seconds service) {
  Seconds& busy_until = busy_until_[static_cast<std::size_t>(to)];
  Seconds begin = std::max(arrival, busy_until);
  bool const needs_workers =
      machine_.network.progress == Progress::hand || machine_.network.progress == Progress::none;
  if (needs_workers && next_entry_) begin = std::max(begin, next_entry_(to));
  busy_until = begin + service;
  return busy_until;
}

void VirtualNetwork::go(int from, int to, double bytes, Seconds service, char const* what) {
  if (from == to) return;  // by its own memory: nothing that would be seen beside pieces
  bool const is_near = host_of(from) == host_of(to);
  Seconds const sending{is_near ? 0.0 : bytes / machine_.network.bandwidth};
  VirtualClock::sleep_until(VirtualClock::time() + latency(from, to) + sending);
  expect_alive(from, to, what);
  VirtualClock::sleep_until(served_at(to, VirtualClock::time(), service));
  expect_alive(from, to, what);
}

Seconds VirtualNetwork::tell(int from, int to, double bytes) {
  ++messages_;
  if (from == to) return VirtualClock::time();
  bool const is_near = host_of(from) == host_of(to);
  Seconds const sending{is_near ? 0.0 : bytes / machine_.network.bandwidth};
  Seconds const arrival = VirtualClock::time() + latency(from, to) + sending;
  return served_at(to, arrival, machine_.network.message);
}

}  // namespace makespan::sim
