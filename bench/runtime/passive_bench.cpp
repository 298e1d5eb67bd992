// SPDX-License-Identifier: Apache-2.0
// Fetch-and-add on a counter of an image that computes for a second without calling the runtime.
//
//   mpiexec -hosts a,b -n 2 passive_bench --rounds 5 --compute-s 1 --per-second 3000
//     --transports tcp --memory remote --runtime yes
//
// --memory shared, on one node: also by the processor alone. --runtime no: only MPI, in a process
// without ours, whose heartbeats would give MPI a turn now and then.

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_passive.hpp"

namespace makespan::bench {
namespace {

PassiveShape shape_of(Arguments const& arguments) {
  return {.compute_s = arguments.number("compute-s"), .per_second = arguments.number("per-second")};
}

void measure_mpi(MpiSession const& session, Arguments const& arguments) {
  MpiWindow const window;
  std::vector<Contestant> contestants;
  add_passive(contestants, session, shape_of(arguments), "mpi.fetch_add",
              mpi_passive(session, window));
  run_interleaved(session, contestants, arguments.integer("rounds"));
  session.barrier();
}

void measure(MpiSession const& session, Arguments const& arguments) {
  PassiveShape const shape = shape_of(arguments);
  UcxContext const context(session, arguments.text("transports"), 4096);
  UcxLane<NoMutex> lane(context, UCS_THREAD_MODE_SERIALIZED);
  std::jthread progress_thread;
  Ours ours(session, {});

  std::vector<Contestant> contestants;
  auto const add = [&](std::string const& name, PassiveWay const& way) {
    add_passive(contestants, session, shape, name, way);
  };
  add("undisturbed", without_operations(session));
  add("makespan.fetch_add", ours_passive(ours));
  add("ucx.fetch_add", ucx_passive(lane));
  add("ucx_events.fetch_add", ucx_event_passive(lane, progress_thread));
  std::optional<SharedWords> shared;
  if (arguments.text("memory") == "shared") {
    add("atomic_ref.fetch_add", atomic_ref_passive(session, shared.emplace()));
  }
  run_interleaved(session, contestants, arguments.integer("rounds"));
  session.barrier();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  want_exact_naps();
  return run_bench(argc, argv, [&](MpiSession const& session) {
    // The computation and whatever serves others share a core; the active image has another.
    pin_to_core(session.is_active() ? 0 : 1);
    Arguments const arguments(argc, argv);
    if (arguments.text("runtime") == "no") {
      measure_mpi(session, arguments);
    } else {
      measure(session, arguments);
    }
  });
}
