// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tests of links have in common: messages whose content follows from their sender, and a
// sink that checks it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// A message says in its header who sent it (source, thread), and which of those it is (operand).
inline std::byte content_of(WireHeader const& header, std::size_t at) {
  return static_cast<std::byte>(header.operand * 31 + header.thread * 7 +
                                static_cast<std::uint64_t>(header.source) * 3 + at);
}

inline std::vector<std::byte> payload_of(WireHeader const& header, std::size_t bytes) {
  std::vector<std::byte> payload(bytes);
  for (std::size_t at = 0; at < bytes; ++at) payload[at] = content_of(header, at);
  return payload;
}

// Counts messages, and those that are out of order or not what they should be.
class CheckingSink final : public MessageSink {
 public:
  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    std::uint64_t& next = next_[{header.source, header.thread}];
    if (header.operand != next) ++out_of_order_;
    next = header.operand + 1;
    if (header.compare != payload.size()) ++wrong_;
    for (std::size_t at = 0; at < payload.size(); ++at) {
      if (payload[at] != content_of(header, at)) {
        ++wrong_;
        break;
      }
    }
    ++count_;
    if (answer_) answer_(header, payload);
  }

  // Called with each message.
  void set_answer(std::function<void(WireHeader const&, std::span<std::byte const>)> answer) {
    answer_ = std::move(answer);
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int out_of_order() const { return out_of_order_; }
  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  std::map<std::pair<std::int32_t, std::uint16_t>, std::uint64_t> next_;
  int count_{0};
  int out_of_order_{0};
  int wrong_{0};
  std::function<void(WireHeader const&, std::span<std::byte const>)> answer_;
};

// Tries `is_done()` until it is true, for the time in which a test must be done; calls
// `meanwhile()` in between.
template <class IsDone, class Meanwhile>
[[nodiscard]] bool eventually(IsDone&& is_done, Meanwhile&& meanwhile) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(25);
  while (!is_done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    meanwhile();
  }
  return true;
}

// Sends one message, polling while there is no room. False if there never is.
[[nodiscard]] inline bool send_soon(Link& link, MessageSink& sink, ImageId to,
                                    WireHeader const& header, std::size_t bytes) {
  auto const payload = payload_of(header, bytes);
  return eventually([&] { return link.send(to, header, payload) == SendOutcome::sent; },
                    [&] { link.poll(sink); });
}

}  // namespace makespan::pgas
