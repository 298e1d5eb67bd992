// SPDX-License-Identifier: Apache-2.0
// The boundary's operations that go on while their thread does something else.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "makespan/base/image_errors.hpp"
#include "makespan/capi/detail/atomic_call.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/requests.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

namespace {

constexpr auto nothing_comes_back = [](pgas::Nothing) {};

// Frees the request, unless it is still under way: then its memory may yet be read and written, and
// it can be waited for again.
void finish(makespan_request*& request) {
  // Null before it can throw: what is over must not be waited for again.
  std::unique_ptr<makespan_request> owned(std::exchange(request, nullptr));
  try {
    owned->finish();
  } catch (WaitTimeout const&) {
    // Also where it is ready by now: its result is still to be written.
    request = owned.release();
    throw;
  } catch (...) {
    if (!owned->is_ready()) request = owned.release();
    throw;
  }
}

}  // namespace

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

int makespan_put_async(makespan_endpoint* here, makespan_address to, void const* data,
                       int64_t bytes, makespan_request** request) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_put_async";
    auto& result = no_request_yet(request, function);
    auto& engine = engine_of(here, function);
    auto const pointer = pointer_to<std::byte>(engine, to, function);
    expect_data(data, bytes, function);
    std::span const values(static_cast<std::byte const*>(data), static_cast<std::size_t>(bytes));
    result = request_for(*here, engine.put_async(pointer, values), nothing_comes_back);
  });
}

int makespan_get_async(makespan_endpoint* here, makespan_address from, void* data, int64_t bytes,
                       makespan_request** request) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_get_async";
    auto& result = no_request_yet(request, function);
    auto& engine = engine_of(here, function);
    auto const pointer = pointer_to<std::byte>(engine, from, function);
    expect_data(data, bytes, function);
    std::span const values(static_cast<std::byte*>(data), static_cast<std::size_t>(bytes));
    result = request_for(*here, engine.get_async(pointer, values), nothing_comes_back);
  });
}

int makespan_fetch_async(makespan_endpoint* here, makespan_atomic const* atomic, void* old,
                         makespan_request** request) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_fetch_async";
    auto& result = no_request_yet(request, function);
    auto& engine = engine_of(here, function);
    expect_given(old, function, "old");
    with_atomic(engine, given(atomic, function, "atomic"), function, [&](auto const& call) {
      result = request_for(*here, call.fetch_async(),
                           [old](auto value) { std::memcpy(old, &value, sizeof value); });
    });
  });
}

int makespan_request_wait(makespan_request** request) {
  return status_of([&] {
    auto& waited = given(request, "makespan_request_wait", "request");
    if (waited == nullptr) return;
    static_cast<void>(engine_of(&waited->endpoint, "makespan_request_wait"));
    finish(waited);
  });
}

int makespan_request_test(makespan_request** request, int32_t* is_done) {
  return status_of([&] {
    auto& tested = given(request, "makespan_request_test", "request");
    auto& result = given(is_done, "makespan_request_test", "is_done");
    // Until it is known: what fails below has done nothing.
    result = 0;
    if (tested != nullptr) {
      auto& engine = engine_of(&tested->endpoint, "makespan_request_test");
      // What is ready already costs no look at the network. Calls are run as well: images that all
      // test a call to each other would else wait for ever.
      if (!tested->is_ready()) engine.help();
      if (!tested->is_ready()) return;
      finish(tested);
    }
    result = 1;
  });
}

}  // extern "C"
