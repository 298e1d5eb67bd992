// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/measure/image_costs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/padded_text.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/job/host_name.hpp"
#include "makespan/pgas/options.hpp"

namespace makespan::pgas {

namespace {

using Clock = std::chrono::steady_clock;

// So that what disturbs for a second or two does not meet all of a pair's rounds
// (docs/decisions/0051).
constexpr int passes = 4;
constexpr int trips_per_round = 20;
constexpr int rounds_min = 5;
constexpr std::int64_t put_bytes = std::int64_t{1} << 20;
constexpr Seconds pair_time_min{0.01};
// Image 0 may be reading files, or measuring its cores, for which the others are to keep quiet.
constexpr std::chrono::milliseconds look_interval{5};
// Of a wait in which nothing happens, but for those that a game of a pair ends, which may take as
// long as was asked for.
constexpr Seconds wait_limit{60.0};

Seconds since(Clock::time_point begin) {
  return Seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
}

std::vector<std::string> hosts_of(Team& team) {
  using Name = std::array<char, 64>;
  Name mine{};
  std::string const name = host_name();
  std::ranges::copy_n(name.begin(),
                      static_cast<std::ptrdiff_t>(std::min(name.size(), mine.size() - 1)),
                      mine.begin());
  std::vector<std::string> hosts;
  for (Name const& one : team.all_gather_all(std::span<Name const>(&mine, 1))) {
    hosts.push_back(text_of_row(one));
  }
  return hosts;
}

}  // namespace

ImageMeter::ImageMeter()
    : runtime_{RuntimeOptions{.wait_limit = wait_limit}},
      here_{runtime_.endpoint(0)},
      hosts_{hosts_of(runtime_.team())},
      words_{runtime_.allocate_all<std::uint64_t>(3, "words of a meter")},
      orders_{runtime_.allocate_all<Order>(1, "orders of a meter")},
      messages_{runtime_.allocate_all<Message>(1, "messages of a meter")},
      found_{runtime_.allocate_all<Found>(1, "findings of a meter")},
      data_{runtime_.allocate_all<std::byte>(put_bytes, "data of a meter")} {
}

int ImageMeter::steps() const {
  return passes * images() * (images() - 1) / 2;
}

ImageCosts ImageMeter::measure(Seconds budget, std::atomic<int>& steps_done,
                               std::stop_token const& stop) {
  MAKESPAN_EXPECT(image() == 0);
  auto const size = static_cast<std::size_t>(images());
  ImageCosts costs{.hosts = hosts_,
                   .latencies = std::vector<double>(size * size),
                   .bandwidths = std::vector<double>(size * size),
                   .transport = runtime_.describe().transport};
  double const time_s = std::max(pair_time_min, budget / std::max(1, steps())).value();
  // The best of all passes: what disturbs a game makes it slower, never faster.
  auto const keep = [](double& kept, double found, bool is_better) {
    if (kept == 0.0 || is_better) kept = found;
  };
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        if (stop.stop_requested()) return costs;
        Found const found = measure_pair({.first = static_cast<std::int64_t>(i),
                                          .second = static_cast<std::int64_t>(j),
                                          .time_s = time_s});
        double& latency = costs.latencies[i * size + j];
        keep(latency, found.latency_s, found.latency_s < latency);
        costs.latencies[j * size + i] = latency;
        double& there = costs.bandwidths[i * size + j];
        keep(there, found.there, found.there > there);
        double& back = costs.bandwidths[j * size + i];
        keep(back, found.back, found.back > back);
        ++steps_done;
      }
    }
  }
  return costs;
}

void ImageMeter::serve() {
  MAKESPAN_EXPECT(image() != 0);
  for (;;) {
    Order const order = next_order();
    if (order.first < 0) return;
    Seconds const time{order.time_s};
    if (order.second == image()) {
      answer(ImageId{order.first}, time);
      continue;
    }
    Found const found = begin_ping_pong(ImageId{order.second}, time);
    here_.put_signal(found_.at(ImageId{0}), std::span<Found const>(&found, 1),
                     word(ImageId{0}, Word::found));
  }
}

void ImageMeter::finish_all() {
  if (image() == 0) {
    for (int other = 1; other < images(); ++other) {
      ImageId const to{other};
      if (runtime_.is_alive(to)) post(to, {.first = -1, .second = -1, .time_s = 0.0});
    }
  }
  runtime_.finish_all();
}

void ImageMeter::post(ImageId image, Order const& order) {
  here_.put_signal(orders_.at(image), std::span<Order const>(&order, 1), word(image, Word::order));
}

// Looks now and then: see look_interval.
ImageMeter::Order ImageMeter::next_order() {
  ++orders_taken_;
  ImageId const me = runtime_.image();
  for (;;) {
    here_.progress();
    if (load(here_, word(me, Word::order)) >= orders_taken_) break;
    // Or this one itself, which the others have given up: image 0 orders nothing from it then.
    for (ImageId const image : {ImageId{0}, me}) {
      if (runtime_.is_alive(image)) continue;
      throw ImageFailed(image, runtime_.loss_of(image), "a measurement");
    }
    std::this_thread::sleep_for(look_interval);
  }
  return here_.get(orders_.at(me));
}

// Image 0's part of a ping-pong of two, one of which it may be itself.
ImageMeter::Found ImageMeter::measure_pair(Order const& order) {
  post(ImageId{order.second}, order);
  if (order.first == 0) return begin_ping_pong(ImageId{order.second}, Seconds{order.time_s});
  post(ImageId{order.first}, order);
  static_cast<void>(here_.wait_until_word(word(runtime_.image(), Word::found), Comparison::at_least,
                                          ++found_taken_, WaitLimit::none));
  return here_.get(found_.at(runtime_.image()));
}

ImageMeter::Found ImageMeter::begin_ping_pong(ImageId other, Seconds time) {
  Seconds shortest{};
  send_message(other, {.call = Call::answer, .value = 0.0});  // waits for the other to come
  static_cast<void>(awaited_message());
  auto const begin = Clock::now();
  // Half of the time for latency, and a quarter for the bandwidth of either direction.
  for (int round = 0; round < rounds_min || since(begin) < time / 2.0; ++round) {
    auto const round_begin = Clock::now();
    for (int trip = 0; trip < trips_per_round; ++trip) {
      send_message(other, {.call = Call::answer, .value = 0.0});
      static_cast<void>(awaited_message());
    }
    Seconds const taken = since(round_begin);
    // What disturbs makes a round longer, never shorter (docs/decisions/0051).
    if (round == 0 || taken < shortest) shortest = taken;
  }
  Found found{.latency_s = (shortest / (2.0 * trips_per_round)).value(),
              .there = rate_to(other, time / 4.0),
              .back = 0.0};
  send_message(other, {.call = Call::your_turn, .value = 0.0});
  found.back = awaited_message().value;
  return found;
}

// The last message is this one's: the next ping-pong may begin as soon as the other has it.
void ImageMeter::answer(ImageId other, Seconds time) {
  while (awaited_message().call == Call::answer) {
    send_message(other, {.call = Call::answer, .value = 0.0});
  }
  send_message(other, {.call = Call::my_rate, .value = rate_to(other, time / 4.0)});
}

void ImageMeter::send_message(ImageId other, Message message) {
  here_.put_signal(messages_.at(other), std::span<Message const>(&message, 1),
                   word(other, Word::message));
}

ImageMeter::Message ImageMeter::awaited_message() {
  ImageId const me = runtime_.image();
  static_cast<void>(here_.wait_until_word(word(me, Word::message), Comparison::at_least,
                                          ++messages_taken_, WaitLimit::none));
  return here_.get(messages_.at(me));
}

// The best of some puts, each until it is visible there, in bytes per second.
double ImageMeter::rate_to(ImageId other, Seconds time) {
  std::vector<std::byte> const data(static_cast<std::size_t>(put_bytes), std::byte{1});
  double best = 0.0;
  auto const begin = Clock::now();
  for (int round = 0; round < rounds_min || since(begin) < time; ++round) {
    auto const round_begin = Clock::now();
    here_.put(data_.at(other), std::span<std::byte const>(data));
    here_.flush(other);
    best = std::max(best, static_cast<double>(put_bytes) / since(round_begin).value());
  }
  return best;
}

}  // namespace makespan::pgas
