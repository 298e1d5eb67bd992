// SPDX-License-Identifier: Apache-2.0
// The boundary's remote calls.
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/capi/detail/function_table.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/requests.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

namespace {

// Longer ones are no names, but what was forgotten to be ended.
constexpr std::size_t name_bytes_max = 256;

// Runs on the image that is called. What it throws is thrown by the future of the caller.
std::vector<std::byte> run_function(std::string const& name,
                                    std::vector<std::byte> const& arguments,
                                    std::int64_t result_bytes) {
  makespan_function const function = functions().find(name);
  std::vector<std::byte> result(static_cast<std::size_t>(result_bytes));
  int const status = function(arguments.data(), static_cast<std::int64_t>(arguments.size()),
                              result.data(), result_bytes);
  if (status == MAKESPAN_OK) return result;
  throw InputError(
      "makespan_rpc: function '" + name + "' returned status " + std::to_string(status),
      "it says that way that it did not do its work",
      "see what it returns; MAKESPAN_OK is a result");
}

}  // namespace

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

int makespan_register_function(char const* name, makespan_function function) {
  return status_of([&] {
    expect_given(name, "makespan_register_function", "name");
    expect_given(reinterpret_cast<void const*>(function), "makespan_register_function", "function");
    functions().add(name, function);
  });
}

int makespan_rpc(makespan_endpoint* here, makespan_remote_call const* call,
                 makespan_request** request) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_rpc";
    auto& engine = engine_of(here, function);
    auto const& asked = given(call, function, "call");
    auto& result = given(request, function, "request");
    expect_given(asked.name, function, "call->name");
    expect_image(engine, asked.image, function);
    expect_data(asked.arguments, asked.bytes, function);
    expect_data(asked.result, asked.result_bytes, function);
    std::string const name(asked.name, ::strnlen(asked.name, name_bytes_max));
    auto const* const first = static_cast<std::byte const*>(asked.arguments);
    std::vector<std::byte> const arguments(first, first + asked.bytes);
    auto future =
        engine.rpc({makespan::ImageId{asked.image}, asked.thread},
                   makespan::pgas::function<&run_function>, name, arguments, asked.result_bytes);
    result = request_for(*here, std::move(future), [to = asked.result](auto const& bytes) {
      if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    });
  });
}

}  // extern "C"
