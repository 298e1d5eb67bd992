// SPDX-License-Identifier: Apache-2.0
#pragma once

// How far the measured load of a place can be trusted, from objects that were measured twice.

#include "makespan/graph/protocol/place_speeds.hpp"

namespace makespan::graph {

// The relative standard deviation of what one phase says of a place's work: of the objects of a
// place that stayed there, how their time in sum changed beside the median change of places, over
// sqrt(2), since both measurements err. By the median absolute deviation, times 1.4826 for normal
// errors (Hampel, "The influence curve and its role in robust estimation", J. Am. Stat. Assoc. 69,
// 1974). By place, since what disturbs one object often disturbs its neighbours. Work that itself
// changes counts as error, too: a load that will be another one the next time cannot be trusted
// either. `otherwise` where fewer than `samples_min` places tell. Tested by
// tests/graph/protocol/load_noise_test.cpp.
[[nodiscard]] double load_noise(ObjectTimes const& times, int places, double otherwise,
                                int samples_min = 4);

}  // namespace makespan::graph
