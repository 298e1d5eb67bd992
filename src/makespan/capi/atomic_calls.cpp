// SPDX-License-Identifier: Apache-2.0
// The boundary's functions on words that several images change: atomics and events.
#include <cstdint>
#include <cstring>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/capi/detail/atomic_call.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/status_of.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/event.hpp"

namespace makespan::capi {

namespace {

using pgas::EventWord;

// Events are waited for by their owner.
pgas::GlobalPtr<EventWord> own_event(pgas::Endpoint const& here, makespan_address event,
                                     std::string_view function) {
  auto const pointer = pointer_to<EventWord>(here, event, function);
  auto const image = here.address().image;
  if (pointer.image() == image) return pointer;
  throw InputError("image " + std::to_string(image.value()) + ": " + std::string(function) +
                       " on an event of image " + std::to_string(event.image),
                   "only an event's owner waits for its posts", "let that image call it");
}

pgas::Comparison comparison_of(std::int32_t comparison) {
  switch (comparison) {
    case MAKESPAN_EQUAL:
      return pgas::Comparison::equal;
    case MAKESPAN_NOT_EQUAL:
      return pgas::Comparison::not_equal;
    case MAKESPAN_AT_LEAST:
      return pgas::Comparison::at_least;
    case MAKESPAN_AT_MOST:
      return pgas::Comparison::at_most;
    default:
      throw InputError("makespan_wait_until with comparison " + std::to_string(comparison),
                       "there is none of this number", "it is one of makespan_comparison: 0 to 3");
  }
}

}  // namespace

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

int makespan_fetch(makespan_endpoint* here, makespan_atomic const* atomic, void* old) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_fetch";
    auto& engine = engine_of(here, function);
    expect_given(old, function, "old");
    with_atomic(engine, given(atomic, function, "atomic"), function, [old](auto const& call) {
      auto const value = call.fetch();
      std::memcpy(old, &value, sizeof value);
    });
  });
}

int makespan_update(makespan_endpoint* here, makespan_atomic const* atomic) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_update";
    auto& engine = engine_of(here, function);
    if (given(atomic, function, "atomic").op == MAKESPAN_LOAD) {
      throw makespan::InputError("makespan_update with MAKESPAN_LOAD",
                                 "a load that gives nothing back changes nothing",
                                 "use makespan_fetch");
    }
    with_atomic(engine, *atomic, function, [](auto const& call) { call.update(); });
  });
}

int makespan_fetch_add(makespan_endpoint* here, makespan_address at, int64_t operand,
                       int64_t* old) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_fetch_add";
    auto& engine = engine_of(here, function);
    auto& result = given(old, function, "old");
    result = fetch_add(engine, pointer_to<std::int64_t>(engine, at, function), operand);
  });
}

int makespan_event_post(makespan_endpoint* here, makespan_address event) {
  return status_of([&] {
    auto& engine = engine_of(here, "makespan_event_post");
    post(engine, pointer_to<EventWord>(engine, event, "makespan_event_post"));
  });
}

int makespan_event_wait(makespan_endpoint* here, makespan_address event, int64_t count) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_event_wait";
    auto& engine = engine_of(here, function);
    auto const own = own_event(engine, event, function);
    if (count < 1) {
      throw makespan::InputError(std::string(function) + " for " + std::to_string(count) + " posts",
                                 "there is nothing to wait for", "give 1 or more");
    }
    wait(engine, own, static_cast<std::uint64_t>(count));
  });
}

int makespan_event_query(makespan_endpoint* here, makespan_address event, int64_t* count) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_event_query";
    auto& engine = engine_of(here, function);
    auto& result = given(count, function, "count");
    result = static_cast<std::int64_t>(query(engine, own_event(engine, event, function)));
  });
}

int makespan_wait_until(makespan_endpoint* here, int64_t offset, int32_t comparison, int64_t value,
                        int64_t* seen) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_wait_until";
    auto& engine = engine_of(here, function);
    auto const image = static_cast<std::int32_t>(engine.address().image.value());
    auto const word =
        pointer_to<std::uint64_t>(engine, {.offset = offset, .image = image}, function);
    std::uint64_t const found =
        engine.wait_until_word(word, comparison_of(comparison), static_cast<std::uint64_t>(value));
    if (seen != nullptr) *seen = static_cast<std::int64_t>(found);
  });
}

}  // extern "C"
