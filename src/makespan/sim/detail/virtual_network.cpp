// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/virtual_network.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/sim/detail/simgrid_api.hpp"

namespace makespan::sim {

namespace sg = simgrid::s4u;

namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};
// What devices compute is told by their model; hosts are there to be reached.
constexpr double host_speed = 1e9;

}  // namespace

VirtualNetwork::VirtualNetwork(MachineModel const& machine)
    : machine_{machine},
      link_busy_until_(static_cast<std::size_t>(machine.nodes())),
      busy_until_(machine.images.size()),
      lost_at_(machine.images.size(), never) {
  if (!machine.network.platform.empty()) {
    platform_.emplace(machine.network.platform);
    hosts_ = platform_->nodes();
    // Hosts beyond the nodes stay without work.
    if (std::ssize(hosts_) >= machine.nodes()) return;
    throw InputError(machine.network.platform,
                     "it has " + std::to_string(hosts_.size()) + " hosts, the machine has " +
                         std::to_string(machine.nodes()) + " nodes",
                     "give a host for each node");
  }
  hosts_ = add_hosts(machine.nodes(), host_speed);
}

std::size_t VirtualNetwork::node_of(int image) const {
  return static_cast<std::size_t>(machine_.images[static_cast<std::size_t>(image)].node);
}

sg::Host* VirtualNetwork::host_of(int image) const {
  return hosts_[node_of(image)];
}

Seconds VirtualNetwork::latency(int from, int to) const {
  if (from == to) return Seconds{};
  if (is_near(from, to)) return machine_.network.node_latency;
  return platform_ ? platform_->route(node_of(from), node_of(to)).latency
                   : machine_.network.latency;
}

double VirtualNetwork::bandwidth(int from, int to) const {
  return platform_ ? platform_->route(node_of(from), node_of(to)).bandwidth
                   : machine_.network.bandwidth;
}

Seconds VirtualNetwork::furthest(int from) const {
  if (platform_) {
    Seconds furthest{};
    for (int image = 0; image < std::ssize(machine_.images); ++image) {
      furthest = std::max(furthest, latency(from, image));
    }
    return furthest;
  }
  if (hosts_.size() > 1) return machine_.network.latency;
  return machine_.images.size() > 1 ? machine_.network.node_latency : latency(from, from);
}

bool VirtualNetwork::is_near(int from, int to) const {
  return node_of(from) == node_of(to);
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
  throw ImageFailed(ImageId{to}, "died", std::string(what) + " of image " + std::to_string(from));
}

// Operations are served in the order in which they come.
Seconds VirtualNetwork::served_at(int to, Seconds arrival, Seconds service) {
  Seconds& busy_until = busy_until_[static_cast<std::size_t>(to)];
  Seconds begin = std::max(arrival, busy_until);
  // Without a helper operations wait until a worker of that image drives progress.
  bool const needs_workers =
      machine_.network.progress == Progress::hand || machine_.network.progress == Progress::none;
  if (needs_workers && next_entry_) begin = std::max(begin, next_entry_(to));
  busy_until = begin + service;
  return busy_until;
}

// When a message that leaves now is there. What comes into a node from others goes through its link
// one after the other.
Seconds VirtualNetwork::arrival(int from, int to, double bytes) {
  Seconds const first = VirtualClock::time() + latency(from, to);
  // Within a node it goes by memory, which no other message keeps from it.
  if (is_near(from, to)) return first;
  Seconds& link_busy_until = link_busy_until_[node_of(to)];
  link_busy_until = std::max(first, link_busy_until) + Seconds{bytes / bandwidth(from, to)};
  return link_busy_until;
}

void VirtualNetwork::go(int from, int to, double bytes, Seconds service, char const* what) {
  if (from == to) return;  // by its own memory: nothing that would be seen beside pieces
  VirtualClock::sleep_until(arrival(from, to, bytes));
  // It may die while the operation travels, and while it waits there to be served.
  expect_alive(from, to, what);
  VirtualClock::sleep_until(served_at(to, VirtualClock::time(), service));
  expect_alive(from, to, what);
}

Seconds VirtualNetwork::tell(int from, int to, double bytes) {
  ++messages_;
  if (from == to) return VirtualClock::time();
  // Not whether `to` is lost: a sender that does not wait does not learn of it.
  return served_at(to, arrival(from, to, bytes), machine_.network.message);
}

}  // namespace makespan::sim
