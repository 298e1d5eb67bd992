// SPDX-License-Identifier: Apache-2.0
#pragma once

// The objects of one collection that are at one place.

#include <algorithm>
#include <cereal/details/traits.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/number_map.hpp"
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

// Objects are numbered within their collection; those elsewhere take no memory. Tested by
// tests/graph/object/message/object_store_test.cpp.
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(ObjectStore const&) = delete;
  ObjectStore& operator=(ObjectStore const&) = delete;
  virtual ~ObjectStore() = default;

  [[nodiscard]] virtual std::type_info const& object_class() const = 0;
  // Null if it is not here.
  [[nodiscard]] virtual void* find(int index) = 0;
  // Of those that are here, rising.
  [[nodiscard]] virtual std::vector<int> indices() const = 0;
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
  [[nodiscard]] std::type_info const& object_class() const override { return typeid(T); }
  [[nodiscard]] void* find(int index) override {
    std::shared_ptr<T> const* const object = objects_.find(index);
    return object != nullptr ? object->get() : nullptr;
  }
  [[nodiscard]] std::vector<int> indices() const override {
    std::vector<int> all;
    all.reserve(objects_.size());
    objects_.for_each(
        [&](int index, std::shared_ptr<T> const& /*object*/) { all.push_back(index); });
    std::ranges::sort(all);
    return all;
  }
  void put(int index, LooseObject object) override {
    objects_[index] = std::static_pointer_cast<T>(std::move(object));
  }
  [[nodiscard]] LooseObject take(int index) override {
    std::shared_ptr<T>* const object = objects_.find(index);
    MAKESPAN_EXPECT(object != nullptr);
    LooseObject taken = std::move(*object);
    objects_.erase(index);
    return taken;
  }
  [[nodiscard]] LooseObject read(pgas::ByteReader& reader) const override {
    auto object = std::make_shared<T>();
    reader(*object);
    return object;
  }
  void write(int index, pgas::ByteWriter& writer) const override { writer(at(index)); }
  [[nodiscard]] std::int64_t bytes(int index) const override {
    pgas::ByteCounter counter;
    counter(at(index));
    return static_cast<std::int64_t>(counter.bytes());
  }

 private:
  [[nodiscard]] T const& at(int index) const {
    std::shared_ptr<T> const* const object = objects_.find(index);
    MAKESPAN_EXPECT(object != nullptr);
    return **object;
  }

  NumberMap<std::shared_ptr<T>> objects_{};  // by index
};

}  // namespace makespan::graph
