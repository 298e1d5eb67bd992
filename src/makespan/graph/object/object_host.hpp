// SPDX-License-Identifier: Apache-2.0
#pragma once

// What runs a program of objects: the images of a job (object_world.hpp), or a machine that need
// not exist (virtual_object_world.hpp).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "makespan/graph/model/places.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/object/object_program.hpp"

namespace makespan::graph {

struct WorldPlan;

class ObjectHost {
 public:
  ObjectHost(ObjectHost const&) = delete;
  ObjectHost& operator=(ObjectHost const&) = delete;
  virtual ~ObjectHost();

  // A collection of `count` objects, none of which is there yet. All images add the same ones in
  // the same order. Throws InputError if a name is used twice, or there would be more than
  // 2^31 - 1 objects.
  template <Migratable T>
  [[nodiscard]] Collection<T> add(std::string_view name, int count,
                                  Mobility mobility = Mobility::free) {
    CollectionPlace const place = add_collection(
        {.name = std::string(name), .count = count, .mobility = mobility, .make_store = [] {
           return std::make_unique<TypedStore<T>>();
         }});
    return {.id = place.id, .first = place.first, .count = count};
  }

  // Collective; blocks until all phases are over. All that was made is gone afterwards. Throws what
  // the program threw here; when it threw elsewhere, InputError if it was one, else
  // ObjectRunFailed. What ObjectProgram::end throws is thrown on its own image alone: the run is
  // over by then.
  virtual void run_all(ObjectProgram const& program) = 0;

  [[nodiscard]] virtual int places() const = 0;
  // The same on all images.
  [[nodiscard]] virtual MachineFacts const& machine() const = 0;

  // The places with the domains and costs that balancers are told of, speeds 1.
  [[nodiscard]] Places known_places() const;

  // Element by element the sums over all images, on all of them. Collective; blocks.
  virtual void sum_all(std::span<std::int64_t> values) = 0;
  virtual void sum_all(std::span<std::uint64_t> values) = 0;
  virtual void sum_all(std::span<double> values) = 0;

 protected:
  // Throws InputError where the plan's layout is none.
  explicit ObjectHost(WorldPlan plan);

  [[nodiscard]] WorldPlan& plan() { return *plan_; }

 private:
  struct CollectionPlace {
    int id;
    int first;  // number of its first object
  };
  CollectionPlace add_collection(CollectionInfo info);

  std::unique_ptr<WorldPlan> plan_;
};

}  // namespace makespan::graph
