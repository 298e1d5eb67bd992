// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run of objects shall know of its machine, and what it knew.

#include <string>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/graph/message_cost.hpp"

namespace makespan::graph {

struct MachineUse {
  // "auto": threads are tied to cores where each can have one, and what messages between them cost
  // is measured before the run, or kept from a run before (at most `kept_days` ago) on the same
  // machine by the same build. "none": threads stay untied, and costs are assumed. Else a file that
  // `makespan machine --measure -o` wrote on this host: as "auto", and what the file knows is
  // not measured. Empty: what MAKESPAN_MACHINE says, or "auto".
  std::string from{};
  Seconds budget{1.5};  // of measuring; a pair of threads under way is completed
};

inline constexpr int kept_days = 7;

// Of a world, on all images.
struct MachineFacts {
  // Where the costs of a class of messages come from.
  enum class Source : std::int8_t { measured, kept, file, nearest, assumed };
  struct Class {
    std::string label{};  // see label_of()
    MessageCost cost{};
    Source source{};

    friend bool operator==(Class const&, Class const&) = default;
  };

  std::string from{};                 // MachineUse::from
  std::vector<std::string> levels{};  // that part domains, the widest first
  std::vector<int> domain{};          // by place
  std::vector<int> cpu{};             // by place, that its thread is tied to; -1: none
  // Of all pairs of places that there are; between hosts, of at most 48 pairs of these.
  std::vector<Class> classes{};
};

// "measured", "kept", "file", "nearest", "assumed".
[[nodiscard]] std::string_view name_of(MachineFacts::Source source);

}  // namespace makespan::graph
