// SPDX-License-Identifier: Apache-2.0
// The boundary's remote calls.
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/capi/detail/call_result.hpp"
#include "makespan/capi/detail/function_table.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/requests.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

namespace {

// Longer ones are no names, but what was forgotten to be ended.
constexpr std::size_t name_bytes_max = 256;

std::string name_given(char const* name, std::string_view function) {
  expect_given(name, function, "name");
  // One byte more than may be: enough to tell that it is too long, and no more is read.
  std::string text(name, ::strnlen(name, name_bytes_max + 1));
  if (text.size() <= name_bytes_max) return text;
  throw InputError(
      std::string(function) + ": a name of more than " + std::to_string(name_bytes_max) + " bytes",
      "names have that many at most", "give a shorter one, ended by a zero");
}

// The longest result that fits into a message, with its length before it.
std::int64_t result_bytes_max(makespan_endpoint const& here) {
  return here.runtime->engine->message_bytes_max() -
         static_cast<std::int64_t>(sizeof(std::uint64_t));
}

void expect_result(makespan_endpoint const& here, std::int64_t bytes) {
  std::int64_t const most = result_bytes_max(here);
  if (bytes >= 0 && bytes <= most) return;
  throw InputError("makespan_rpc with " + std::to_string(bytes) + " bytes of result",
                   "a message holds " + std::to_string(most) + " bytes of it",
                   "have the function put long results, or raise message_bytes_max "
                   "(MAKESPAN_MESSAGE_KIB)");
}

// Before they are copied. The engine refuses what is too long together with the name.
void expect_arguments(makespan_endpoint const& here, std::int64_t bytes) {
  std::int64_t const most = here.runtime->engine->message_bytes_max();
  if (bytes <= most) return;
  throw InputError("makespan_rpc with " + std::to_string(bytes) + " bytes of arguments",
                   "a message holds " + std::to_string(most) + " bytes, the name among them",
                   "put long arguments into symmetric memory, or raise message_bytes_max "
                   "(MAKESPAN_MESSAGE_KIB)");
}

// Runs on the image that is called. What it throws is thrown by the future of the caller.
std::vector<std::byte> run_function(pgas::Endpoint& engine, std::string const& name,
                                    std::vector<std::byte> const& arguments,
                                    std::int64_t result_bytes) {
  // The engine knows its own endpoint; functions in C ask for handles.
  makespan_endpoint* const here = handle_of(engine);
  MAKESPAN_EXPECT(here != nullptr);
  // Once more: the caller may be of another build.
  expect_result(*here, result_bytes);
  makespan_function const function = functions().find(name);
  std::vector<std::byte> result(static_cast<std::size_t>(result_bytes));
  // Whichever thread runs it: with stealing that need not be the one it was sent to.
  HereScope const scope(here);
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
    std::string const text = name_given(name, "makespan_register_function");
    expect_given(reinterpret_cast<void const*>(function), "makespan_register_function", "function");
    functions().add(text, function);
  });
}

int makespan_rpc(makespan_endpoint* here, makespan_remote_call const* call,
                 makespan_request** request) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_rpc";
    auto& result = no_request_yet(request, function);
    auto& engine = engine_of(here, function);
    auto const& asked = given(call, function, "call");
    expect_image(engine, asked.image, function);
    expect_data(asked.arguments, asked.bytes, function);
    expect_arguments(*here, asked.bytes);
    expect_data(asked.result, asked.result_bytes, function);
    expect_result(*here, asked.result_bytes);
    std::string const name = name_given(asked.name, function);
    auto const* const first = static_cast<std::byte const*>(asked.arguments);
    std::vector<std::byte> const arguments(first, first + asked.bytes);
    auto future =
        engine.rpc({makespan::ImageId{asked.image}, asked.thread},
                   makespan::pgas::function<&run_function>, name, arguments, asked.result_bytes);
    // A copy: the caller's structure may be gone when the result comes, only its memory stays.
    result = request_for(*here, std::move(future), [asked](std::vector<std::byte> const& bytes) {
      take_result(asked, bytes);
    });
  });
}

}  // extern "C"
