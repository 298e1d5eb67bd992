// SPDX-License-Identifier: Apache-2.0
#pragma once

// The objects of one collection that are at one place.

#include <cereal/details/traits.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "makespan/pgas/message/archive.hpp"

namespace makespan::graph {

// What can be in a collection: made from nothing before it is filled, and written and read by
// cereal.
template <class T>
concept Migratable = std::default_initializable<T> &&
                     cereal::traits::is_output_serializable<T, pgas::ByteWriter>::value &&
                     cereal::traits::is_input_serializable<T, pgas::ByteReader>::value;

// An object on its way between threads of one process; its store knows the type.
using LooseObject = std::shared_ptr<void>;

// Objects are numbered within their collection. Tested by
// tests/graph/object/object_store_test.cpp.
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(ObjectStore const&) = delete;
  ObjectStore& operator=(ObjectStore const&) = delete;
  virtual ~ObjectStore() = default;

  [[nodiscard]] virtual std::type_info const& object_class() const = 0;
  // Null if it is not here.
  [[nodiscard]] virtual void* find(int index) = 0;
  virtual void put(int index, LooseObject object) = 0;
  // It must be here; then it is not.
  [[nodiscard]] virtual LooseObject take(int index) = 0;
  [[nodiscard]] virtual LooseObject read(pgas::ByteReader& reader) const = 0;
  virtual void write(int index, pgas::ByteWriter& writer) const = 0;
  // As long as write() writes.
  [[nodiscard]] virtual std::int64_t bytes(int index) const = 0;
};

template <Migratable T>
class TypedStore final : public ObjectStore {
 public:
  explicit TypedStore(int count) : objects_(static_cast<std::size_t>(count)) {}

  [[nodiscard]] std::type_info const& object_class() const override { return typeid(T); }
  [[nodiscard]] void* find(int index) override { return at(index).get(); }
  void put(int index, LooseObject object) override {
    at(index) = std::static_pointer_cast<T>(std::move(object));
  }
  [[nodiscard]] LooseObject take(int index) override { return std::exchange(at(index), nullptr); }
  [[nodiscard]] LooseObject read(pgas::ByteReader& reader) const override {
    auto object = std::make_shared<T>();
    reader(*object);
    return object;
  }
  void write(int index, pgas::ByteWriter& writer) const override {
    writer(std::as_const(*objects_[static_cast<std::size_t>(index)]));
  }
  [[nodiscard]] std::int64_t bytes(int index) const override {
    pgas::ByteCounter counter;
    counter(std::as_const(*objects_[static_cast<std::size_t>(index)]));
    return static_cast<std::int64_t>(counter.bytes());
  }

 private:
  [[nodiscard]] std::shared_ptr<T>& at(int index) {
    return objects_[static_cast<std::size_t>(index)];
  }

  std::vector<std::shared_ptr<T>> objects_;  // by index; null: elsewhere
};

}  // namespace makespan::graph
