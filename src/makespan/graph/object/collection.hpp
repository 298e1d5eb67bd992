// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects of one type that are found by index, wherever they are.

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "makespan/graph/object/message/object_store.hpp"

namespace makespan::graph {

// Whether the balancer may move a collection's objects. The program may, always.
enum class Mobility : std::uint8_t { free, fixed };

// What is the same on all images.
struct CollectionInfo {
  std::string name{};  // for errors and dumps
  int first{};         // the number of object 0 among those of all collections
  int count{};
  Mobility mobility{Mobility::free};
  std::function<std::unique_ptr<ObjectStore>()> make_store{};
};

// What a program addresses objects by: plain data, the same on all images, so that objects can
// carry it with them.
template <class T>
struct Collection {
  int id{-1};  // place among the world's collections
  int first{};
  int count{};
};

}  // namespace makespan::graph
