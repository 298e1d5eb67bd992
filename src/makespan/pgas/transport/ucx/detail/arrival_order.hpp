// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts messages back into the order of their numbers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

// Of several origins, each with numbers 0, 1, … of its own (which wrap around). Nearly all messages
// come in order and pass through; one that comes early waits for those before it. Allocates when an
// origin's first message comes early, and never again for that origin.
template <class Item>
class ArrivalOrder {
 public:
  // How far a message may be ahead of the one that is missing.
  static constexpr std::uint32_t early_max = 512;

  explicit ArrivalOrder(std::size_t origins) : lines_(origins) {}

  // Whether arrive() takes this number: the next of its origin, or one that is ahead of it by less
  // than the above and does not wait already.
  [[nodiscard]] bool takes(std::size_t origin, std::uint32_t number) const {
    Line const& line = lines_[origin];
    return !line.is_closed && number - line.next < early_max &&
           (number == line.next || !line.early || !line.early[number % early_max]);
  }

  // Calls take(item) for this item if it is the next of its origin, and then for those that had
  // waited for it; otherwise keeps it. `number` is one that it takes.
  template <class Take>
  void arrive(std::size_t origin, std::uint32_t number, Item item, Take&& take) {
    Line& line = lines_[origin];
    MAKESPAN_EXPECT(takes(origin, number));
    if (number != line.next) {
      keep(line, number, std::move(item));
      return;
    }
    ++line.next;
    take(std::move(item));
    while (line.waiting > 0) {
      std::optional<Item>& following = line.early[line.next % early_max];
      if (!following) return;
      ++line.next;
      --line.waiting;
      take(*std::exchange(following, std::nullopt));
    }
  }

  // Nothing more comes from `origin`: calls drop(item) for those that wait.
  template <class Drop>
  void close(std::size_t origin, Drop&& drop) {
    Line& line = lines_[origin];
    line.is_closed = true;
    for (std::uint32_t at = 0; line.early && at < early_max; ++at) {
      if (line.early[at]) drop(*std::exchange(line.early[at], std::nullopt));
    }
    line.early.reset();
    line.waiting = 0;
  }

  [[nodiscard]] bool is_closed(std::size_t origin) const { return lines_[origin].is_closed; }
  [[nodiscard]] std::size_t origins() const { return lines_.size(); }

 private:
  struct Line {
    std::uint32_t next{0};
    std::uint32_t waiting{0};
    bool is_closed{false};
    std::unique_ptr<std::optional<Item>[]> early{};  // by number, modulo early_max
  };

  void keep(Line& line, std::uint32_t number, Item item) {
    if (!line.early) line.early = std::make_unique<std::optional<Item>[]>(early_max);
    std::optional<Item>& place = line.early[number % early_max];
    place.emplace(std::move(item));
    ++line.waiting;
  }

  std::vector<Line> lines_;
};

}  // namespace makespan::pgas
