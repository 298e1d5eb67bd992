// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one-sided runtime: images, a symmetric heap, puts, gets, atomics, remote calls, teams.

#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/event.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/memory/strided.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/operation/future.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/pgas/signal.hpp"
#include "makespan/pgas/team.hpp"
#include "makespan/pgas/try_rpc.hpp"
