// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/message_costs.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

MessageCosts::MessageCosts(int domains)
    : domains_(static_cast<std::size_t>(domains)),
      messages_(domains_),
      bytes_(domains_),
      is_heard_(domains_) {
}

MessageCosts MessageCosts::in_seconds(Places const& places) {
  MessageCosts costs(places.domains());
  for (int from = 0; from < places.domains(); ++from) {
    for (int to = 0; to < places.domains(); ++to) {
      costs.message_s_.push_back(places.receive_s(from, to));
      costs.byte_s_.push_back(places.seconds_per_byte(from, to));
    }
  }
  return costs;
}

MessageCosts MessageCosts::by_nuco_factor(Places const& places, double alpha_s) {
  MessageCosts costs(places.domains());
  for (int from = 0; from < places.domains(); ++from) {
    for (int to = 0; to < places.domains(); ++to) {
      // As published: what comes from its own domain is taken off (nucolb.hpp).
      costs.message_s_.push_back(alpha_s * (from == to ? -1.0 : places.nuco_factor(from, to)));
    }
  }
  return costs;
}

void MessageCosts::add_received(std::span<Traffic const> received,
                                std::span<std::int32_t const> domain_of, std::span<double> sums_s) {
  MAKESPAN_EXPECT(sums_s.size() == domains_);
  heard_.clear();
  for (Traffic const& in : received) {
    std::int32_t const domain = domain_of[static_cast<std::size_t>(in.other)];
    auto const at = static_cast<std::size_t>(domain);
    if (is_heard_[at] == 0) {
      is_heard_[at] = 1;
      heard_.push_back(domain);
    }
    messages_[at] += static_cast<double>(in.messages);
    bytes_[at] += in.bytes;
  }

  // Rows are contiguous, so that these loops are vector instructions.
  double* const sums = sums_s.data();
  for (std::int32_t const domain : heard_) {
    auto const at = static_cast<std::size_t>(domain);
    double const messages = messages_[at];
    double const* const message_s = message_s_.data() + at * domains_;
    if (byte_s_.empty()) {
      for (std::size_t to = 0; to < domains_; ++to) sums[to] += messages * message_s[to];
    } else {
      double const bytes = bytes_[at];
      double const* const byte_s = byte_s_.data() + at * domains_;
      for (std::size_t to = 0; to < domains_; ++to) {
        sums[to] += messages * message_s[to] + bytes * byte_s[to];
      }
    }
    messages_[at] = 0.0;
    bytes_[at] = 0.0;
    is_heard_[at] = 0;
  }
}

}  // namespace makespan::graph
