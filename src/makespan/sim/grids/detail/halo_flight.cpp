// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/halo_flight.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::sim {

HaloFlight::HaloFlight(GridJob const& job, GridRoster const& roster, MessageWays const& ways,
                       GridEventQueue& events)
    : events_{events}, hosts_busy_(job.images.size()) {
  // In the order of link_out(), link_in(), link_to_host() and link_to_device().
  for (int node = 0; node < ways.nodes(); ++node) {
    links_.emplace_back(job.network.out);
    links_.emplace_back(job.network.in);
  }
  for (GridDeviceModel const* model : roster.models) {
    links_.emplace_back(model->to_host);
    links_.emplace_back(model->to_device);
  }
}

void HaloFlight::go_on(int message, int hop, std::int64_t exchange, Seconds first, Seconds last) {
  MessageWay const& way = this->way(message);
  bool const is_there = hop == way.hop_count;
  // Of a message that is there it says nothing, and only must not read past the last hop.
  HopKind const kind = way.hops[static_cast<std::size_t>(hop % std::ssize(way.hops))].kind;
  // Only the network passes on what has not come to its end.
  bool const begins_first =
      !is_there && (kind == HopKind::network_out || kind == HopKind::network_in);
  events_.push({.time = begins_first ? first : last,
                .kind = is_there ? GridEventKind::arrival : GridEventKind::hop,
                .hop = hop,
                .subject = message,
                .tag = exchange,
                .first = first,
                .last = last});
}

void HaloFlight::pass(GridEvent const& event) {
  MessageWay const& way = this->way(event.subject);
  Hop const& hop = way.hops[static_cast<std::size_t>(event.hop)];
  double const bytes = way.bytes;
  auto const next = [&](Seconds first, Seconds last) {
    go_on(event.subject, event.hop + 1, event.tag, first, last);
  };
  switch (hop.kind) {
    case HopKind::link: {
      // Links and hosts have all of a message before they pass it on.
      LinkQueue& here = link(hop.at);
      Seconds const there = here.pass(event.last, event.last, bytes) + here.model().latency;
      return next(there, there);
    }
    case HopKind::peer: {
      LinkQueue& here = link(hop.at);
      LinkQueue& other = link(hop.beside);
      Seconds const through =
          std::max({here.pass(event.last, event.last, bytes),
                    other.pass(event.last, event.last, bytes), event.last + hop.taking});
      Seconds const there = through + here.model().latency + other.model().latency;
      return next(there, there);
    }
    case HopKind::network_out: {
      LinkQueue& out = link(hop.at);
      Seconds const left = out.pass(event.first, event.last, bytes);
      // Its first byte enters the network as soon as the link is free for it.
      Seconds const began = std::max(event.first, left - Seconds{bytes / out.model().bandwidth});
      return next(began + out.model().latency, left + out.model().latency);
    }
    case HopKind::network_in:
      return next(event.first, link(hop.at).pass(event.first, event.last, bytes));
    case HopKind::host: {
      Seconds& busy = hosts_busy_[static_cast<std::size_t>(hop.at)];
      busy = std::max(busy, event.last) + hop.taking;
      return next(busy, busy);
    }
  }
}

}  // namespace makespan::sim
