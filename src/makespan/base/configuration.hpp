// SPDX-License-Identifier: Apache-2.0
#pragma once

// What this build of makespan is: the part of a run record that the engine knows about itself.

#include <string_view>

namespace makespan {

struct Configuration {
  std::string_view version;  // "0.1.0"
  std::string_view
      git_commit;  // abbreviated hash, "-dirty" after it when files differ; "unknown" without git
  std::string_view compiler;    // "GNU 12.2.0"
  std::string_view build_type;  // "Release"
  std::string_view contracts;   // "off", "cheap" or "costly"
};

[[nodiscard]] Configuration const& configuration();

}  // namespace makespan
