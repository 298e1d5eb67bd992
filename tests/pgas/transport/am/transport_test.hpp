// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of transports by MPI have in common: a job, and waiting that ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Far longer than anything here takes, far shorter than the time that a test has.
inline constexpr std::chrono::seconds wait_limit{8};

// Calls `round` until `done()`, and says whether it came to that.
template <class Done, class Round>
[[nodiscard]] bool wait_until(Done&& done, Round&& round) {
  auto const begin = std::chrono::steady_clock::now();
  while (!done()) {
    if (std::chrono::steady_clock::now() - begin > wait_limit) return false;
    round();
  }
  return true;
}

// The images are not watched: on a busy machine with more images than cores a healthy one may be
// silent for long.
class TransportTest : public testing::Test {
 protected:
  void TearDown() override {
    if (!HasFatalFailure()) job.finish_all();
  }

  [[nodiscard]] ImageId self() const { return job.image(); }
  [[nodiscard]] int images() const { return job.images(); }
  [[nodiscard]] ImageId next() const { return ImageId{(self().value() + 1) % images()}; }
  [[nodiscard]] ImageId previous() const {
    return ImageId{(self().value() + images() - 1) % images()};
  }
  void meet_all() { static_cast<void>(job.exchange_all({})); }

  MpiJob job{detect_launch([](char const* name) -> char const* { return std::getenv(name); }),
             JobOptions{.watch = Watch::off}};
};

// A message as it was delivered.
struct Received {
  WireHeader header{};
  std::vector<std::byte> payload{};
};

// Keeps what it gets.
class Inbox final : public MessageSink {
 public:
  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    messages.push_back({header, {payload.begin(), payload.end()}});
  }

  [[nodiscard]] std::vector<Received> from(ImageId source) const {
    std::vector<Received> chosen;
    std::ranges::copy_if(messages, std::back_inserter(chosen), [source](Received const& message) {
      return message.header.source == source.value();
    });
    return chosen;
  }

  std::vector<Received> messages;
};

// Sends, polling as long as there is no room.
[[nodiscard]] inline bool send_waiting(Link& link, MessageSink& sink, ImageId to,
                                       WireHeader const& header,
                                       std::span<std::byte const> payload) {
  SendOutcome outcome = link.send(to, header, payload);
  return wait_until([&] { return outcome == SendOutcome::sent; },
                    [&] {
                      link.poll(sink);
                      outcome = link.send(to, header, payload);
                    });
}

// Bytes that say whose they are: those of another seed differ nearly everywhere.
[[nodiscard]] inline std::vector<std::byte> pattern(std::size_t bytes, std::uint64_t seed) {
  std::vector<std::byte> filled(bytes);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
  for (std::byte& byte : filled) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::byte>(state >> 56U);
  }
  return filled;
}

}  // namespace makespan::pgas
