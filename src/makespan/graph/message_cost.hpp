// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message between two threads of a job costs.

namespace makespan::graph {

// Of a message in LogGP's terms (Alexandrov et al., SPAA 1995,
// https://doi.org/10.1145/215399.215427), with an object's method at both ends. 0 is not known.
struct MessageCost {
  double latency_s{};  // of one alone, from the call of send() to the method that takes it
  double send_s{};     // of the sender's time, of many; part of the load of the object that sends
  double receive_s{};  // of the receiver's time, of many
  double byte_s{};     // more, for each byte

  [[nodiscard]] bool is_known() const { return latency_s > 0.0; }
  friend bool operator==(MessageCost const&, MessageCost const&) = default;
};

}  // namespace makespan::graph
