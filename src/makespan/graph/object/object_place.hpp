// SPDX-License-Identifier: Apache-2.0
#pragma once

// One thread that runs objects: what methods of objects, and the program, see of the world.
//
//   struct Counter {
//     int sum{0};
//     void add(ObjectPlace& here, int what) { sum += what; }
//     template <class Archive> void serialize(Archive& archive) { archive(sum); }
//   };
//   here.send<&Counter::add>(counters, 17, 3);  // wherever counters[17] is
//
// A place runs one method at a time, so objects need no locks. Messages may overtake each other.
// Nothing here blocks; all of it is for the place's own thread.

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/message/object_store.hpp"
#include "makespan/graph/object/message/payload.hpp"

namespace makespan::graph {

// Its work is PlaceCore's. Tested by tests/graph/object/object_world_test.cpp.
class ObjectPlace {
 public:
  ObjectPlace(ObjectPlace const&) = delete;
  ObjectPlace& operator=(ObjectPlace const&) = delete;

  // Of this one, among those of all images: image by image, thread by thread.
  [[nodiscard]] int place() const { return place_; }
  [[nodiscard]] int places() const { return places_; }
  [[nodiscard]] std::int64_t phase() const { return phase_; }
  // Whether its image is lost, and the run went on without it.
  [[nodiscard]] virtual bool is_lost(int place) const = 0;

  // What this place's objects have in common: scratch memory, tables. Belongs to the place, does
  // not travel. Set by the program, in `prepare`.
  template <class T>
  void set_common(std::shared_ptr<T> common) {
    common_ = std::move(common);
    common_type_ = &typeid(T);
  }
  template <class T>
  [[nodiscard]] T& common() {
    MAKESPAN_EXPECT(common_type_ != nullptr);
    MAKESPAN_EXPECT(*common_type_ == typeid(T));
    return *static_cast<T*>(common_.get());
  }

  // The processor's time of an object that is here, in the last phase that was measured (see
  // ObjectProgram::is_measured), wherever it was in it [s]. Once the program has moved it in a
  // later phase, or objects have come back from copies, it may be 0.
  template <class T>
  [[nodiscard]] double cpu_s(Collection<T> in, int index) {
    return cpu_s_of(number_of(in, index));
  }
  // All that an object has taken at this place in phases that were measured, whether it is still
  // here or not [s].
  template <class T>
  [[nodiscard]] double whole_cpu_s(Collection<T> in, int index) const {
    return whole_cpu_s_of(number_of(in, index));
  }

  // Whether `index` falls to this place when a collection is cut into blocks of equal length.
  template <class T>
  [[nodiscard]] bool is_in_block(Collection<T> of, int index) const {
    return static_cast<int>(std::int64_t{index} * places() / of.count) == place_;
  }

  // Puts an object into a collection, here or at another place. One that has been made already is a
  // mistake of the program.
  template <Migratable T>
  void create(Collection<T> in, int index, T object) {
    add_object(number_of(in, index), std::make_shared<T>(std::move(object)));
  }
  template <Migratable T>
  void create_at(int place, Collection<T> in, int index, T object) {
    send_object(number_of(in, index), std::make_shared<T>(std::move(object)), place);
  }

  // Calls a method of an object, wherever it is, some time later. `values` are what the method
  // takes after the place.
  template <auto method, class T, class... Values>
  void send(Collection<T> to, int index, Values&&... values) {
    check_method<method, T>();
    send_payload(number_of(to, index), make_payload<method>(std::forward<Values>(values)...));
  }
  // The same values to several objects, which share them; they go to each place once.
  template <auto method, class T, class... Values>
  void send_each(Collection<T> to, std::span<int const> indices, Values&&... values) {
    check_method<method, T>();
    std::vector<int> numbers;
    numbers.reserve(indices.size());
    for (int const index : indices) numbers.push_back(number_of(to, index));
    send_payload(numbers, make_payload<method>(std::forward<Values>(values)...));
  }

  // Sends an object elsewhere, when the method that runs has ended. It must be here. To a lost
  // place: to the next that is there.
  template <class T>
  void migrate(Collection<T> in, int index, int place) {
    leave(number_of(in, index), place);
  }

  // Calls function(index, object) for those that are here, by index.
  template <class T, class Function>
  void for_each(Collection<T> of, Function&& function) {
    for (int const index : stores_[static_cast<std::size_t>(of.id)]->indices()) {
      // It may have been sent away by then.
      if (T* const object = find(of, index)) function(index, *object);
    }
  }
  // Null if it is elsewhere.
  template <class T>
  [[nodiscard]] T* find(Collection<T> in, int index) {
    static_cast<void>(number_of(in, index));
    return static_cast<T*>(stores_[static_cast<std::size_t>(in.id)]->find(index));
  }

 protected:
  ObjectPlace(int place, int places, std::int64_t phase)
      : place_{place}, places_{places}, phase_{phase} {}
  ~ObjectPlace() = default;

  [[nodiscard]] std::vector<std::unique_ptr<ObjectStore>>& stores() { return stores_; }
  void set_phase(std::int64_t phase) { phase_ = phase; }

 private:
  template <auto method, class T>
  static constexpr void check_method() {
    static_assert(std::is_same_v<typename MethodTraits<decltype(method)>::Object, T>,
                  "the method is not one of the collection's objects");
  }
  template <class T>
  [[nodiscard]] int number_of(Collection<T> in, int index) const {
    MAKESPAN_EXPECT(index >= 0);
    MAKESPAN_EXPECT(index < in.count);
    return in.first + index;
  }
  // By the objects' numbers.
  [[nodiscard]] virtual double cpu_s_of(int object) = 0;
  [[nodiscard]] virtual double whole_cpu_s_of(int object) const = 0;
  virtual void send_payload(int object, std::shared_ptr<Payload const> payload) = 0;
  virtual void send_payload(std::span<int const> objects,
                            std::shared_ptr<Payload const> payload) = 0;
  virtual void add_object(int object, LooseObject loose) = 0;
  virtual void send_object(int object, LooseObject loose, int place) = 0;
  virtual void leave(int object, int place) = 0;

  int place_;
  int places_;
  std::int64_t phase_;  // one before the first, while objects are made
  std::vector<std::unique_ptr<ObjectStore>> stores_{};  // by collection
  std::shared_ptr<void> common_{};
  std::type_info const* common_type_{};
};

}  // namespace makespan::graph
