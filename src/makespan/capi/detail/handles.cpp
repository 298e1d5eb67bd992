// SPDX-License-Identifier: Apache-2.0
#include "makespan/capi/detail/handles.hpp"

#include <string>

#include "makespan/base/error.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

namespace {

[[noreturn]] void refuse_ended(std::string_view function) {
  throw InputError(std::string(function) + " after makespan_end_all", "the runtime has ended",
                   "call it before");
}

}  // namespace

pgas::Runtime& engine_of(makespan_runtime* runtime, std::string_view function) {
  if (!given(runtime, function, "runtime").engine) refuse_ended(function);
  return *runtime->engine;
}

pgas::Endpoint& engine_of(makespan_endpoint* endpoint, std::string_view function) {
  if (endpoint == nullptr) {
    throw InputError(std::string(function) + ": no endpoint",
                     "makespan_begin_all was not called, or this thread has none of its own",
                     "pass what makespan_endpoint_of gave, or call makespan_use_endpoint in this "
                     "thread");
  }
  if (endpoint->engine == nullptr) refuse_ended(function);
  return *endpoint->engine;
}

pgas::Team& engine_of(makespan_team const* team, std::string_view function) {
  makespan_team const& handle = given(team, function, "team");
  // A team that was split off has an engine of its own, which outlives the runtime's.
  if (!handle.runtime->engine) refuse_ended(function);
  if (handle.engine == nullptr) {
    throw InputError(std::string(function) + " on a team that was freed",
                     "makespan_team_free_all has ended it", "call it before, and free a team once");
  }
  return *handle.engine;
}

void expect_image(pgas::Endpoint const& here, std::int32_t image, std::string_view function) {
  here.check_image(ImageId{image}, function);
}

void expect_aligned(std::int64_t offset, std::size_t alignment, std::string_view function) {
  if (static_cast<std::uint64_t>(offset) % alignment == 0) return;
  throw InputError(std::string(function) + " at offset " + std::to_string(offset),
                   "the word there does not begin at a multiple of its size",
                   "use offsets that are multiples of " + std::to_string(alignment));
}

void expect_data(void const* data, std::int64_t bytes, std::string_view function) {
  if (bytes < 0) {
    throw InputError(std::string(function) + " of " + std::to_string(bytes) + " bytes",
                     "there is no such size", "give 0 or more");
  }
  if (bytes > 0) expect_given(data, function, "data");
}

}  // namespace makespan::capi
