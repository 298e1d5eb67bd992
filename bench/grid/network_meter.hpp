// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a network takes for the messages of halos.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bench {

// Others use this machine, too, while steps are measured and while these are.
inline double median(std::vector<double> values) {
  auto const middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What messages of images 0 and 1 to each other cost.
struct NetworkFound {
  double latency_s{};
  double bandwidth{};
  double burst{};
  double receive_s{};  // of a piece
};

class NetworkMeter {
  using Clock = std::chrono::steady_clock;

 public:
  explicit NetworkMeter(pgas::Runtime& runtime)
      : runtime_{runtime},
        here_{runtime.endpoint(0)},
        words_{runtime.allocate_all<std::uint64_t>(1, "words of a meter")},
        data_{runtime.allocate_all<double>(piece_doubles, "data of a meter")},
        values_(piece_doubles) {}

  // Collective.
  NetworkFound measure_all() {
    // Both are longer than a burst, and short enough for a core that is shared with others: as what
    // halos take is.
    constexpr int few = 8;
    constexpr int many = 32;
    std::vector<double> short_streams;
    std::vector<double> long_streams;
    std::vector<double> driving;
    for (int time = 0; time < 15; ++time) {
      short_streams.push_back(stream(few));
      long_streams.push_back(stream(many));
      driving.push_back(driving_s_);
    }
    double const short_s = median(short_streams);
    double const long_s = median(long_streams);
    double const piece_bytes = 8.0 * piece_doubles;
    NetworkFound found{.latency_s = latency(),
                       .bandwidth = (many - few) * piece_bytes / (long_s - short_s),
                       .receive_s = median(driving) / many};
    // A stream is as much shorter as passes at once after a pause, or longer than it should be by
    // what it takes to begin one.
    double const ahead_s = few * piece_bytes / found.bandwidth - (short_s - found.latency_s);
    if (ahead_s > 0.0) found.burst = ahead_s * found.bandwidth;
    if (ahead_s < 0.0) found.latency_s -= ahead_s;
    runtime_.free_all(data_);
    runtime_.free_all(words_);
    return found;
  }

 private:
  static constexpr std::int64_t piece_doubles = (std::int64_t{64} << 10) / 8;

  [[nodiscard]] bool plays() const { return runtime_.image().value() < 2; }
  [[nodiscard]] ImageId other() const { return ImageId{1 - runtime_.image().value()}; }
  void wait_for(std::uint64_t count) {
    while (pgas::load(here_, words_.at(runtime_.image(), 0)) < count) {
      auto const begin = Clock::now();
      if (here_.progress() > 0) driving_s_ += seconds_since(begin);
    }
  }

  double latency() {
    constexpr int trips = 200;
    runtime_.team().barrier_all();
    double best = 1.0;
    for (int trip = 0; plays() && trip < trips; ++trip) {
      auto const begin = Clock::now();
      std::span<double const> const ball(values_.data(), 1);
      if (runtime_.image().value() == 0) {
        here_.put_signal(data_.at(other(), 0), ball, words_.at(other(), 0));
      }
      wait_for(++heard_);
      if (runtime_.image().value() == 1) {
        here_.put_signal(data_.at(other(), 0), ball, words_.at(other(), 0));
      }
      best = std::min(best, seconds_since(begin) / 2);
    }
    runtime_.team().barrier_all();
    return best;
  }

  // So many pieces there and then back: half of that.
  double stream(int pieces) {
    runtime_.team().barrier_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    runtime_.team().barrier_all();
    auto const begin = Clock::now();
    driving_s_ = 0.0;
    std::vector<pgas::Future<void>> futures;
    auto const send = [&] {
      for (int piece = 0; piece < pieces; ++piece) {
        futures.push_back(here_.put_signal_async(
            data_.at(other(), 0), std::span<double const>(values_), words_.at(other(), 0)));
      }
    };
    if (runtime_.image().value() == 0) send();
    if (plays()) wait_for(heard_ += static_cast<std::uint64_t>(pieces));
    if (runtime_.image().value() == 1) send();
    double const took = seconds_since(begin);
    for (pgas::Future<void>& future : futures) future.get();
    runtime_.team().barrier_all();
    return took / 2;
  }

  pgas::Runtime& runtime_;
  pgas::Endpoint& here_;
  pgas::SymmetricArray<std::uint64_t> words_;
  pgas::SymmetricArray<double> data_;
  std::vector<double> values_;
  std::uint64_t heard_{0};
  double driving_s_{0.0};
};

}  // namespace makespan::bench
