// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/gossip.hpp"

#include <algorithm>
#include <array>

#include "makespan/base/random_draws.hpp"
#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 5> gossip_help{{
    {"fanout", OptionKind::whole, 6.0, 1.0, 1000.0, "places that a place tells in a round"},
    {"rounds", OptionKind::whole, 4.0, 0.0, 100.0, "rounds of gossip in an iteration"},
    {"iterations", OptionKind::whole, 8.0, 1.0, 1000.0, "times that gossip and transfers are done"},
    {"threshold", OptionKind::real, 1.02, 1.0, 100.0,
     "a place may take so many times the mean of places"},
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, other draws"},
}};

constexpr std::size_t word_bits = 64;

// Which places know of which that they have time to spare, as bits.
class Gossip {
 public:
  explicit Gossip(std::size_t places)
      : places_(places), words_((places + word_bits - 1) / word_bits), bits_(places * words_) {}

  void know_oneself(std::size_t place) {
    bits_[place * words_ + place / word_bits] |= std::uint64_t{1} << (place % word_bits);
  }
  // Each place tells what it knew before the round.
  void round(int fanout, RandomDraws& draws) {
    std::vector<std::uint64_t> const before = bits_;
    for (std::size_t place = 0; place < places_; ++place) {
      std::uint64_t const* const known = before.data() + place * words_;
      if (std::all_of(known, known + words_, [](std::uint64_t word) { return word == 0; })) {
        continue;
      }
      for (int told = 0; told < fanout; ++told) {
        auto const listener = static_cast<std::size_t>(draws.below(static_cast<int>(places_)));
        std::uint64_t* const heard = bits_.data() + listener * words_;
        for (std::size_t word = 0; word < words_; ++word) heard[word] |= known[word];
      }
    }
  }
  [[nodiscard]] std::vector<int> known_to(std::size_t place) const {
    std::vector<int> known;
    for (std::size_t other = 0; other < places_; ++other) {
      std::uint64_t const word = bits_[place * words_ + other / word_bits];
      if ((word >> (other % word_bits) & 1U) != 0) known.push_back(static_cast<int>(other));
    }
    return known;
  }

 private:
  std::size_t places_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// What one place knows of others, and the work that they have to spare by that.
class Receivers {
 public:
  Receivers(Places const& places, std::vector<int> known, std::vector<double> const& times_s,
            double limit_s)
      : places_(places), known_(std::move(known)), limit_s_(limit_s) {
    for (int const place : known_) times_s_.push_back(times_s[static_cast<std::size_t>(place)]);
    add_up();
  }

  [[nodiscard]] bool have_room() const { return !upto_.empty() && upto_.back() > 0.0; }
  // By the work to spare; its number here.
  [[nodiscard]] std::size_t drawn(RandomDraws& draws) const {
    auto const found = std::ranges::upper_bound(upto_, draws.next() * upto_.back());
    // Rounding may bring the draw to the end of the last one.
    return std::min(static_cast<std::size_t>(found - upto_.begin()), known_.size() - 1);
  }
  [[nodiscard]] int place(std::size_t at) const { return known_[at]; }
  [[nodiscard]] bool fits(std::size_t at, double time_s) const {
    return times_s_[at] + time_s <= limit_s_;
  }
  void give(std::size_t at, double time_s) {
    // Its own gifts are all that a giver hears of during transfers.
    times_s_[at] += time_s;
    add_up();
  }

 private:
  void add_up() {
    upto_.clear();
    double sum = 0.0;
    for (std::size_t at = 0; at < known_.size(); ++at) {
      sum += std::max(0.0, limit_s_ - times_s_[at]) * places_[known_[at]].speed.value();
      upto_.push_back(sum);
    }
  }

  Places const& places_;
  std::vector<int> known_;
  double limit_s_;
  std::vector<double> times_s_;
  std::vector<double> upto_;  // work to spare, summed up to each
};

struct State {
  Mapping mapping;
  std::vector<double> times_s;  // of computing, by place

  [[nodiscard]] double longest_s() const { return std::ranges::max(times_s); }
};

struct Giver {
  int place;
  std::span<std::int32_t const> objects;  // that may move, the heaviest first
  double limit_s;
  Receivers receivers;
};

// Givers took more than the limit before, receivers less than the mean: no place does both in one
// iteration.
void give_away(Graph const& graph, Places const& places, Giver& giver, State& state,
               RandomDraws& draws) {
  double& here_s = state.times_s[static_cast<std::size_t>(giver.place)];
  for (std::int32_t const object : giver.objects) {
    if (here_s <= giver.limit_s || !giver.receivers.have_room()) break;
    std::size_t const at = giver.receivers.drawn(draws);
    int const place = giver.receivers.place(at);
    double const there_s = places.time_of(graph, object, place).value();
    if (!giver.receivers.fits(at, there_s)) continue;
    giver.receivers.give(at, there_s);
    here_s -= places.time_of(graph, object, giver.place).value();
    state.times_s[static_cast<std::size_t>(place)] += there_s;
    state.mapping[static_cast<std::size_t>(object)] = place;
  }
}

// Of places that take longer than `limit_s`, in the given order.
std::vector<std::vector<std::int32_t>> late_objects(State const& state,
                                                    std::span<std::int32_t const> order,
                                                    double limit_s) {
  std::vector<std::vector<std::int32_t>> objects(state.times_s.size());
  for (std::int32_t const object : order) {
    auto const place = static_cast<std::size_t>(state.mapping[static_cast<std::size_t>(object)]);
    if (state.times_s[place] > limit_s) objects[place].push_back(object);
  }
  return objects;
}

Gossip gossip_of(std::vector<double> const& times_s, double mean_s) {
  Gossip gossip(times_s.size());
  for (std::size_t place = 0; place < times_s.size(); ++place) {
    if (times_s[place] < mean_s) gossip.know_oneself(place);
  }
  return gossip;
}

}  // namespace

std::span<OptionHelp const> GossipBalancer::option_help() {
  return gossip_help;
}

GossipBalancer::GossipBalancer(OptionValues const& given)
    : GossipBalancer(CheckedOptions(name, gossip_help, given)) {
}

GossipBalancer::GossipBalancer(CheckedOptions const& options)
    : fanout_(static_cast<int>(options.whole("fanout"))),
      rounds_(static_cast<int>(options.whole("rounds"))),
      iterations_(static_cast<int>(options.whole("iterations"))),
      threshold_(options.real("threshold")),
      seed_(static_cast<std::uint64_t>(options.whole("seed"))) {
}

Mapping GossipBalancer::map(Graph const& graph, Places const& places) const {
  std::vector<std::int32_t> const order = heaviest_first(graph, places);
  RandomDraws draws(seed_);
  State state{.mapping = graph.now(), .times_s = phase_times(graph, places, graph.now()).compute_s};
  State best = state;
  for (int iteration = 0; iteration < iterations_; ++iteration) {
    double const mean_s = mean_time_s(places, state.times_s);
    double const limit_s = threshold_ * mean_s;
    if (state.longest_s() <= limit_s) break;
    Gossip gossip = gossip_of(state.times_s, mean_s);
    for (int round = 0; round < rounds_; ++round) gossip.round(fanout_, draws);

    // Every giver goes by times of before: givers do not know of each other, as on a real machine.
    std::vector<double> const before_s = state.times_s;
    auto const objects = late_objects(state, order, limit_s);
    for (std::size_t place = 0; place < objects.size(); ++place) {
      if (objects[place].empty()) continue;
      Giver giver{.place = static_cast<int>(place),
                  .objects = objects[place],
                  .limit_s = limit_s,
                  .receivers = Receivers(places, gossip.known_to(place), before_s, limit_s)};
      give_away(graph, places, giver, state, draws);
    }
    if (state.longest_s() < best.longest_s()) best = state;
  }
  return best.mapping;
}

}  // namespace makespan::graph
