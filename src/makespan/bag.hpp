// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bags: independent items on unequal devices, of one process (bag::run) or of a job of images
// (bag::run_all).

#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/image/run_all.hpp"
#include "makespan/bag/item_failed.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/run.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"
