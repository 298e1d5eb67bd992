// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/indexed_heap.hpp"

namespace makespan {

void IndexedHeap::set(int thing, double key) {
  if (!contains(thing)) {
    keys_[index(thing)] = key;
    heap_.push_back(thing);
    put(heap_.size() - 1, thing);
    rise(heap_.size() - 1);
    return;
  }
  bool const grows = key > keys_[index(thing)];
  keys_[index(thing)] = key;
  auto const position = static_cast<std::size_t>(position_[index(thing)]);
  if (grows) {
    sink(position);
  } else {
    rise(position);
  }
}

void IndexedHeap::erase(int thing) {
  if (!contains(thing)) return;
  auto const position = static_cast<std::size_t>(position_[index(thing)]);
  position_[index(thing)] = -1;
  std::int32_t const last = heap_.back();
  heap_.pop_back();
  if (last == thing) return;
  put(position, last);
  // The last one comes from another branch: it may belong above or below.
  sink(position);
  rise(static_cast<std::size_t>(position_[index(last)]));
}

void IndexedHeap::clear() {
  for (std::int32_t const thing : heap_) position_[index(thing)] = -1;
  heap_.clear();
}

void IndexedHeap::sink(std::size_t position) {
  std::int32_t const moved = heap_[position];
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], moved)) break;
    put(position, heap_[child]);
    position = child;
  }
  put(position, moved);
}

void IndexedHeap::rise(std::size_t position) {
  std::int32_t const moved = heap_[position];
  while (position > 0) {
    std::size_t const parent = (position - 1) / 2;
    if (!is_before(moved, heap_[parent])) break;
    put(position, heap_[parent]);
    position = parent;
  }
  put(position, moved);
}

}  // namespace makespan
