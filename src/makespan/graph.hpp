// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs: objects that send each other messages, which place each should have, and programs of
// objects that move.

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/initial_map.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/graph/object/phase_log.hpp"
#include "makespan/graph/object/phase_steps.hpp"
#include "makespan/graph/object/shared_value.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"
#include "makespan/graph/places_of_machine.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"
