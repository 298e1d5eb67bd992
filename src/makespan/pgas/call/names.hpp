// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages call an object of this process by: a pointer would not do, since a message may come
// after its object has gone.

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>

namespace makespan::pgas {

// One for the process. Callable from any thread.
template <class T>
class Names {
 public:
  static Names& all() {
    static Names one;
    return one;
  }

  void add(std::uint64_t name, T& object) {
    std::unique_lock const lock(mutex_);
    objects_[name] = &object;
  }

  // When this returns, no thread uses the object any more.
  void remove(std::uint64_t name) {
    std::unique_lock const lock(mutex_);
    objects_.erase(name);
  }

  // What function(object) gives; the object stays until then. Throws std::out_of_range if it has
  // gone.
  template <class Function>
  decltype(auto) with(std::uint64_t name, Function&& function) {
    std::shared_lock const lock(mutex_);
    auto const found = objects_.find(name);
    if (found == objects_.end()) {
      throw std::out_of_range("what was named " + std::to_string(name) + " has ended");
    }
    return function(*found->second);
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::uint64_t, T*> objects_;
};

}  // namespace makespan::pgas
