// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/message_way.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace makespan::sim {

namespace {

void add_hop(MessageWay& way, Hop const& hop) {
  way.hops[static_cast<std::size_t>(way.hop_count++)] = hop;
}

// Of packing on one side, with the link of devices whose thread waits for it.
Seconds handling(GridDeviceModel const& model, LinkModel const& link, double bytes) {
  Seconds const by_link = link.latency + Seconds{bytes / link.bandwidth};
  return model.message + Seconds{bytes / model.pack_bandwidth} +
         (model.has_memory && model.is_queued ? by_link : Seconds{});
}

}  // namespace

struct MessageWays::Ends {
  int from{};  // devices
  int to{};
  int from_image{};
  int to_image{};
  int from_node{};
  int to_node{};
  bool has_link_from{};  // that messages pass by themselves
  bool has_link_to{};
};

MessageWays::MessageWays(GridJob const& job, GridRoster const& roster)
    : job_{job}, roster_{roster} {
  for (GridImageModel const& image : job.images) nodes_ = std::max(nodes_, image.node + 1);
}

Seconds MessageWays::host_time(double bytes) const {
  return job_.network.relay + Seconds{bytes / job_.network.relay_bandwidth};
}

Seconds MessageWays::network_time(MessageWay const& way, Seconds piece) const {
  return way.pieces * piece + Seconds{way.bytes / job_.network.copy_bandwidth};
}

void MessageWays::add_within_node(MessageWay& way, Ends const& ends) const {
  bool const is_relayed =
      job_.route == grid::Route::relayed &&
      (ends.from_image != ends.to_image || ends.has_link_from || ends.has_link_to);
  GridDeviceModel const& sender = *roster_.models[static_cast<std::size_t>(ends.from)];
  bool const are_peers = ends.has_link_from && ends.has_link_to && sender.peer_bandwidth > 0.0;
  if (are_peers && !is_relayed) {
    add_hop(way, {.kind = HopKind::peer,
                  .at = link_to_host(ends.from),
                  .beside = link_to_device(ends.to),
                  .taking = Seconds{way.bytes / sender.peer_bandwidth}});
    return;
  }
  if (ends.has_link_from) add_hop(way, {.kind = HopKind::link, .at = link_to_host(ends.from)});
  if (is_relayed) {
    add_hop(way, {.kind = HopKind::host, .at = ends.from_image, .taking = host_time(way.bytes)});
    if (ends.from_image != ends.to_image) {
      add_hop(way, {.kind = HopKind::host, .at = ends.to_image, .taking = host_time(way.bytes)});
    }
  }
  if (ends.has_link_to) add_hop(way, {.kind = HopKind::link, .at = link_to_device(ends.to)});
}

void MessageWays::add_between_nodes(MessageWay& way, Ends const& ends) const {
  bool const is_relayed = job_.route == grid::Route::relayed;
  Seconds const send = network_time(way, job_.network.send);
  Seconds const receive = network_time(way, job_.network.receive);
  Seconds const by_host = is_relayed ? host_time(way.bytes) : Seconds{};
  // Threads of devices in the host's memory put and receive themselves; of others the host does.
  bool const host_sends = is_relayed || ends.has_link_from;
  bool const host_receives = is_relayed || ends.has_link_to;
  way.crosses_nodes = true;
  // A host that relays has a copy, so the sender's buffer is free at once.
  way.is_put = !is_relayed;
  if (ends.has_link_from) add_hop(way, {.kind = HopKind::link, .at = link_to_host(ends.from)});
  if (host_sends) {
    add_hop(way, {.kind = HopKind::host, .at = ends.from_image, .taking = by_host + send});
  } else {
    way.send = send;
  }
  add_hop(way, {.kind = HopKind::network_out, .at = link_out(ends.from_node)});
  add_hop(way, {.kind = HopKind::network_in, .at = link_in(ends.to_node)});
  if (host_receives) {
    add_hop(way, {.kind = HopKind::host, .at = ends.to_image, .taking = by_host + receive});
  } else {
    way.receive = receive;
  }
  if (ends.has_link_to) add_hop(way, {.kind = HopKind::link, .at = link_to_device(ends.to)});
}

MessageWay MessageWays::way(grid::HaloMessage const& message, int from_device,
                            int to_device) const {
  GridDeviceModel const& from = *roster_.models[static_cast<std::size_t>(from_device)];
  GridDeviceModel const& to = *roster_.models[static_cast<std::size_t>(to_device)];
  MessageWay way{.bytes = static_cast<double>(message.from.points() * job_.fields) * 8.0};
  way.pieces = std::ceil(way.bytes / static_cast<double>(job_.network.piece_bytes));
  way.pack = handling(from, from.to_host, way.bytes);
  way.unpack = handling(to, to.to_device, way.bytes);
  // Slabs of one device: no hop, and no link, but that of handling().
  if (from_device == to_device) return way;
  Ends ends{.from = from_device,
            .to = to_device,
            .from_image = roster_.image_of[static_cast<std::size_t>(from_device)],
            .to_image = roster_.image_of[static_cast<std::size_t>(to_device)],
            .has_link_from = from.has_memory && !from.is_queued,
            .has_link_to = to.has_memory && !to.is_queued};
  ends.from_node = job_.images[static_cast<std::size_t>(ends.from_image)].node;
  ends.to_node = job_.images[static_cast<std::size_t>(ends.to_image)].node;
  if (ends.from_node == ends.to_node) {
    add_within_node(way, ends);
  } else {
    add_between_nodes(way, ends);
  }
  return way;
}

}  // namespace makespan::sim
