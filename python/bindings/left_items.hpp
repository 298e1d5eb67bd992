// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which items of a list are still to do, where an earlier run did some. Tested by
// tests/python/test_map_checkpoint.py.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace bindings {

// Items by their places among those that are left. All images have the same.
class LeftItems {
 public:
  struct Stretch {
    std::int64_t begin{};
    std::int64_t end{};
  };

  // All of them.
  explicit LeftItems(std::int64_t items) {
    if (items > 0) add({0, items}, items);
  }
  // These, in rising order. Throws std::invalid_argument where they are not, or beyond `items`.
  LeftItems(std::span<std::int64_t const> left, std::int64_t items) {
    for (std::int64_t const item : left) {
      if (stretches_.empty() || item != stretches_.back().end) add({item, item}, items);
      if (item >= items) throw std::invalid_argument("an item that is left is none of the list");
      ++stretches_.back().end;
    }
  }
  // What image 0 has sent: to_bytes(). Throws std::invalid_argument.
  static LeftItems from_bytes(std::span<std::byte const> bytes, std::int64_t items) {
    LeftItems left;
    if (bytes.size() % sizeof(Stretch) != 0) {
      throw std::invalid_argument("stretches of items that are cut");
    }
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stretch)) {
      Stretch stretch;
      std::memcpy(&stretch, bytes.data() + at, sizeof(Stretch));
      if (stretch.end <= stretch.begin || stretch.end > items) {
        throw std::invalid_argument("this image has " + std::to_string(items) +
                                    " items, and image 0 has more: give all the same list");
      }
      left.add(stretch, items);
    }
    return left;
  }
  [[nodiscard]] std::vector<std::byte> to_bytes() const {
    auto const bytes = std::as_bytes(std::span{stretches_});
    return {bytes.begin(), bytes.end()};
  }

  [[nodiscard]] std::int64_t count() const {
    if (stretches_.empty()) return 0;
    return places_.back() + stretches_.back().end - stretches_.back().begin;
  }
  // The item at this place.
  [[nodiscard]] std::int64_t item(std::int64_t place) const {
    std::size_t const at = stretch_with(place);
    return stretches_[at].begin + place - places_[at];
  }
  // Calls take(first, end) with the items at places begin .. end - 1, until it returns false.
  template <class Take>
  void each_stretch(std::int64_t begin, std::int64_t end, Take const& take) const {
    while (begin < end) {
      std::size_t const at = stretch_with(begin);
      std::int64_t const first = stretches_[at].begin + begin - places_[at];
      std::int64_t const count = std::min(end - begin, stretches_[at].end - first);
      if (!take(first, first + count)) return;
      begin += count;
    }
  }

 private:
  LeftItems() = default;

  void add(Stretch stretch, std::int64_t items) {
    std::int64_t const after = stretches_.empty() ? 0 : stretches_.back().end;
    if (stretch.begin < after || stretch.begin >= items) {
      throw std::invalid_argument("items that are left are not in rising order, or none");
    }
    places_.push_back(count());
    stretches_.push_back(stretch);
  }
  [[nodiscard]] std::size_t stretch_with(std::int64_t place) const {
    MAKESPAN_EXPECT(place >= 0 && place < count());
    auto const after = std::ranges::upper_bound(places_, place);
    return static_cast<std::size_t>(after - places_.begin()) - 1;
  }

  std::vector<Stretch> stretches_;
  std::vector<std::int64_t> places_;  // of the first item of each
};

}  // namespace bindings
