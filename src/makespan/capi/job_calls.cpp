// SPDX-License-Identifier: Apache-2.0
// The boundary's functions of the job: beginning, ending, endpoints, lost images.
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/status_of.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/options.hpp"

namespace makespan::capi {

namespace {

// The endpoint that a thread has taken as its own.
thread_local makespan_endpoint* here_of_thread = nullptr;

// The runtimes that this process has had; the last one may be open. Never destroyed: a program that
// exits in the middle must not end its part of a job while its helper threads run.
class Runtimes {
 public:
  // Throws InputError while one is open.
  makespan_runtime& begin(pgas::RuntimeOptions const& options) {
    // For as long as images wait for each other: a second thread that begins waits here, and is
    // refused then.
    std::scoped_lock const lock(mutex_);
    if (!handles_.empty() && handles_.back().engine) {
      throw InputError("makespan_begin_all while a runtime is open",
                       "a process is one image of one job", "call makespan_end_all before");
    }
    // In a deque: callers keep addresses of earlier ones, which a vector would move.
    makespan_runtime& handle = handles_.emplace_back();
    try {
      handle.engine.emplace(options);
    } catch (...) {
      handles_.pop_back();
      throw;
    }
    return handle;
  }

  // Null: of no runtime here.
  makespan_endpoint* find(pgas::Endpoint const& engine) {
    std::scoped_lock const lock(mutex_);
    if (handles_.empty()) return nullptr;
    for (makespan_endpoint& each : handles_.back().endpoints) {
      if (each.engine == &engine) return &each;
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::deque<makespan_runtime> handles_;
};

Runtimes& runtimes() {
  static auto* const all = new Runtimes;
  return *all;
}

template <class Choice>
Choice choose(std::int32_t value, Choice last, std::string_view name) {
  // The engine's enumerations count as those of pgas.h do.
  if (value >= 0 && value <= static_cast<std::int32_t>(last)) return static_cast<Choice>(value);
  throw InputError(
      "makespan_begin_all: options." + std::string(name) + " = " + std::to_string(value),
      "there is no such choice",
      "it is one of 0 to " + std::to_string(static_cast<int>(last)) + "; see capi/pgas.h");
}

// Throws InputError where there is no such choice.
void take_choices(pgas::RuntimeOptions& options, makespan_options const& given) {
  options.progress = choose(given.progress, pgas::ProgressMode::spin, "progress");
  auto const stealing = choose(given.stealing, MAKESPAN_STEALING_OFF, "stealing");
  options.stealing = stealing == MAKESPAN_STEALING_ON ? pgas::Stealing::on : pgas::Stealing::off;
  options.design = choose(given.endpoints, pgas::EndpointDesign::shared_fine_lock, "endpoints");
}

pgas::RuntimeOptions options_of(makespan_options const& given) {
  pgas::RuntimeOptions options;
  try {
    take_choices(options, given);
  } catch (InputError const& error) {
    // Thrown by the runtime, when all images can hear of it: else the others would wait for this
    // one.
    options.trouble = error.what();
  }
  options.threads = given.threads;
  options.heap_bytes = given.heap_bytes;
  options.message_bytes_max = given.message_bytes_max;
  options.silence = Seconds{given.silence_s};
  options.wait_limit = Seconds{given.wait_limit_s};
  if (given.transport != nullptr) options.transport = given.transport;
  return options;
}

// While it lives remote calls wait: an image that has begun may call this one, whose program does
// not have its runtime yet.
class HeldCalls {
 public:
  explicit HeldCalls(pgas::Fabric& fabric) : fabric_{fabric} { fabric_.hold_calls(); }
  HeldCalls(HeldCalls const&) = delete;
  HeldCalls& operator=(HeldCalls const&) = delete;
  ~HeldCalls() { fabric_.release_calls(); }

 private:
  pgas::Fabric& fabric_;
};

// Fails on all images or on none.
void allocate_meetings_all(makespan_runtime& runtime) {
  pgas::Runtime& engine = *runtime.engine;
  runtime.meetings_under_way.resize(static_cast<std::size_t>(engine.images()));
  try {
    HeldCalls const held(engine.endpoint(0).fabric());
    runtime.meetings =
        engine.allocate_all<pgas::EventWord>(engine.images(), "makespan_sync_images");
  } catch (InputError const&) {
    // Collective, as the failure is: no image stays behind and waits for the others.
    engine.finish_all();
    runtime.engine.reset();
    throw;
  }
}

void hand_out(makespan_runtime& runtime) {
  pgas::Runtime& engine = *runtime.engine;
  runtime.description = engine.describe();
  for (int thread = 0; thread < runtime.description.threads; ++thread) {
    runtime.endpoints.push_back({.engine = &engine.endpoint(thread), .runtime = &runtime});
  }
  runtime.all.engine = &engine.team();
  runtime.all.runtime = &runtime;
  runtime.node.engine = &engine.node_team();
  runtime.node.runtime = &runtime;
}

void take_back(makespan_runtime& runtime) {
  // The handles stay, and are told from open ones by this.
  for (makespan_endpoint& endpoint : runtime.endpoints) endpoint.engine = nullptr;
  runtime.all.engine = nullptr;
  runtime.node.engine = nullptr;
  runtime.engine.reset();
}

makespan_endpoint& endpoint_of(makespan_runtime* runtime, std::int32_t thread,
                               std::string_view function) {
  static_cast<void>(engine_of(runtime, function).endpoint(thread));  // refuses other threads
  return runtime->endpoints[static_cast<std::size_t>(thread)];
}

}  // namespace

makespan_endpoint* handle_of(pgas::Endpoint const& engine) {
  return runtimes().find(engine);
}

HereScope::HereScope(makespan_endpoint* here) : before_{std::exchange(here_of_thread, here)} {
}

HereScope::~HereScope() {
  here_of_thread = before_;
}

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

void makespan_options_init(makespan_options* options) {
  if (options == nullptr) return;
  makespan::pgas::RuntimeOptions const defaults;
  *options = {.threads = defaults.threads,
              .progress = MAKESPAN_PROGRESS_MANUAL,
              .endpoints = MAKESPAN_PER_THREAD,
              .stealing = MAKESPAN_STEALING_ON,
              .heap_bytes = defaults.heap_bytes,
              .message_bytes_max = defaults.message_bytes_max,
              .silence_s = defaults.silence.value(),
              .wait_limit_s = defaults.wait_limit.value(),
              .transport = nullptr};
}

int makespan_begin_all(makespan_options const* options, makespan_runtime** runtime) {
  return status_of([&] {
    given(runtime, "makespan_begin_all", "runtime") = nullptr;
    makespan_options defaults;
    makespan_options_init(&defaults);
    makespan_runtime& begun =
        runtimes().begin(options_of(options == nullptr ? defaults : *options));
    try {
      hand_out(begun);
      allocate_meetings_all(begun);
    } catch (...) {
      take_back(begun);  // no handle reaches it
      throw;
    }
    here_of_thread = &begun.endpoints.front();
    *runtime = &begun;
  });
}

int makespan_end_all(makespan_runtime* runtime) {
  return status_of([&] {
    makespan::pgas::Runtime& engine = engine_of(runtime, "makespan_end_all");
    try {
      engine.finish_all();
    } catch (...) {
      // Teams and endpoints are gone once it has begun to close, whatever failed then.
      if (!engine.is_open()) take_back(*runtime);
      throw;
    }
    // Handles go last: while it finishes, this image still runs calls of others, which need them.
    take_back(*runtime);
  });
}

int32_t makespan_image(makespan_runtime const* runtime) {
  // The answer leaves no room for a status: without a runtime it is -1.
  if (runtime == nullptr || !runtime->engine) return -1;
  return static_cast<std::int32_t>(runtime->engine->image().value());
}

int32_t makespan_images(makespan_runtime const* runtime) {
  if (runtime == nullptr || !runtime->engine) return -1;
  return runtime->engine->images();
}

int makespan_describe(makespan_runtime* runtime, makespan_description* description) {
  return status_of([&] {
    static_cast<void>(engine_of(runtime, "makespan_describe"));
    auto const& facts = runtime->description;
    given(description, "makespan_describe", "description") = {.images = facts.images,
                                                              .nodes = facts.nodes,
                                                              .threads = facts.threads,
                                                              .reserved = 0,
                                                              .heap_bytes = facts.heap_bytes,
                                                              .launcher = facts.launcher.c_str(),
                                                              .transport = facts.transport.c_str(),
                                                              .endpoints = facts.design.c_str(),
                                                              .progress = facts.progress.c_str()};
  });
}

int makespan_endpoint_of(makespan_runtime* runtime, int32_t thread, makespan_endpoint** endpoint) {
  return status_of([&] {
    given(endpoint, "makespan_endpoint_of", "endpoint") =
        &endpoint_of(runtime, thread, "makespan_endpoint_of");
  });
}

int makespan_use_endpoint(makespan_runtime* runtime, int32_t thread) {
  return status_of(
      [&] { here_of_thread = &endpoint_of(runtime, thread, "makespan_use_endpoint"); });
}

makespan_endpoint* makespan_here(void) {
  return here_of_thread;
}

int makespan_progress(makespan_endpoint* here, int32_t* happened) {
  return status_of([&] {
    int const count = engine_of(here, "makespan_progress").help();
    if (happened != nullptr) *happened = count;
  });
}

int makespan_is_alive(makespan_runtime* runtime, int32_t image, int32_t* is_alive) {
  return status_of([&] {
    given(is_alive, "makespan_is_alive", "is_alive") =
        engine_of(runtime, "makespan_is_alive").is_alive(makespan::ImageId{image}) ? 1 : 0;
  });
}

int makespan_loss_of(makespan_runtime* runtime, int32_t image, char const** why) {
  return status_of([&] {
    thread_local std::string text;
    // Of this thread: the caller gets no memory that it would have to give back.
    text = engine_of(runtime, "makespan_loss_of").loss_of(makespan::ImageId{image});
    given(why, "makespan_loss_of", "why") = text.c_str();
  });
}

int makespan_accept_loss(makespan_runtime* runtime, int32_t image) {
  return status_of(
      [&] { engine_of(runtime, "makespan_accept_loss").accept_loss(makespan::ImageId{image}); });
}

}  // extern "C"
