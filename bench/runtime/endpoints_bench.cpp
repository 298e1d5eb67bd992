// SPDX-License-Identifier: Apache-2.0
// Threads that share one way into the network, against threads that have one each.
//
//   mpiexec -n 2 endpoints_bench --threads 2 --rounds 15 --block-ms 50 --transports posix,cma
//     --target sleeps

#include <string>
#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_ucx_designs.hpp"

namespace makespan::bench {
namespace {

Target target_of(std::string const& word) {
  if (word == "sleeps") return Target::sleeps;
  if (word == "polls") return Target::polls;
  throw std::invalid_argument{"--target " + word + " (it sleeps, or it polls)"};
}

template <class Mutex>
void add_design(std::vector<Contestant>& contestants, std::string const& name,
                MpiSession const& session, UcxDesign<Mutex>& design, ThreadBlock const& shape) {
  auto const add = [&](std::string const& what, ThreadOperation operation) {
    contestants.push_back({name + "." + what, [=, &session, &design] {
                             return design.block(session, shape, operation);
                           }});
  };
  add("put_flush", ThreadOperation::put_flush);
  add("put_many", ThreadOperation::put_many);
  add("put_64k", ThreadOperation::put_large);
}

void add_ours(std::vector<Contestant>& contestants, std::string const& name, Ours& ours,
              ThreadBlock const& shape) {
  auto const add = [&](std::string const& what, OursThreads::Operation operation) {
    contestants.push_back(
        {name + "." + what, [=, &ours] { return OursThreads(ours).block(shape, operation); }});
  };
  add("put_flush", OursThreads::Operation::put_flush);
  add("put_many", OursThreads::Operation::put_many);
  add("put_64k", OursThreads::Operation::put_large);
}

pgas::RuntimeOptions options_of(pgas::EndpointDesign design, int threads) {
  pgas::RuntimeOptions options;
  options.design = design;
  options.threads = threads;
  // Idle threads of the passive image would look into each other's channels.
  options.stealing = pgas::Stealing::off;
  return options;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan;
  using namespace makespan::bench;
  return run_bench(argc, argv, [&](MpiSession const& session) {
    Arguments const arguments(argc, argv);
    ThreadBlock const shape{.threads = arguments.integer("threads"),
                            .seconds = 1e-3 * arguments.number("block-ms"),
                            .target = target_of(arguments.text("target"))};
    auto const threads = static_cast<std::size_t>(shape.threads);
    UcxContext const context(session, arguments.text("transports"),
                             threads * UcxThreadWork<NoMutex>::bytes_per_thread);
    UcxDesign<std::mutex> mutex(context, 1, UCS_THREAD_MODE_SERIALIZED);
    UcxDesign<NoMutex> locked_by_ucx(context, 1, UCS_THREAD_MODE_MULTI);
    UcxDesign<NoMutex> per_thread(context, shape.threads, UCS_THREAD_MODE_SERIALIZED);

    using pgas::EndpointDesign;
    Ours global(session, options_of(EndpointDesign::shared_global_lock, shape.threads));
    Ours fine(session, options_of(EndpointDesign::shared_fine_lock, shape.threads));
    Ours own(session, options_of(EndpointDesign::per_thread, shape.threads));
    pgas::RuntimeOptions alone = options_of(EndpointDesign::per_thread, shape.threads);
    alone.progress_stealing = pgas::Stealing::off;
    Ours not_stolen(session, alone);

    std::vector<Contestant> contestants;
    add_ours(contestants, "makespan.shared_global_lock", global, shape);
    add_ours(contestants, "makespan.shared_fine_lock", fine, shape);
    add_ours(contestants, "makespan.per_thread", own, shape);
    add_ours(contestants, "makespan.not_stolen", not_stolen, shape);
    add_design(contestants, "ucx.shared_mutex", session, mutex, shape);
    add_design(contestants, "ucx.shared_multi", session, locked_by_ucx, shape);
    add_design(contestants, "ucx.per_thread", session, per_thread, shape);
    run_interleaved(session, contestants, arguments.integer("rounds"));
    session.barrier();
  });
}
