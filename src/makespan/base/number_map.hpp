// SPDX-License-Identifier: Apache-2.0
#pragma once

// A map from few of many numbers: what is not in it takes no memory.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan {

// A hash table with open addressing, at most two thirds full. A number is looked for first where
// its low bits say, so that consecutive numbers are neighbours in memory, and then along a sequence
// that its higher bits change more and more, as in the dictionaries of CPython
// (Objects/dictobject.c): so neither numbers a power of two apart nor two runs that share low bits
// probe for long. Keys are not negative. `V` is made from nothing, and moved. Pointers to values
// hold until the next insertion. Tested by tests/base/number_map_test.cpp.
template <class V>
class NumberMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Of its memory, without what values hold elsewhere.
  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

  // Null if it is not in it.
  [[nodiscard]] V const* find(std::int32_t key) const {
    if (slots_.empty()) return nullptr;
    Slot const& slot = slots_[slot_of(key)];
    return slot.key == key ? &slot.value : nullptr;
  }
  [[nodiscard]] V* find(std::int32_t key) { return const_cast<V*>(std::as_const(*this).find(key)); }
  [[nodiscard]] bool contains(std::int32_t key) const { return find(key) != nullptr; }

  // A new one if it is not in it.
  [[nodiscard]] V& operator[](std::int32_t key) {
    MAKESPAN_EXPECT(key >= 0);
    if (V* const found = find(key)) return *found;
    // Slots of what was removed count, too: a search for what is not there ends at a free slot.
    if (3 * (used_ + 1) > 2 * slots_.size()) make_room();
    Slot& slot = slots_[slot_of(key)];
    slot.key = key;
    ++size_;
    ++used_;
    return slot.value;
  }

  // Whether it was in it.
  bool erase(std::int32_t key) {
    if (slots_.empty()) return false;
    Slot& slot = slots_[slot_of(key)];
    if (slot.key != key) return false;
    slot = {.key = removed};
    --size_;
    return true;
  }

  void clear() {
    slots_ = {};
    size_ = used_ = 0;
  }

  // Calls function(key, value), in no order. `function` may not change what is in it.
  template <class Function>
  void for_each(Function&& function) const {
    for (Slot const& slot : slots_) {
      if (slot.key >= 0) function(slot.key, slot.value);
    }
  }

 private:
  static constexpr std::int32_t free = -1;
  static constexpr std::int32_t removed = -2;  // probing goes on beyond it
  struct Slot {
    std::int32_t key{free};
    V value{};
  };
  static constexpr std::size_t slots_min = 8;
  static constexpr unsigned higher_bits = 5;  // of the key, at each further probe

  // Where it is, or a free one where it would be.
  [[nodiscard]] std::size_t slot_of(std::int32_t key) const {
    std::size_t const mask = slots_.size() - 1;
    auto rest = static_cast<std::size_t>(key);
    std::size_t slot = rest & mask;
    while (slots_[slot].key != key && slots_[slot].key != free) {
      rest >>= higher_bits;
      // Without `rest` that visits all slots.
      slot = (5 * slot + 1 + rest) & mask;
    }
    return slot;
  }
  // Slots of what was removed are free again; and there are more, where more than a third is in
  // use.
  void make_room() {
    std::size_t const slots = slots_.empty()              ? slots_min
                              : 3 * size_ > slots_.size() ? 2 * slots_.size()
                                                          : slots_.size();
    std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
    used_ = size_;
    for (Slot& slot : before) {
      if (slot.key >= 0) slots_[slot_of(slot.key)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_{};  // a power of two
  std::size_t size_{0};
  std::size_t used_{0};  // slots that are not free
};

}  // namespace makespan
