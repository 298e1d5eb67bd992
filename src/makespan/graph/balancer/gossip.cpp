// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/gossip.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>

#include "makespan/base/mixed_bits.hpp"
#include "makespan/base/number_map.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/graph/balancer/detail/decision_check.hpp"
#include "makespan/graph/balancer/detail/tree_mean.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 5> gossip_help{{
    {"fanout", OptionKind::whole, 6.0, 1.0, 1000.0, "places that a place tells in a round"},
    {"rounds", OptionKind::whole, 4.0, 0.0, 100.0, "rounds of gossip in an iteration"},
    {"iterations", OptionKind::whole, 4.0, 1.0, 1000.0, "times that gossip and transfers are done"},
    {"threshold", OptionKind::real, 1.02, 1.0, 100.0,
     "a place may take so many times the mean of places"},
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, other draws"},
}};

struct GossipOptions {
  int fanout;
  int rounds;
  int iterations;
  double threshold;
  std::uint64_t seed;
};

// Their kinds.
struct GossipMessage {
  enum Kind : std::int32_t {
    mean,     // see TreeMean
    heard,    // the round, then places that take less than the mean, and how long they take
    given,    // objects, and what their giver took before it gave each
    refused,  // objects that do not fit any more
    claimed,  // objects that go to the sender
  };
};

// Places that one place has heard of, and the work that they have to spare by that.
class Receivers {
 public:
  explicit Receivers(Places const& places) : places_{places} {}

  void clear() {
    times_s_.clear();
    known_.clear();
    upto_.clear();
  }
  void learn(int place, double time_s) {
    // A place tells its time once in an iteration, so whatever else is heard of it says the same.
    if (times_s_.contains(place)) return;
    times_s_[place] = time_s;
    known_.push_back(place);
    upto_.clear();
  }
  [[nodiscard]] std::vector<double> as_numbers(int round) const {
    std::vector<double> numbers{static_cast<double>(round)};
    for (int const place : known_) {
      numbers.insert(numbers.end(), {static_cast<double>(place), *times_s_.find(place)});
    }
    return numbers;
  }
  [[nodiscard]] bool empty() const { return known_.empty(); }

  // Where none has room: -1. By the work to spare.
  [[nodiscard]] int drawn(double limit_s, RandomDraws& draws) {
    if (upto_.empty()) add_up(limit_s);
    if (upto_.empty() || upto_.back() <= 0.0) return -1;
    auto const found = std::ranges::upper_bound(upto_, draws.next() * upto_.back());
    // Rounding may bring the draw to the end of the last one.
    return known_[std::min(static_cast<std::size_t>(found - upto_.begin()), known_.size() - 1)];
  }
  [[nodiscard]] double time_s(int place) const { return *times_s_.find(place); }
  void set(int place, double time_s) {
    times_s_[place] = time_s;
    upto_.clear();
  }

 private:
  void add_up(double limit_s) {
    double sum = 0.0;
    for (int const place : known_) {
      sum += std::max(0.0, limit_s - time_s(place)) * places_[place].speed.value();
      upto_.push_back(sum);
    }
  }

  Places const& places_;
  NumberMap<double> times_s_{};
  std::vector<int> known_{};    // in the order in which they were heard of
  std::vector<double> upto_{};  // work to spare, summed up to each; empty: not summed up
};

class GossipDecision final : public PlaceDecision {
 public:
  GossipDecision(DecisionView view, GossipOptions const& options)
      : view_{std::move(view)},
        options_{options},
        mean_{view_.place, view_.places->count()},
        receivers_{*view_.places},
        draws_{options.seed + mixed_bits(static_cast<std::uint64_t>(view_.place))},
        held_{std::move(view_.own)} {
    for (std::size_t at = 0; at < held_.objects.size(); ++at) time_s_ += time_of(held_, at);
    outcome_.now_s = time_s_;
  }

  void step(int number, DecisionOutbox& outbox) override {
    is_gossip_ = false;
    if (number == 1) {
      double const speed = (*view_.places)[view_.place].speed.value();
      return mean_.begin(time_s_ * speed, speed, GossipMessage::mean, outbox);
    }
    if (number == 2 + 2 * options_.iterations) return claim(outbox);
    // Rounds and transfers are steps of their own: a place gives only when nothing that it could
    // still hear is under way.
    if (number % 2 == 0) {
      begin_gossip(outbox);
    } else {
      give_away(outbox);
    }
  }

  void take(int from, DecisionMessage message, DecisionOutbox& outbox) override {
    switch (message.kind) {
      case GossipMessage::mean:
        return mean_.take(from, message.numbers, GossipMessage::mean, outbox);
      case GossipMessage::heard:
        // Only between the beginnings of a round and of the transfers after it.
        expect_told(is_gossip_, "it comes out of turn");
        return hear(message.numbers, outbox);
      case GossipMessage::given:
        return take_given(from, message, outbox);
      case GossipMessage::refused:
        expect_known(*view_.places, message.known);
        for (std::size_t at = 0; at < message.known.objects.size(); ++at) hold(message.known, at);
        // It is full, whatever was heard of it.
        return receivers_.set(from, limit_s());
      default:
        expect_told(message.kind == GossipMessage::claimed, "it is of no kind");
        expect_at(*view_.places, message.known);
        // Claimed by the place that holds them in the end, through however many they went.
        outcome_.leaving.insert(outcome_.leaving.end(), message.known.objects.begin(),
                                message.known.objects.end());
    }
  }

  [[nodiscard]] DecisionOutcome outcome() override {
    for (KnownObject const& each : held_.objects) {
      if (each.place != view_.place) outcome_.arriving.push_back(each);
    }
    for (auto* const objects : {&outcome_.leaving, &outcome_.arriving}) {
      std::ranges::sort(*objects, {}, &KnownObject::object);
    }
    outcome_.new_s = time_s_;
    return outcome_;
  }

 private:
  struct Gift {
    KnownObjects objects{};
    std::vector<double> giver_s{};  // what the giver took before it gave each
  };
  // An object after which a receiver takes so long, of a place that takes `giver_s` with it.
  [[nodiscard]] bool fits(double receiver_s, double giver_s) const {
    return receiver_s <= limit_s() || receiver_s < giver_s;
  }
  [[nodiscard]] double limit_s() const { return options_.threshold * mean_.value(); }
  [[nodiscard]] double time_at(KnownObjects const& of, std::size_t at, int place) const {
    Place const& there = (*view_.places)[place];
    auto const kind = static_cast<std::size_t>(there.kind);
    return of.work[at * of.kinds() + kind] / there.speed.value();
  }
  [[nodiscard]] double time_of(KnownObjects const& of, std::size_t at) const {
    return time_at(of, at, view_.place);
  }
  void hold(KnownObjects const& of, std::size_t at) {
    time_s_ += time_of(of, at);
    held_.append(of, at);
  }

  // --- rounds

  void begin_gossip(DecisionOutbox& outbox) {
    is_gossip_ = true;
    receivers_.clear();
    told_.assign(static_cast<std::size_t>(options_.rounds) + 1, 0);
    // Only a place that can take something has news of itself.
    if (time_s_ >= mean_.value()) return;
    receivers_.learn(view_.place, time_s_);
    tell(1, outbox);
  }

  void hear(std::vector<double> const& numbers, DecisionOutbox& outbox) {
    expect_told(!numbers.empty(), "it is of no round");
    for (std::size_t at = 1; at + 1 < numbers.size(); at += 2) {
      receivers_.learn(told_below(numbers[at], view_.places->count()), numbers[at + 1]);
    }
    tell(told_below(numbers[0], options_.rounds + 1) + 1, outbox);
  }

  // Once in each round: else each message that is heard would bring `fanout` more.
  void tell(int round, DecisionOutbox& outbox) {
    if (round > options_.rounds || std::exchange(told_[static_cast<std::size_t>(round)], 1) != 0) {
      return;
    }
    std::vector<double> const numbers = receivers_.as_numbers(round);
    for (int told = 0; told < options_.fanout; ++told) {
      int const place = draws_.below(view_.places->count());
      if (place != view_.place)
        outbox.send(place, {.kind = GossipMessage::heard, .numbers = numbers});
    }
  }

  // --- transfers

  void give_away(DecisionOutbox& outbox) {
    if (time_s_ <= limit_s() || receivers_.empty()) return;
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < held_.objects.size(); ++at) {
      if (held_.objects[at].is_fixed == 0) order.push_back(at);
    }
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t at) { return time_of(held_, at); });
    NumberMap<Gift> gifts;
    std::vector<std::uint8_t> goes(held_.objects.size());
    for (std::size_t const at : order) {
      if (time_s_ <= limit_s()) break;
      int const place = receivers_.drawn(limit_s(), draws_);
      if (place < 0) break;
      double const there_s = receivers_.time_s(place) + time_at(held_, at, place);
      if (!fits(there_s, time_s_)) continue;
      // Its own gifts are all that a giver hears of during transfers.
      receivers_.set(place, there_s);
      gifts[place].giver_s.push_back(time_s_);
      gifts[place].objects.append(held_, at);
      // Rounding may leave less than nothing of the last one.
      time_s_ = std::max(0.0, time_s_ - time_of(held_, at));
      goes[at] = 1;
    }
    KnownObjects kept;
    for (std::size_t at = 0; at < goes.size(); ++at) {
      if (goes[at] == 0) kept.append(held_, at);
    }
    held_ = std::move(kept);
    gifts.for_each([&](int place, Gift const& gift) {
      outbox.send(place,
                  {.kind = GossipMessage::given, .known = gift.objects, .numbers = gift.giver_s});
    });
  }

  void take_given(int from, DecisionMessage const& message, DecisionOutbox& outbox) {
    KnownObjects const& known = message.known;
    expect_known(*view_.places, known);
    expect_told(message.numbers.size() == known.objects.size(),
                "it lacks what the giver of objects took");
    KnownObjects back;
    for (std::size_t at = 0; at < known.objects.size(); ++at) {
      if (fits(time_s_ + time_of(known, at), message.numbers[at])) {
        hold(known, at);
      } else {
        back.append(known, at);
      }
    }
    if (!back.objects.empty()) {
      outbox.send(from, {.kind = GossipMessage::refused, .known = std::move(back)});
    }
  }

  void claim(DecisionOutbox& outbox) {
    NumberMap<KnownObjects> claims;
    for (KnownObject& each : held_.objects) {
      each.to = view_.place;
      // What was given away and has come back moves nowhere.
      if (each.place != view_.place) claims[each.place].objects.push_back(each);
    }
    claims.for_each([&](int place, KnownObjects const& objects) {
      outbox.send(place, {.kind = GossipMessage::claimed, .known = objects});
    });
  }

  DecisionView view_;
  GossipOptions options_;
  TreeMean mean_;
  Receivers receivers_;
  RandomDraws draws_;
  KnownObjects held_;
  double time_s_{0.0};
  bool is_gossip_{false};             // whether rounds are under way
  std::vector<std::uint8_t> told_{};  // by round of this iteration
  DecisionOutcome outcome_{};
};

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

// The mean, two for each iteration, and what is asked for in the end.
int GossipBalancer::steps() const {
  return 2 + 2 * iterations_;
}

std::unique_ptr<PlaceDecision> GossipBalancer::at_place(DecisionView view) const {
  return std::make_unique<GossipDecision>(std::move(view), GossipOptions{.fanout = fanout_,
                                                                         .rounds = rounds_,
                                                                         .iterations = iterations_,
                                                                         .threshold = threshold_,
                                                                         .seed = seed_});
}

}  // namespace makespan::graph
