// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_meter.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "makespan/base/median.hpp"
#include "makespan/graph/object/detail/world_machine.hpp"
#include "makespan/graph/object/object_world.hpp"

namespace makespan::graph {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int meter_rounds = 64;      // of ping-pong
constexpr int few = 512;        // small messages in a row
constexpr int few_large = 16;   // large ones
constexpr std::size_t large_words = std::size_t{64 * 1024} / sizeof(std::uint64_t);
constexpr double large_bytes = 64 * 1024;
// So long the receiver is busy while what it will take is sent.
constexpr auto hold = std::chrono::milliseconds(2);
constexpr int passes_max = 7;
constexpr double byte_s_min = 1e-13;  // of what is not slower than many small ones

enum class SendKind : std::int8_t { round_trip, small, large };
constexpr int kinds = 3;

// What is done in a phase.
struct Measurement {
  std::size_t pair;
  SendKind kind;
};
Measurement measurement_of(std::int64_t phase, std::size_t pairs) {
  auto const at = static_cast<std::size_t>(phase);
  return {.pair = at / kinds % pairs, .kind = static_cast<SendKind>(at % kinds)};
}

double wall_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Of one place.
struct ProbeSamples {
  struct OfPair {
    std::vector<double> latency_s{};
    std::vector<double> send_s{};
    std::vector<double> receive_s{};
    std::vector<double> large_s{};
  };
  std::vector<OfPair> pairs{};
  Clock::time_point begin{};  // of what is measured here
  int left{0};                // messages still to come
  std::uint64_t sum{0};       // of what large ones held, so that they are read
};

// One at each place.
struct Probe {
  Collection<Probe> all{};

  // At the receiver, and back at the sender.
  void ping(ObjectPlace& here, std::int32_t back, std::int32_t of_pair, std::int64_t left) {
    here.send<&Probe::pong>(all, back, here.place(), of_pair, left);
  }
  void pong(ObjectPlace& here, std::int32_t other, std::int32_t of_pair, std::int64_t left) {
    auto& samples = here.common<ProbeSamples>();
    if (left > 0) {
      here.send<&Probe::ping>(all, other, here.place(), of_pair, left - 1);
      return;
    }
    samples.pairs[static_cast<std::size_t>(of_pair)].latency_s.push_back(
        wall_since(samples.begin) / (2 * meter_rounds));
  }

  // At the receiver: is busy, and then takes what has come meanwhile.
  void be_busy(ObjectPlace& here, std::int32_t count) {
    auto& samples = here.common<ProbeSamples>();
    samples.left = count;
    Clock::time_point const begin = Clock::now();
    while (Clock::now() - begin < hold) {
    }
    samples.begin = Clock::now();
  }
  void take(ObjectPlace& here, std::int32_t of_pair, std::int64_t) {
    auto& samples = here.common<ProbeSamples>();
    if (--samples.left > 0) return;
    samples.pairs[static_cast<std::size_t>(of_pair)].receive_s.push_back(
        wall_since(samples.begin) / few);
  }
  void take_large(ObjectPlace& here, std::int32_t of_pair,
                  std::vector<std::uint64_t> const& words) {
    auto& samples = here.common<ProbeSamples>();
    samples.sum += std::accumulate(words.begin(), words.end(), std::uint64_t{0});
    if (--samples.left > 0) return;
    samples.pairs[static_cast<std::size_t>(of_pair)].large_s.push_back(
        wall_since(samples.begin) / few_large);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(all.id, all.first, all.count);
  }
};

WorldOptions options_for(std::vector<int> const& cpus) {
  return {.threads = static_cast<int>(cpus.size()),
          .balance = {.trigger = {.when = BalanceWhen::never}}};
}

// Objects stay where they are: what is assumed of costs does not matter.
WorldMachine machine_of(pgas::Runtime const& runtime, std::vector<int> const& cpus) {
  std::vector<int> const one_host(static_cast<std::size_t>(runtime.images()));
  return {.layout = assumed_layout(static_cast<int>(cpus.size()), one_host), .cpus = cpus};
}

class MessageMeter {
 public:
  MessageMeter(pgas::Runtime& runtime, std::vector<int> const& cpus, std::span<ThreadPair const> pairs)
      : runtime_(runtime),
        pairs_(pairs),
        world_(runtime, options_for(cpus), machine_of(runtime, cpus)),
        probes_(world_.add<Probe>("probes", world_.places(), Mobility::fixed)),
        figures_(pairs.size() * columns) {}

  std::vector<MessageCost> run_all(Seconds budget) {
    Clock::time_point const begin = Clock::now();
    auto const pass = static_cast<std::int64_t>(pairs_.size()) * kinds;
    world_.run_all(
        {.prepare =
             [&](ObjectPlace& here) {
               auto samples = std::make_shared<ProbeSamples>();
               samples->pairs.resize(pairs_.size());
               here.set_common(std::move(samples));
             },
         .create = [&](ObjectPlace& here) { here.create(probes_, here.place(), Probe{probes_}); },
         .begin = [&](ObjectPlace& here, std::int64_t phase) { begin_phase(here, phase); },
         .after =
             [&](PhaseReport const&) {
               return wall_since(begin) > budget.value() ? Next::stop : Next::go_on;
             },
         .end = [&](ObjectPlace& here) { end(here); },
         .phases = pass * passes_max});
    return costs_all();
  }

 private:
  static constexpr std::size_t columns = 4;

  void begin_phase(ObjectPlace& here, std::int64_t phase) {
    Measurement const now = measurement_of(phase, pairs_.size());
    ThreadPair const pair = pairs_[now.pair];
    if (here.place() != pair.from) return;
    auto& samples = here.common<ProbeSamples>();
    auto const number = static_cast<std::int32_t>(now.pair);
    Clock::time_point const begin = Clock::now();
    if (now.kind == SendKind::round_trip) {
      samples.begin = begin;
      here.send<&Probe::ping>(probes_, pair.to, here.place(), number, std::int64_t{meter_rounds - 1});
    } else if (now.kind == SendKind::small) {
      here.send<&Probe::be_busy>(probes_, pair.to, std::int32_t{few});
      for (int message = 0; message < few; ++message) {
        here.send<&Probe::take>(probes_, pair.to, number, std::int64_t{message});
      }
      samples.pairs[now.pair].send_s.push_back(wall_since(begin) / few);
    } else {
      here.send<&Probe::be_busy>(probes_, pair.to, std::int32_t{few_large});
      for (int message = 0; message < few_large; ++message) {
        here.send<&Probe::take_large>(probes_, pair.to, number,
                                      std::vector<std::uint64_t>(large_words, 1));
      }
    }
  }

  // Places of this image write to different figures: a pair's sender and its receiver have their
  // own.
  void end(ObjectPlace& here) {
    auto const& samples = here.common<ProbeSamples>();
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      ProbeSamples::OfPair const& of = samples.pairs[pair];
      double* const figures = figures_.data() + pair * columns;
      if (here.place() == pairs_[pair].from && !of.latency_s.empty()) {
        figures[0] = std::ranges::min(of.latency_s);
        figures[1] = median_or(of.send_s, 0.0);
      }
      if (here.place() == pairs_[pair].to && !of.large_s.empty()) {
        figures[2] = median_or(of.receive_s, 0.0);
        figures[3] = std::max((median_or(of.large_s, 0.0) - figures[2]) / large_bytes, byte_s_min);
      }
    }
  }

  std::vector<MessageCost> costs_all() {
    std::vector<double> all(figures_.size());
    runtime_.team().all_reduce_all(pgas::ReduceOp::max, std::span<double const>(figures_),
                                   std::span<double>(all));
    std::vector<MessageCost> costs;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      double const* const figures = all.data() + pair * columns;
      // All of a pair, or nothing.
      if (!(figures[2] > 0.0)) {
        costs.push_back({});
        continue;
      }
      costs.push_back({.latency_s = figures[0],
                       .send_s = figures[1],
                       .receive_s = figures[2],
                       .byte_s = figures[3]});
    }
    return costs;
  }

  pgas::Runtime& runtime_;
  std::span<ThreadPair const> pairs_;
  ObjectWorld world_;
  Collection<Probe> probes_;
  std::vector<double> figures_;  // by pair, of this image: latency, send, receive, byte; 0: none
};

}  // namespace

std::vector<MessageCost> metered_all(pgas::Runtime& runtime, std::vector<int> const& cpus,
                                     std::span<ThreadPair const> pairs, Seconds budget) {
  if (pairs.empty()) return {};
  return MessageMeter(runtime, cpus, pairs).run_all(budget);
}

}  // namespace makespan::graph
