// SPDX-License-Identifier: Apache-2.0
#pragma once

// Grids: fields on unequal devices and images, whose halos travel while the inside is computed.

#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/point_stencil.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"
