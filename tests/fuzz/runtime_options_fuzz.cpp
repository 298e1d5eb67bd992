// SPDX-License-Identifier: Apache-2.0
// Variables of the environment that a runtime looks at.
#include <map>
#include <optional>
#include <string>

#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/options.hpp"

namespace makespan::fuzz::runtime_options_target {
namespace {

// One variable after the other, as they are asked for: none, or a text.
void read_environment(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  auto const variable = [&](std::string_view) -> std::optional<std::string> {
    if (!input.flag()) return std::nullopt;
    return input.text();
  };
  pgas::RuntimeOptions const options = pgas::with_environment({}, variable);
  pgas::check(options);
}

// Written in the order in which they are asked for.
Bytes environment(std::map<std::string_view, std::string_view> values) {
  FuzzOutput output;
  static_cast<void>(
      pgas::with_environment({}, [&](std::string_view name) -> std::optional<std::string> {
        auto const value = values.extract(name);
        output.small(value.empty() ? 0 : 1);
        if (!value.empty()) output.text(value.mapped());
        return std::nullopt;
      }));
  MAKESPAN_ENSURE(values.empty());
  return output.bytes();
}

std::vector<Bytes> seeds() {
  return {environment({{"MAKESPAN_ENDPOINTS", "per-thread"},
                       {"MAKESPAN_PROGRESS", "nap"},
                       {"MAKESPAN_PROGRESS_CORE", "0"},
                       {"MAKESPAN_PROGRESS_STEALING", "off"},
                       {"MAKESPAN_STEALING", "off"},
                       {"MAKESPAN_TRANSPORT", "shm+am"},
                       {"MAKESPAN_AGGREGATION", "on"},
                       {"MAKESPAN_UCX_RMA", "never"},
                       {"MAKESPAN_HEAP_MIB", "64"},
                       {"MAKESPAN_MESSAGE_KIB", "16"},
                       {"MAKESPAN_SILENCE_S", "0.5"},
                       {"MAKESPAN_WAIT_LIMIT_S", "10"}}),
          environment({{"MAKESPAN_ENDPOINTS", "shared-fine-lock"},
                       {"MAKESPAN_PROGRESS", "event"},
                       {"MAKESPAN_AGGREGATION", "off"},
                       {"MAKESPAN_WAIT_LIMIT_S", "86400"}})};
}

FuzzTarget const target("runtime_options", &read_environment, &seeds);

}  // namespace
}  // namespace makespan::fuzz::runtime_options_target
