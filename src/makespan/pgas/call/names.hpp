// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages call an object of this process by: a pointer would not do, since a message may come
// after its object has gone. Tested by tests/pgas/call/names_test.cpp.

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace makespan::pgas {

template <class T>
class Named;

// Objects of one type by name; one for the process. Callable from any thread. A thread that uses an
// object holds up the end of that one alone: another may end meanwhile, by the same thread, too, as
// where a function calls Python, whose collector of garbage ends an old team.
template <class T>
class Names {
 public:
  static Names& all() {
    static Names one;
    return one;
  }

  // What function(object) gives; the object stays until then. Throws std::out_of_range if it has
  // gone.
  template <class Function>
  decltype(auto) with(std::uint64_t name, Function&& function) {
    Use const use(*this, name);
    return function(use.object());
  }

 private:
  friend class Named<T>;

  struct Entry {
    T* object;
    int users{0};
    bool is_going{false};
  };

  class Use {
   public:
    Use(Names& names, std::uint64_t name) : names_{names}, entry_{names.entered(name)} {}
    Use(Use const&) = delete;
    Use& operator=(Use const&) = delete;
    ~Use() { names_.leave(entry_); }
    [[nodiscard]] T& object() const { return *entry_.object; }

   private:
    Names& names_;
    Entry& entry_;
  };

  void add(std::uint64_t name, T& object) {
    std::scoped_lock const lock(mutex_);
    entries_[name] = {.object = &object};
  }

  void remove(std::uint64_t name) {
    std::unique_lock lock(mutex_);
    auto const found = entries_.find(name);
    found->second.is_going = true;
    unused_.wait(lock, [&] { return found->second.users == 0; });
    entries_.erase(found);
  }

  Entry& entered(std::uint64_t name) {
    std::scoped_lock const lock(mutex_);
    auto const found = entries_.find(name);
    if (found == entries_.end() || found->second.is_going) {
      throw std::out_of_range("what was named " + std::to_string(name) + " has ended");
    }
    ++found->second.users;
    return found->second;
  }

  void leave(Entry& entry) {
    std::scoped_lock const lock(mutex_);
    --entry.users;
    if (entry.is_going) unused_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable unused_;
  std::map<std::uint64_t, Entry> entries_;
};

// An object is found by its name while this lives: a member of the object, the last one, so that it
// goes first, also where the object's constructor throws.
template <class T>
class Named {
 public:
  Named(std::uint64_t name, T& object) : name_{name} { Names<T>::all().add(name, object); }
  Named(Named const&) = delete;
  Named& operator=(Named const&) = delete;
  // Blocks until no thread uses the object; not to be called by one that does.
  ~Named() { Names<T>::all().remove(name_); }

  [[nodiscard]] std::uint64_t name() const { return name_; }

 private:
  std::uint64_t name_;
};

}  // namespace makespan::pgas
