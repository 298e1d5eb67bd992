// SPDX-License-Identifier: Apache-2.0
#pragma once

// Worlds of one kind, by seed: run, told as a story, and made smaller while what broke still
// breaks.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "swarm/faults.hpp"
#include "swarm/verdict.hpp"
#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

struct WorldKind {
  std::string_view name;
  std::function<Verdict(std::uint64_t seed, Fault fault)> run;
  // Lines of what there is, what happens, and what does not hold.
  std::function<Verdict(std::uint64_t seed, Fault fault, Story const& story)> tell;
  // The same of the smallest world that was found in which something does not hold either. The
  // seed's world must be such a one.
  std::function<Verdict(std::uint64_t seed, Fault fault, Story const& story)> tell_smallest;
};

[[nodiscard]] std::span<WorldKind const> world_kinds();

}  // namespace makespan::swarm
