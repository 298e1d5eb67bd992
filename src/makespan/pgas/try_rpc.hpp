// SPDX-License-Identifier: Apache-2.0
#pragma once

// Remote calls for threads that have other work while there is no room for one.

#include <optional>
#include <type_traits>
#include <utility>

#include "makespan/pgas/endpoint.hpp"

namespace makespan::pgas {

// As here.rpc(), where that would not have to wait. Otherwise nothing is sent, and there is no
// future. Never blocks, and drives no progress: who tries again and again has to, for the room to
// come. Throws as rpc() does, and ImageFailed at once where the image is known to be lost.
// Tested by tests/pgas/rpc_credits_test.cpp.
template <RemotelyCallable Function, class... Arguments>
auto try_rpc(Endpoint& here, EndpointAddress to, Function, Arguments const&... arguments)
    -> std::optional<Future<CallResultOf<Function, std::decay_t<Arguments>...>>> {
  using Result = CallResultOf<Function, std::decay_t<Arguments>...>;
  auto operation = here.begin_call<Result>(to, arguments...);
  CodePointer const code = code_of_call<Function, std::decay_t<Arguments>...>();
  if (!here.send_call_now(*operation, to, code)) return std::nullopt;
  return Future<Result>{here, std::move(operation), here.awaiting("a remote call", to.image)};
}

}  // namespace makespan::pgas
