// SPDX-License-Identifier: Apache-2.0
#pragma once

// Requests of the boundary around futures of the engine.

#include <string_view>
#include <utility>

#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

// A request around a future; `finish` gets its value.
template <class T, class Finish>
class FutureRequest final : public makespan_request {
 public:
  FutureRequest(makespan_endpoint& begun_by, pgas::Future<T> future, Finish finish)
      : makespan_request(begun_by), future_{std::move(future)}, finish_{std::move(finish)} {}

  [[nodiscard]] bool is_ready() const override { return future_.is_ready(); }
  void finish() override { finish_(future_.get()); }

 private:
  pgas::Future<T> future_;
  Finish finish_;
};

// Where a function that begins an operation writes its request: null until then, so that a caller
// whose call failed has none to wait for.
inline makespan_request*& no_request_yet(makespan_request** request, std::string_view function) {
  makespan_request*& place = given(request, function, "request");
  place = nullptr;
  return place;
}

// Finished on the spot, and null, if it is ready: memory that this image reaches itself needs no
// request, and no allocation.
template <class T, class Finish>
makespan_request* request_for(makespan_endpoint& endpoint, pgas::Future<T> future, Finish finish) {
  if (future.is_ready()) {
    finish(future.get());
    return nullptr;
  }
  return new FutureRequest<T, Finish>(endpoint, std::move(future), std::move(finish));
}

}  // namespace makespan::capi
