// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a run of objects writes what happened at its places.

#include <cstdint>
#include <filesystem>

namespace makespan::graph {

// In Trace Event Format (a JSON file that ui.perfetto.dev opens): methods of objects by place,
// phases, decisions, and objects that came. Times count from the beginning of the run; those of
// hosts are set equal there, and drift apart as their clocks do. A method takes two
// readings of the clock more. It is written by image 0, after a run that ended well; where images
// were lost on the way, of image 0 alone.
struct TraceUse {
  // Empty: what MAKESPAN_TRACE says, and without that nothing is recorded; "none": nothing is. A
  // program's later run replaces the file of an earlier one.
  std::filesystem::path file{};
  // Methods, phases and the like that each place keeps: of what comes after it says only how many
  // there were. Methods of one object in a row are one, where less than 1 µs lies between them;
  // decisions likewise.
  std::int64_t spans_max{100'000};
};

// With the environment's file where none is named.
[[nodiscard]] TraceUse asked_trace(TraceUse use);

}  // namespace makespan::graph
