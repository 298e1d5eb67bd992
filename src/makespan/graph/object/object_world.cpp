// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/object_world.hpp"

#include <atomic>
#include <exception>
#include <span>
#include <thread>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/graph/object/detail/gathered_text.hpp"
#include "makespan/graph/object/detail/message_router.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/detail/place_errors.hpp"
#include "makespan/graph/object/detail/trace_file.hpp"
#include "makespan/graph/object/detail/world_agreement.hpp"
#include "makespan/graph/object/detail/world_machine.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/thread/freed_memory.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::graph {

namespace {

// Collective. Places are numbered image by image, so all have as many.
int agreed_threads_all(pgas::Runtime& runtime, int threads) {
  pgas::Team& team = runtime.team();
  int const most = team.all_reduce_all(pgas::ReduceOp::max, threads);
  int const least = team.all_reduce_all(pgas::ReduceOp::min, threads);
  if (least == most && least >= 1 && most <= runtime.describe().threads) return threads;
  throw InputError("places of an image = " + std::to_string(threads),
                   "all images have as many, at least 1, and their runtime as many threads (" +
                       std::to_string(runtime.describe().threads) + ")",
                   "give world and runtime the same number of threads");
}

// In pieces of which a team makes copies: what MPI still uses when an image is lost is not ours.
template <class T, class Act>
void in_pieces(std::span<T> all, Act const& act) {
  constexpr std::size_t most = pgas::Team::copied_bytes_max / sizeof(T);
  while (!all.empty()) {
    std::size_t const size = std::min(most, all.size());
    act(all.first(size));
    all = all.subspan(size);
  }
}

template <class T>
void sum_over_images(pgas::Runtime& runtime, std::span<T> values) {
  in_pieces(values, [&](std::span<T> piece) {
    std::vector<T> const mine(piece.begin(), piece.end());
    runtime.team().all_reduce_all(pgas::ReduceOp::sum, std::span<T const>(mine), piece);
  });
}

// Threads that wait for each other begin when all of them are there, or not at all.
class CommonStart {
 public:
  void give() { tell(Word::given); }
  void call_off() { tell(Word::called_off); }
  // Blocks until it is given or called off.
  [[nodiscard]] bool is_given() const {
    word_.wait(Word::none);
    return word_ == Word::given;
  }

 private:
  enum class Word : int { none, given, called_off };
  void tell(Word word) {
    word_ = word;
    word_.notify_all();
  }
  std::atomic<Word> word_{Word::none};
};

}  // namespace

ObjectWorld::ObjectWorld(pgas::Runtime& runtime, WorldOptions const& options)
    : ObjectWorld(runtime, options,
                  world_machine_all(runtime, agreed_threads_all(runtime, options.threads),
                                    options.machine)) {
}

ObjectWorld::ObjectWorld(pgas::Runtime& runtime, WorldOptions options, WorldMachine machine)
    : ObjectHost({.options = std::move(options), .layout = std::move(machine.layout)}),
      runtime_(runtime),
      router_(std::make_unique<MessageRouter>(runtime, plan().options.threads)),
      machine_(std::move(machine.facts)),
      cpus_(std::move(machine.cpus)) {
  expect_agreement_all(runtime_.team(), agreed_options(plan().options));
  check(plan().options.balance.trigger);
  // What a balancer does not like shows here, on all images.
  static_cast<void>(Rebalancer(plan().options.balance, plan().balanced_objects(), plan().layout));
}

ObjectWorld::~ObjectWorld() = default;

int ObjectWorld::places() const {
  return router_->places();
}

void ObjectWorld::sum_all(std::span<std::int64_t> values) {
  sum_over_images(runtime_, values);
}

void ObjectWorld::sum_all(std::span<std::uint64_t> values) {
  sum_over_images(runtime_, values);
}

void ObjectWorld::sum_all(std::span<double> values) {
  sum_over_images(runtime_, values);
}

void ObjectWorld::run_all(ObjectProgram const& program) {
  plan().first_phase = first_phase_all(runtime_.team(), plan().options.checkpoint.from);
  expect_agreement_all(runtime_.team(), agreed_run(plan(), program));
  // Or phases would take and return the same pages again and again (docs/decisions/0064).
  keep_freed_memory();
  // Envelopes of an earlier run, and of its restarts, have lower numbers.
  plan().generation += generations_of_a_run;
  agree_on_trace_all();
  int const threads = router_->threads();
  std::vector<std::unique_ptr<RuntimeMessenger>> messengers;
  std::vector<std::unique_ptr<PlaceCore>> here;
  here.reserve(static_cast<std::size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) {
    messengers.push_back(std::make_unique<RuntimeMessenger>(*router_, thread));
    here.push_back(std::make_unique<PlaceCore>(plan(), program, *messengers.back()));
  }
  std::vector<std::exception_ptr> const errors = run_threads(here);
  // Those that were lost lend no hand to a collective, and a run that was given up has no trace.
  bool const has_ended = here.front()->has_ended();
  bool are_all_there = true;
  for (int place = 0; place < places(); ++place) {
    are_all_there = are_all_there && !here.front()->is_lost(place);
  }
  std::string const events = has_ended ? here_traced(here) : std::string();
  // Objects go first: what they held is given back, too.
  here.clear();
  give_back_freed_memory();
  // Before what end() threw here, since other images know nothing of that. It says more than that
  // there is no trace.
  std::exception_ptr no_trace;
  try {
    if (has_ended && !plan().trace.file.empty()) write_trace(events, are_all_there);
  } catch (...) {
    no_trace = std::current_exception();
  }
  rethrow_first(errors);
  if (no_trace) std::rethrow_exception(no_trace);
}

// Each place in a thread of its own, the first in this one; blocks until all have ended.
std::vector<std::exception_ptr> ObjectWorld::run_threads(
    std::span<std::unique_ptr<PlaceCore> const> here) {
  std::vector<std::exception_ptr> errors(here.size());
  auto const run = [&](std::size_t at) {
    machine::PinScope const pin(cpus_[at]);
    try {
      here[at]->run();
    } catch (...) {
      errors[at] = std::current_exception();
    }
  };
  CommonStart start;
  std::vector<std::jthread> others;
  others.reserve(here.size());
  try {
    for (std::size_t at = 1; at < here.size(); ++at) {
      others.emplace_back([&run, &start, at] {
        if (start.is_given()) run(at);
      });
    }
  } catch (...) {
    start.call_off();
    throw;
  }
  start.give();
  run(0);
  others.clear();
  return errors;
}

// --- traces

// As image 0 says: all images trace, or none. Their origin of time is this moment.
void ObjectWorld::agree_on_trace_all() {
  TraceUse& trace = plan().trace;
  trace = asked_trace(plan().options.trace);
  pgas::Team& team = runtime_.team();
  bool const is_first = runtime_.image() == ImageId{0};
  std::exception_ptr error;
  try {
    if (is_first && !trace.file.empty()) expect_trace_file(trace.file);
  } catch (...) {
    error = std::current_exception();
  }
  enum class Word : int { none, traced, refused };
  Word const mine = error ? Word::refused : trace.file.empty() ? Word::none : Word::traced;
  auto const word = static_cast<Word>(team.broadcast_all(static_cast<int>(mine), 0));
  if (error) std::rethrow_exception(error);
  if (word == Word::refused) throw InputError("image 0 cannot write the trace");
  if (word == Word::none) trace.file.clear();
  // Others need not know the name.
  if (word == Word::traced && !is_first) trace.file = "-";
  trace_origin_ns_ = ThreadClocks{}.wall_ns();
}

std::string ObjectWorld::here_traced(std::span<std::unique_ptr<PlaceCore> const> here) {
  std::string events;
  auto const image = static_cast<int>(runtime_.image().value());
  for (auto const& place : here) {
    if (place->trace() == nullptr) continue;
    TraceSource const source{
        .image = image, .place = place->place(), .origin_ns = trace_origin_ns_};
    events += trace_events(*place->trace(), source, plan());
  }
  return events;
}

void ObjectWorld::write_trace(std::string const& own, bool are_all_there) {
  std::string const all = are_all_there ? gathered_or_own_all(own) : own;
  if (runtime_.image() == ImageId{0}) write_trace_file(plan().trace.file, all);
}

std::string ObjectWorld::gathered_or_own_all(std::string const& own) {
  try {
    return gathered_text_all(runtime_.team(), own);
  } catch (ImageFailed const&) {
    // Since the run ended: it was a good one, and what this image has is there.
    return own;
  }
}

}  // namespace makespan::graph
