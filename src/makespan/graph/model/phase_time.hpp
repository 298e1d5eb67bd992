// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long a phase will take with objects where a mapping puts them: what balancers make small.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/link_times.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct PhaseTimes {
  // By place [s].
  std::vector<double> compute_s{};
  std::vector<double> receive_s{};
  // Of the link that ends last: with what it waits for the first object, and without.
  double longest_link_s{0.0};
  double longest_link_busy_s{0.0};

  [[nodiscard]] double total_s(std::size_t place) const {
    return compute_s[place] + receive_s[place];
  }
  // Of the place, or link, that ends last: the phase takes so long.
  [[nodiscard]] double longest_s() const {
    double longest = longest_link_s;
    for (std::size_t place = 0; place < compute_s.size(); ++place) {
      longest = std::max(longest, total_s(place));
    }
    return longest;
  }
};

// What an object's messages cost the place that gets them, were it there.
[[nodiscard]] inline double receive_s(Graph const& graph, Places const& places,
                                      std::span<std::int32_t const> mapping, int object,
                                      int place) {
  double sum = 0.0;
  int const domain = places[place].domain;
  for (Traffic const& in : graph.received(object)) {
    std::int32_t const sender = mapping[static_cast<std::size_t>(in.other)];
    if (sender == place) continue;
    int const from = places[sender].domain;
    sum += static_cast<double>(in.messages) * places.receive_s(from, domain) +
           in.bytes * places.copied_s_per_byte(from, domain);
  }
  return sum;
}

// Links that carry nothing yet. Each waits for as long as an object computes in the mean, over
// objects, and over places by how many of them each would do: before that none has anything to send
// (docs/decisions/0159). O(objects).
[[nodiscard]] LinkTimes idle_links(Graph const& graph, Places const& places);

// Each place computes for its objects one after the other, and pays for the messages that they get
// from other places: the receiver's time for each message (Places::receive_s), and within its node
// the message's bytes over the bandwidth, nothing of it hidden. Where the receiver's time is not
// known it is the latency, which is the cost of a task in Pilla et al., "Asymptotically optimal
// load balancing for hierarchical multi-core systems", ICPADS 2012. Bytes between nodes keep the
// nodes' links busy (LinkTimes), while places compute: all but the first object, for which a link
// waits. What sending takes is part of the sender's load. Waiting for a message that comes late is
// not in it.
[[nodiscard]] PhaseTimes phase_times(Graph const& graph, Places const& places,
                                     std::span<std::int32_t const> mapping);

// The mean of places' times, weighted by speed: what all would take if the work were spread evenly.
[[nodiscard]] double mean_time_s(Places const& places, std::span<double const> times_s);

}  // namespace makespan::graph
