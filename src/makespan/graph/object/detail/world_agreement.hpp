// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images of a world must have been given alike: places of different images that go by
// different options wait for each other for ever, or call a balancer that another one has not.

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::graph {

// One thing that is to be the same, and what to say where it is not.
struct AgreedPart {
  std::string_view what{};
  std::uint64_t hash{};
  std::string_view why{"images of the job have been given others"};
  std::string_view right{"give all images the same"};
};

// What world and balancer go by. What image 0 says for all, as the trace, is none of them, and
// places and machine are compared where they are looked up. Tested by
// tests/graph/object/world_agreement_test.cpp, as the functions below.
[[nodiscard]] std::vector<AgreedPart> agreed_options(WorldOptions const& options);
// Collections, and the phases that a run has.
[[nodiscard]] std::vector<AgreedPart> agreed_run(WorldPlan const& plan,
                                                 ObjectProgram const& program);

// Collective. Throws InputError on all images for the first part that is not the same on all.
void expect_agreement_all(pgas::Team& team, std::vector<AgreedPart> const& parts);

// As first_phase_of(). Collective: throws on all images where one cannot read it.
[[nodiscard]] std::int64_t first_phase_all(pgas::Team& team,
                                           std::filesystem::path const& checkpoint);

}  // namespace makespan::graph
