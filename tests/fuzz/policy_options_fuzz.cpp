// SPDX-License-Identifier: Apache-2.0
// Policies and their options by name, and what a policy then makes of a loop.
#include <algorithm>
#include <string>

#include "fuzz/fuzz_input.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::fuzz::policy_options_target {
namespace {

constexpr int options_max = 4;

// The name of a policy that there is, or any.
std::string policy_name(FuzzInput& input) {
  auto const known = bag::policies();
  auto const at = static_cast<std::size_t>(input.small(static_cast<int>(known.size())));
  return at < known.size() ? std::string(known[at].name) : input.text();
}

std::string option_name(FuzzInput& input, std::string const& policy) {
  auto const known = bag::policies();
  auto const found = std::ranges::find(known, policy, &bag::PolicyEntry::name);
  int const options = found == known.end() ? 0 : static_cast<int>(found->options.size());
  int const at = input.small(options);
  if (at < options) return std::string(found->options[static_cast<std::size_t>(at)].name);
  return input.text();
}

bool is_good(bag::ChunkSize const& size, bag::ChunkRequest const& request) {
  if (auto const* const items = size.items()) return *items >= 1 && *items <= request.items_left;
  return *size.work() > Work{} && *size.work() <= request.work_left;
}

void make_and_ask(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  std::string const name = policy_name(input);
  OptionValues given;
  for (int option = input.small(options_max); option > 0; --option) {
    std::string const key = option_name(input, name);
    given[key] = input.value<double>();
  }
  auto const policy = bag::make_policy(name, given);
  int const workers = 1 + input.small(7);
  std::int64_t const items = 1 + input.value<std::uint16_t>();
  auto const work = static_cast<double>(items);
  std::int64_t left = items;
  for (std::int64_t step = 0; left > 0 && step < 64; ++step) {
    bag::ChunkRequest const request{
        .loop = {.items = items, .work = Work{work}, .workers = workers},
        .step = step,
        .items_left = left,
        .work_left = Work{static_cast<double>(left)},
        .worker = {.index = input.small(workers - 1),
                   .measured = bag::Measured::yes,
                   .speed = Speed{1.0 + input.small(255)},
                   .speed_total = Speed{256.0 * workers},
                   .claim_cost = Seconds{1e-6}}};
    bag::ChunkSize const size = policy->next_chunk(request);
    MAKESPAN_ENSURE(is_good(size, request));
    left -= size.items() != nullptr ? *size.items() : 1;
  }
}

// Every policy, with all options that it has.
std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (int at = 0; at < std::ssize(bag::policies()); ++at) {
    auto const options = bag::policies()[static_cast<std::size_t>(at)].options;
    auto const count = static_cast<int>(options.size());
    MAKESPAN_ENSURE(count <= options_max);
    FuzzOutput output;
    output.small(at).small(count);
    for (int option = 0; option < count; ++option) {
      output.small(option).value(options[static_cast<std::size_t>(option)].default_value);
    }
    all.push_back(output.small(3).value(std::uint16_t{1000}).bytes());
  }
  return all;
}

FuzzTarget const target("policy_options", &make_and_ask, &seeds);

}  // namespace
}  // namespace makespan::fuzz::policy_options_target
