// SPDX-License-Identifier: Apache-2.0
// Variables of the environment that a runtime looks at.
#include <map>
#include <optional>
#include <string>

#include "fuzz/fuzz_input.hpp"
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

Bytes environment(std::vector<std::string_view> const& texts) {
  FuzzOutput output;
  for (std::string_view const text : texts) {
    output.small(text.empty() ? 0 : 1);
    if (!text.empty()) output.text(text);
  }
  return output.bytes();
}

std::vector<Bytes> seeds() {
  return {environment({"per-thread", "nap", "on", "shm+am", "64", "16", "0.5", "10"}),
          environment({"shared-fine-lock", "event", "off", "", "", "", "86400", ""})};
}

FuzzTarget const target("runtime_options", &read_environment, &seeds);

}  // namespace
}  // namespace makespan::fuzz::runtime_options_target
