// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of some numbered things has the least key, while keys change.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace makespan {

// A binary heap that knows where each thing is in it. Of equal keys the lower number is first.
// Changes cost O(log things), looking O(1). Tested by tests/base/indexed_heap_test.cpp.
class IndexedHeap {
 public:
  // Things are 0 to `things` - 1; none is in it yet.
  explicit IndexedHeap(std::size_t things) : keys_(things), position_(things, -1) {}

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] bool contains(int thing) const { return position_[index(thing)] >= 0; }
  // It is not to be empty.
  [[nodiscard]] int top() const { return heap_.front(); }
  // As it was set last.
  [[nodiscard]] double key(int thing) const { return keys_[index(thing)]; }

  // Adds it, or changes its key.
  void set(int thing, double key);
  // Takes it out, if it is in.
  void erase(int thing);
  // Takes all out.
  void clear();

 private:
  [[nodiscard]] static std::size_t index(int thing) { return static_cast<std::size_t>(thing); }
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const {
    double const key_a = keys_[index(a)];
    double const key_b = keys_[index(b)];
    return key_a < key_b || (key_a == key_b && a < b);
  }
  void put(std::size_t position, std::int32_t thing) {
    heap_[position] = thing;
    position_[index(thing)] = static_cast<std::int32_t>(position);
  }
  void sink(std::size_t position);
  void rise(std::size_t position);

  std::vector<double> keys_;
  std::vector<std::int32_t> position_;  // in the heap; -1 of those that are out
  std::vector<std::int32_t> heap_;
};

}  // namespace makespan
