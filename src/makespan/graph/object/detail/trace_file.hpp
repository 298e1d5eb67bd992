// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traces of places as a file of Trace Event Format: the format of Chromium's "Trace Event Format"
// document, whose processes are images and whose threads are places.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "makespan/graph/object/detail/place_trace.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"

namespace makespan::graph {

// Whose trace it is, and the time that counts as 0.
struct TraceSource {
  int image{};
  int place{};
  std::int64_t origin_ns{};
};

// Its events, a line for each, with a comma after every line. Tested by
// tests/graph/object/trace_file_test.cpp, as the functions below.
[[nodiscard]] std::string trace_events(PlaceTrace const& trace, TraceSource const& source,
                                       WorldPlan const& plan);

// Before a run: throws InputError if the file could not be written.
void expect_trace_file(std::filesystem::path const& file);

// A document of these events. Another file of that name is replaced when it is whole. Throws
// InputError if it cannot be written.
void write_trace_file(std::filesystem::path const& file, std::string_view events);

}  // namespace makespan::graph
