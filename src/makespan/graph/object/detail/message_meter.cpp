// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_meter.hpp"

#include <cereal/types/vector.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "makespan/base/median.hpp"
#include "makespan/graph/object/detail/probe_samples.hpp"
#include "makespan/graph/object/detail/world_machine.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/fabric.hpp"

namespace makespan::graph {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int meter_rounds = 64;   // of ping-pong
constexpr int small_count = 4096;  // messages in a row
constexpr int large_count = 32;
constexpr int salvo = 64;  // of small ones by one call of a method: then batches that are full go
constexpr std::size_t large_words = std::size_t{64 * 1024} / sizeof(std::uint64_t);
constexpr double large_bytes = 64 * 1024;
// So long the receiver is busy while what it will take is sent.
constexpr auto hold = std::chrono::milliseconds(3);
constexpr int passes_max = 7;
constexpr double byte_s_min = 1e-13;  // of what is not slower than many small ones

// What is done in a phase.
struct Measurement {
  std::size_t pair;
  SendKind kind;
};
Measurement measurement_of(std::int64_t phase, std::size_t pairs) {
  auto const at = static_cast<std::size_t>(phase);
  return {.pair = at / send_kinds % pairs, .kind = static_cast<SendKind>(at % send_kinds)};
}

double wall_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// One at each place. What comes in its messages is checked before it is an index.
struct Probe {
  Collection<Probe> all{};

  // At the receiver, and back at the sender.
  void ping(ObjectPlace& here, std::int32_t back, std::int32_t of_pair, std::int64_t left) {
    expect_place(back);
    expect_within(left, meter_rounds);
    auto& samples = here.common<ProbeSamples>();
    samples.taken = 0;
    samples.sender = back;
    samples.begin.reset();
    here.send<&Probe::pong>(all, back, here.place(), of_pair, left);
  }
  void pong(ObjectPlace& here, std::int32_t other, std::int32_t of_pair, std::int64_t left) {
    expect_place(other);
    expect_within(left, meter_rounds);
    auto& samples = here.common<ProbeSamples>();
    if (left > 0) {
      here.send<&Probe::ping>(all, other, here.place(), of_pair, left - 1);
    } else if (samples.kind == SendKind::round_trip) {
      samples.of(of_pair).latency_s.push_back(wall_since(samples.begun()) / (2 * meter_rounds));
    } else {
      // Both are awake now.
      int const count = samples.kind == SendKind::small ? small_count : large_count;
      samples.begin = this_moment();
      // Large ones between hosts are on their way while the receiver would be busy.
      bool const is_of_link = samples.kind == SendKind::large && samples.is_between_hosts(of_pair);
      if (!is_of_link) here.send<&Probe::be_busy>(all, other);
      here.send<&Probe::shoot>(all, here.place(), other, of_pair, std::int32_t{count});
    }
  }
  // A part of what is left to send, and the rest by another call.
  void shoot(ObjectPlace& here, std::int32_t to, std::int32_t of_pair, std::int32_t left) {
    expect_place(to);
    expect_within(left, small_count);
    auto& samples = here.common<ProbeSamples>();
    bool const is_small = samples.kind == SendKind::small;
    for (int message = 0; is_small && message < salvo; ++message) {
      here.send<&Probe::take>(all, to, of_pair, std::int64_t{message});
    }
    if (!is_small) {
      here.send<&Probe::take_large>(all, to, of_pair, std::vector<std::uint64_t>(large_words, 1));
    }
    left -= is_small ? salvo : 1;
    if (left > 0) {
      here.send<&Probe::shoot>(all, here.place(), to, of_pair, left);
    } else if (is_small) {
      samples.of(of_pair).send_s.push_back(cpu_since(samples.begun()) / small_count);
    }
  }

  // At the receiver: is busy, and then takes what has come meanwhile.
  void be_busy(ObjectPlace& here) {
    Clock::time_point const begin = Clock::now();
    while (Clock::now() - begin < hold) {
    }
    here.common<ProbeSamples>().begin = this_moment();
  }
  void take(ObjectPlace& here, std::int32_t of_pair, std::int64_t) {
    auto& samples = here.common<ProbeSamples>();
    // Messages may overtake each other: all of them have come before it was busy, perhaps.
    if (++samples.taken != small_count || !samples.begin) return;
    samples.of(of_pair).receive_s.push_back(samples.since_begin_s(of_pair) / small_count);
  }
  void take_large(ObjectPlace& here, std::int32_t of_pair,
                  std::vector<std::uint64_t> const& words) {
    auto& samples = here.common<ProbeSamples>();
    samples.sum += std::accumulate(words.begin(), words.end(), std::uint64_t{0});
    if (++samples.taken != large_count) return;
    if (samples.is_between_hosts(of_pair)) {
      here.send<&Probe::note_link>(all, samples.sender, of_pair);
    } else if (samples.begin) {
      samples.of(of_pair).large_s.push_back(samples.since_begin_s(of_pair) / large_count);
    }
  }

  // At the sender: all large ones have come.
  void note_link(ObjectPlace& here, std::int32_t of_pair) {
    auto& samples = here.common<ProbeSamples>();
    ProbeSamples::OfPair& of = samples.of(of_pair);
    if (of.latency_s.empty()) refuse_probe("the end of large messages", "no round trip was before");
    double const way_s =
        2.0 * std::ranges::min(of.latency_s);  // a round trip is the first of a pass
    of.large_s.push_back(
        std::max((wall_since(samples.begun()) - way_s) / large_count, byte_s_min * large_bytes));
  }

  void expect_place(std::int32_t place) const {
    if (place >= 0 && place < all.count) return;
    refuse_probe("a probe of place " + std::to_string(place),
                 std::to_string(all.count) + " are measured");
  }
  static void expect_within(std::int64_t left, std::int64_t most) {
    if (left >= 0 && left <= most) return;
    refuse_probe("a probe with " + std::to_string(left) + " messages left",
                 std::to_string(most) + " are sent");
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(all.id, all.first, all.count);
  }
};

WorldOptions options_for(std::vector<int> const& cpus) {
  return {.threads = static_cast<int>(cpus.size()),
          .balance = {.trigger = {.when = BalanceWhen::never}},
          .trace = {.file = "none"}};
}

// Objects stay where they are: what is assumed of costs does not matter.
WorldMachine machine_of(pgas::Runtime const& runtime, std::vector<int> const& cpus) {
  std::vector<int> const one_host(static_cast<std::size_t>(runtime.images()));
  return {.layout = assumed_layout(static_cast<int>(cpus.size()), one_host), .cpus = cpus};
}

class MessageMeter {
 public:
  MessageMeter(pgas::Runtime& runtime, std::vector<int> const& cpus,
               std::span<ThreadPair const> pairs)
      : runtime_(runtime),
        threads_(static_cast<int>(cpus.size())),
        pairs_(pairs),
        world_(runtime, options_for(cpus), machine_of(runtime, cpus)),
        probes_(world_.add<Probe>("probes", world_.places(), Mobility::fixed)),
        figures_(pairs.size() * columns) {}

  std::vector<MessageCost> run_all(Seconds budget) {
    Clock::time_point const begin = Clock::now();
    auto const pass = static_cast<std::int64_t>(pairs_.size()) * send_kinds;
    world_.run_all(
        {.prepare =
             [&](ObjectPlace& here) {
               here.set_common(std::make_shared<ProbeSamples>(is_of_hosts()));
             },
         .create = [&](ObjectPlace& here) { here.create(probes_, here.place(), Probe{probes_}); },
         .begin = [&](ObjectPlace& here, std::int64_t phase) { begin_phase(here, phase); },
         .after =
             [&](PhaseReport const& report) {
               // A pair under way is completed.
               bool const may_stop = (report.phase + 1) % send_kinds == 0;
               return may_stop && wall_since(begin) > budget.value() ? Next::stop : Next::go_on;
             },
         .end = [&](ObjectPlace& here) { end(here); },
         .phases = pass * passes_max});
    return costs_all();
  }

 private:
  static constexpr std::size_t columns = 4;

  [[nodiscard]] std::vector<bool> is_of_hosts() const {
    pgas::Job& job = runtime_.endpoint(0).fabric().job();
    auto const host = [&](int place) -> std::string const& {
      return job.host(ImageId{place / threads_});
    };
    std::vector<bool> all;
    for (ThreadPair const& pair : pairs_) all.push_back(host(pair.from) != host(pair.to));
    return all;
  }

  void begin_phase(ObjectPlace& here, std::int64_t phase) {
    Measurement const now = measurement_of(phase, pairs_.size());
    ThreadPair const pair = pairs_[now.pair];
    if (here.place() != pair.from) return;
    auto& samples = here.common<ProbeSamples>();
    samples.kind = now.kind;
    samples.begin = this_moment();
    here.send<&Probe::ping>(probes_, pair.to, here.place(), static_cast<std::int32_t>(now.pair),
                            std::int64_t{meter_rounds - 1});
  }

  // Places of this image write to different figures: a pair's sender and its receiver have their
  // own.
  void end(ObjectPlace& here) {
    auto const& samples = here.common<ProbeSamples>();
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      ProbeSamples::OfPair const& of = samples.of(static_cast<std::int32_t>(pair));
      double* const figures = figures_.data() + pair * columns;
      if (here.place() == pairs_[pair].from && !of.latency_s.empty()) {
        figures[0] = std::ranges::min(of.latency_s);
        figures[1] = median_or(of.send_s, 0.0);
      }
      if (here.place() == pairs_[pair].to) figures[2] = median_or(of.receive_s, 0.0);
      if (!of.large_s.empty()) figures[3] = median_or(of.large_s, 0.0);
    }
  }

  std::vector<MessageCost> costs_all() {
    std::vector<double> all(figures_.size());
    runtime_.team().all_reduce_all(pgas::ReduceOp::max, std::span<double const>(figures_),
                                   std::span<double>(all));
    std::vector<MessageCost> costs;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      double const* const figures = all.data() + pair * columns;
      // All of a pair, or nothing. Large ones are the last of a pass.
      if (!(figures[2] > 0.0 && figures[3] > 0.0)) {
        costs.push_back({});
        continue;
      }
      costs.push_back({.latency_s = figures[0],
                       .send_s = figures[1],
                       .receive_s = figures[2],
                       .byte_s = std::max((figures[3] - figures[2]) / large_bytes, byte_s_min)});
    }
    return costs;
  }

  pgas::Runtime& runtime_;
  int threads_;
  std::span<ThreadPair const> pairs_;
  ObjectWorld world_;
  Collection<Probe> probes_;
  std::vector<double> figures_;  // by pair, of this image: latency, send, receive, large; 0: none
};

}  // namespace

std::vector<MessageCost> metered_all(pgas::Runtime& runtime, std::vector<int> const& cpus,
                                     std::span<ThreadPair const> pairs, Seconds budget) {
  if (pairs.empty()) return {};
  return MessageMeter(runtime, cpus, pairs).run_all(budget);
}

}  // namespace makespan::graph
