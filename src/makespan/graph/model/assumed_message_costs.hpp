// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages cost where that was not measured.

namespace makespan::graph {

// What a message costs the place that gets it, with many under way, since they travel together: so
// not the time of one. On the one machine that we know (two cores of a virtual AMD EPYC,
// docs/performance/objects.md) 0.2 µs from a thread of the image, 0.3 from another image of the
// host; between hosts the share of a TCP packet's cost. Bytes are copied some times on their way.
struct AssumedMessageCosts {
  double image_message_s{0.2e-6};
  double image_bytes_s{10e9};
  double node_message_s{0.3e-6};
  double node_bytes_s{2e9};
  double network_message_s{2e-6};
  double network_bytes_s{1e9};
};

}  // namespace makespan::graph
