// SPDX-License-Identifier: Apache-2.0
#pragma once

// What probes of messages note down, by pair of places. Which pair is meant comes in messages.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/load_clock.hpp"

namespace makespan::graph {

enum class SendKind : std::int8_t { round_trip, small, large };
inline constexpr int send_kinds = 3;

// On the wall, and of this thread's processor time: where threads take turns on a core, others have
// a part of the wall's.
struct Moment {
  std::int64_t wall_ns;
  std::int64_t cpu_ns;
};
[[nodiscard]] inline Moment this_moment() {
  ThreadClocks const clocks;
  return {.wall_ns = clocks.wall_ns(), .cpu_ns = clocks.cpu_ns()};
}
[[nodiscard]] inline double cpu_since(Moment const& begin) {
  return 1e-9 * static_cast<double>(ThreadClocks{}.cpu_ns() - begin.cpu_ns);
}
[[nodiscard]] inline double wall_since(Moment const& begin) {
  return 1e-9 * static_cast<double>(ThreadClocks{}.wall_ns() - begin.wall_ns);
}

// A message that no probe of this measurement has sent.
[[noreturn]] inline void refuse_probe(std::string const& problem, std::string const& why) {
  throw InputError(problem, why, "start the same executable, with the same input, on all images");
}

// Of one place. Tested by tests/graph/object/message_meter_test.cpp.
class ProbeSamples {
 public:
  struct OfPair {
    std::vector<double> latency_s{};
    std::vector<double> send_s{};
    std::vector<double> receive_s{};
    std::vector<double> large_s{};
  };
  // By pair, whether it is on two hosts.
  explicit ProbeSamples(std::vector<bool> is_of_hosts)
      : pairs_(is_of_hosts.size()), is_of_hosts_(std::move(is_of_hosts)) {}

  // Throw InputError where there is no such pair.
  [[nodiscard]] OfPair& of(std::int32_t pair) { return pairs_[checked(pair)]; }
  [[nodiscard]] OfPair const& of(std::int32_t pair) const { return pairs_[checked(pair)]; }
  [[nodiscard]] bool is_between_hosts(std::int32_t pair) const {
    return is_of_hosts_[checked(pair)];
  }
  // When what is measured here began; throws InputError where nothing is.
  [[nodiscard]] Moment const& begun() const {
    if (!begin) refuse_probe("the end of a measurement", "none has begun here");
    return *begin;
  }
  // Of the receiver's processor; between hosts on the wall, since there what arrives may be slower
  // than the receiver.
  [[nodiscard]] double since_begin_s(std::int32_t pair) const {
    return is_between_hosts(pair) ? wall_since(begun()) : cpu_since(begun());
  }

  SendKind kind{};
  std::optional<Moment> begin{};  // of what is measured here
  int taken{0};                   // messages
  std::int32_t sender{};          // of these
  std::uint64_t sum{0};           // of what large ones held, so that they are read

 private:
  [[nodiscard]] std::size_t checked(std::int32_t pair) const {
    if (pair < 0 || static_cast<std::size_t>(pair) >= pairs_.size()) {
      refuse_probe("a probe of pair " + std::to_string(pair),
                   std::to_string(pairs_.size()) + " pairs are measured");
    }
    return static_cast<std::size_t>(pair);
  }

  std::vector<OfPair> pairs_;
  std::vector<bool> is_of_hosts_;
};

}  // namespace makespan::graph
