// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/virtual_object_world.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"
#include "makespan/graph/object/detail/core_clock.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/detail/place_errors.hpp"
#include "makespan/graph/object/detail/trace_file.hpp"
#include "makespan/graph/object/detail/virtual_places.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "makespan/graph/object/thread/fiber.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"

namespace makespan::graph {

namespace {

// Places of an image: those of a node, where all nodes have as many in a row.
int threads_of_images(Places const& machine) {
  auto const node = [&](int place) { return machine.node(machine[place].domain); };
  int first = 0;
  while (first < machine.count() && node(first) == node(0)) ++first;
  if (machine.count() % first != 0) return 1;
  for (int place = 0; place < machine.count(); ++place) {
    bool const is_begun = place % first == 0;
    bool const is_as_before = place > 0 && node(place) == node(place - 1);
    if (place > 0 && is_begun == is_as_before) return 1;
  }
  return first;
}

MachineFacts facts_of(Places const& machine) {
  MachineFacts facts{.from = "virtual"};
  for (Place const& place : machine.all()) facts.domain.push_back(place.domain);
  facts.cpu.assign(facts.domain.size(), -1);
  return facts;
}

}  // namespace

VirtualObjectWorld::VirtualObjectWorld(Places machine, WorldOptions options,
                                       VirtualOptions virtual_options)
    : ObjectHost({.options = std::move(options), .layout = layout_of(machine)}),
      machine_(std::move(machine)),
      options_(std::move(virtual_options)),
      facts_(facts_of(machine_)) {
  check(plan().options.balance.trigger);
  if (!(options_.program_times > 0.0) || !std::isfinite(options_.program_times)) {
    throw InputError("program_times = " + short_text(options_.program_times),
                     "methods take so many times what is measured: a finite number above 0",
                     "leave it out, or give 10, say");
  }
  int const threads = plan().options.threads = threads_of_images(machine_);
  for (int place = 0; place < machine_.count(); ++place) {
    plan().layout.memory.push_back(place / threads);
  }
  // What a balancer does not like shows here.
  static_cast<void>(Rebalancer(plan().options.balance, plan().balanced_objects(), plan().layout));
}

void VirtualObjectWorld::run_all(ObjectProgram const& program) {
  plan().generation += generations_of_a_run;
  plan().first_phase = first_phase_of(plan().options.checkpoint.from);
  TraceUse const& trace = plan().trace = asked_trace(plan().options.trace);
  if (!trace.file.empty()) expect_trace_file(trace.file);
  CoreClock<> clock;
  VirtualOptions options = options_;
  if (!options.cpu_ns) options.cpu_ns = [&clock] { return clock.now_ns(); };
  VirtualPlaces places(machine_, plan().options.threads, options);
  std::vector<std::unique_ptr<PlaceCore>> cores;
  cores.reserve(static_cast<std::size_t>(machine_.count()));
  for (int place = 0; place < machine_.count(); ++place) {
    cores.push_back(std::make_unique<PlaceCore>(plan(), program, places.messenger(place)));
  }
  std::vector<std::exception_ptr> errors(cores.size());
  bool const have_ended = places.run([&](int place) {
    auto const at = static_cast<std::size_t>(place);
    try {
      cores[at]->run();
    } catch (Unwound const&) {
      // How a place that still waits is ended; no error of the program.
      throw;
    } catch (...) {
      errors[at] = std::current_exception();
    }
  });
  rethrow_first(errors);
  if (!have_ended) throw ObjectRunFailed("nothing happens any more, and phases are left");
  if (trace.file.empty()) return;
  std::string events;
  for (int place = 0; place < machine_.count(); ++place) {
    events += trace_events(*cores[static_cast<std::size_t>(place)]->trace(),
                           {.image = place / plan().options.threads, .place = place}, plan());
  }
  write_trace_file(trace.file, events);
}

}  // namespace makespan::graph
