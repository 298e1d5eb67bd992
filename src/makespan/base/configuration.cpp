// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/configuration.hpp"

#include "git_commit.hpp"

namespace makespan {

Configuration const& configuration() {
  // The MAKESPAN_BUILD_… words come from CMakeLists.txt beside this file.
  static constexpr Configuration built{
      .version = MAKESPAN_BUILD_VERSION,
      .git_commit = makespan_git_commit,
      .compiler = MAKESPAN_BUILD_COMPILER,
      .build_type = MAKESPAN_BUILD_TYPE,
      .contracts = MAKESPAN_BUILD_CONTRACTS,
  };
  return built;
}

}  // namespace makespan
