// SPDX-License-Identifier: Apache-2.0
// A swarm of worlds in virtual time: images, devices, messages and losses are drawn from a seed,
// and the real protocols run in them on one thread, without MPI, SimGrid or a clock. What is real
// in them, what is played, and what must hold: bag_world.hpp and objects_world.hpp.
//
//   swarm --seeds 0:10000 [--world bag|objects|all]   runs the worlds of seeds 0 to 9999
//   swarm --story 17 --world bag                      tells what happens in one
//   swarm --find-planted 10000                        finds each planted fault within so many seeds
//   … --plant double-steal                            with a fault that is made on purpose
//
// Of the first world in which something does not hold it tells the smallest like it. Exit status:
// 0, all held; 1, something did not; 2, it was called wrongly.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "swarm/world_kind.hpp"

namespace makespan::swarm {
namespace {

constexpr int broken_told_max = 20;

class WrongCall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Orders {
  std::uint64_t first{0};
  std::uint64_t count{1000};
  std::optional<std::uint64_t> story{};
  std::optional<std::uint64_t> find_planted{};
  std::string_view world{"all"};
  Fault fault{Fault::none};
};

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw WrongCall("\"" + std::string(text) + "\" (it is no number): give one from 0 on");
}

Fault fault_named(std::string_view name) {
  std::string known;
  for (FaultEntry const& entry : planted_faults) {
    if (entry.name == name) return entry.fault;
    known += " " + std::string(entry.name);
  }
  throw WrongCall("--plant " + std::string(name) + " (there is no such fault): one of" + known);
}

std::string_view world_named(std::string_view name) {
  std::string known;
  for (WorldKind const& kind : world_kinds()) {
    if (kind.name == name) return name;
    known += " " + std::string(kind.name);
  }
  if (name == "all") return name;
  throw WrongCall("--world " + std::string(name) + " (there is no such world): all, or one of" +
                  known);
}

void read_seeds(Orders& orders, std::string_view text) {
  auto const colon = text.find(':');
  if (colon == std::string_view::npos) {
    throw WrongCall("--seeds " + std::string(text) + " (it is no range): FIRST:COUNT");
  }
  orders.first = number_of(text.substr(0, colon));
  orders.count = number_of(text.substr(colon + 1));
}

Orders orders_of(std::vector<std::string_view> const& words) {
  Orders orders;
  for (std::size_t at = 0; at < words.size(); at += 2) {
    if (at + 1 == words.size()) throw WrongCall(std::string(words[at]) + " (nothing follows it)");
    std::string_view const value = words[at + 1];
    if (words[at] == "--seeds") {
      read_seeds(orders, value);
    } else if (words[at] == "--world") {
      orders.world = world_named(value);
    } else if (words[at] == "--story") {
      orders.story = number_of(value);
    } else if (words[at] == "--plant") {
      orders.fault = fault_named(value);
    } else if (words[at] == "--find-planted") {
      orders.find_planted = number_of(value);
    } else {
      throw WrongCall(std::string(words[at]) +
                      " (there is no such option): --seeds, --world, --story, --plant, "
                      "--find-planted");
    }
  }
  return orders;
}

void print(std::string const& line) {
  std::cout << line << '\n';
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// How many did not hold.
std::int64_t run_seeds(WorldKind const& kind, Orders const& orders) {
  auto const begin = std::chrono::steady_clock::now();
  std::optional<std::uint64_t> first_broken;
  std::int64_t broken = 0;
  std::int64_t events = 0;
  for (std::uint64_t seed = orders.first; seed < orders.first + orders.count; ++seed) {
    Verdict const verdict = kind.run(seed, orders.fault);
    events += verdict.events;
    if (verdict.broken.empty()) continue;
    if (!first_broken) first_broken = seed;
    if (++broken <= broken_told_max) {
      std::cout << kind.name << " world " << seed << ": " << verdict.broken << '\n';
    }
  }
  double const time_s = seconds_since(begin);
  auto const seeds = static_cast<double>(orders.count);
  std::cout << kind.name << ": " << orders.count << " seeds, " << broken << " broken; "
            << static_cast<std::int64_t>(seeds / time_s) << " seeds/s, "
            << static_cast<std::int64_t>(static_cast<double>(events) / seeds) << " events each\n";
  if (!first_broken) return 0;
  std::cout << "the smallest world like that of seed " << *first_broken << ":\n";
  static_cast<void>(kind.tell_smallest(*first_broken, orders.fault, print));
  return broken;
}

bool is_wanted(WorldKind const& kind, Orders const& orders) {
  return orders.world == "all" || orders.world == kind.name;
}

// Whether it was found.
bool find(FaultEntry const& planted, std::uint64_t seeds) {
  for (WorldKind const& kind : world_kinds()) {
    if (kind.name != planted.world) continue;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      Verdict const verdict = kind.run(seed, planted.fault);
      if (verdict.broken.empty()) continue;
      std::cout << planted.name << ": found after " << seed + 1 << " seeds: " << verdict.broken
                << '\n';
      return true;
    }
  }
  std::cout << planted.name << ": not found in " << seeds << " seeds\n";
  return false;
}

int run(Orders const& orders) {
  bool all_hold = true;
  if (orders.find_planted) {
    for (FaultEntry const& planted : planted_faults) {
      all_hold = find(planted, *orders.find_planted) && all_hold;
    }
    return all_hold ? 0 : 1;
  }
  for (WorldKind const& kind : world_kinds()) {
    if (!is_wanted(kind, orders)) continue;
    bool const holds = orders.story ? kind.tell(*orders.story, orders.fault, print).broken.empty()
                                    : run_seeds(kind, orders) == 0;
    all_hold = holds && all_hold;
  }
  return all_hold ? 0 : 1;
}

}  // namespace
}  // namespace makespan::swarm

int main(int argc, char** argv) {
  makespan::set_contract_handler(makespan::throw_on_violation);
  try {
    return makespan::swarm::run(makespan::swarm::orders_of({argv + 1, argv + argc}));
  } catch (makespan::swarm::WrongCall const& error) {
    std::cerr << "swarm: " << error.what() << '\n';
    return 2;
  }
}
