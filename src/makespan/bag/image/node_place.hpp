// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where on its node this image is, as its launcher says; asked before the job is joined.

#include "makespan/machine/node_share.hpp"

namespace makespan::bag {

// The only image of its node if the launcher says nothing, or there was none.
[[nodiscard]] machine::NodePlace node_place();

// Images of the job that this process was launched as a part of; 1 if it was not, or if the
// launcher does not say.
[[nodiscard]] int images_launched();

}  // namespace makespan::bag
