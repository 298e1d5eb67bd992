// SPDX-License-Identifier: Apache-2.0
#pragma once

// An exchange before which something may go wrong on one image only.

#include <cstddef>
#include <functional>
#include <vector>

#include "makespan/pgas/job/job.hpp"

namespace makespan::pgas {

// Collective. The make() of each image, by image. Where it throws, InputError on all images, with
// the text of the first that threw.
[[nodiscard]] std::vector<std::vector<std::byte>> exchange_or_throw_all(
    Job& job, std::function<std::vector<std::byte>()> const& make);

}  // namespace makespan::pgas
