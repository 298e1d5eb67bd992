// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts of all images, which image 0 writes to one file.

#include <string>

#include "makespan/pgas/team.hpp"

namespace makespan::graph {

// At rank 0, the texts of all ranks one after the other; elsewhere `own`. Collective, and blocks.
// Memory is taken as they arrive. Throws ImageFailed, and BadMessage for a length that no text has.
// Tested by tests/graph/object/gathered_text_test.cpp.
[[nodiscard]] std::string gathered_text_all(pgas::Team& team, std::string const& own);

}  // namespace makespan::graph
