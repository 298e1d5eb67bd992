// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mistakes that are made on purpose, to see that the swarm finds them.

#include <array>
#include <string_view>

namespace makespan::swarm {

enum class Fault {
  none,
  lost_wake,           // a notification of a waiting fiber is dropped
  dropped_completion,  // what a worker tells of finished items does not go out
  double_steal,        // a tail is given to a thief, and stays with its victim
  late_result,         // what comes second of an item that was run twice counts
  early_quiet,         // a place answers the coordinator's question with what it reported before
  stale_copy,          // the copy that a place gives its buddy is that of the checkpoint before
  wrong_news,          // a place is told that an object is elsewhere than it is
  torn_order,          // one place is told to move objects elsewhere than the others are
  stale_decision,      // what a place's balancer tells another is what it told before
};

struct FaultEntry {
  Fault fault;
  std::string_view name;
  std::string_view world;  // in which it is planted
};

constexpr std::array<FaultEntry, 9> planted_faults{{
    {Fault::lost_wake, "lost-wake", "bag"},
    {Fault::dropped_completion, "dropped-completion", "bag"},
    {Fault::double_steal, "double-steal", "bag"},
    {Fault::late_result, "late-result", "bag"},
    {Fault::early_quiet, "early-quiet", "objects"},
    {Fault::stale_copy, "stale-copy", "objects"},
    {Fault::wrong_news, "wrong-news", "objects"},
    {Fault::torn_order, "torn-order", "objects"},
    {Fault::stale_decision, "stale-decision", "objects"},
}};

}  // namespace makespan::swarm
