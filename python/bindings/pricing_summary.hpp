// SPDX-License-Identifier: Apache-2.0
// What a pricing run did, as dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include "makespan/apps/asian/run/pricing_run.hpp"

namespace bindings {

[[nodiscard]] nanobind::dict plain(makespan::asian::OverdueNote const& note);
[[nodiscard]] nanobind::dict plain(makespan::asian::RunSummary const& summary);

}  // namespace bindings
