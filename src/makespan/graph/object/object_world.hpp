// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collections of objects that are anywhere on the images of a job, send each other messages, and
// move where they are needed.
//
//   pgas::Runtime runtime({.threads = 2});
//   ObjectWorld world(runtime, {.threads = 2});
//   auto const counters = world.add<Counter>("counters", 100);
//   world.run_all({.create = …, .begin = …, .phases = 20});
//
// A run is a row of phases. A phase begins with what the program sends, and is over when no message
// is left anywhere. Between phases objects move, if what was measured says that this is worth it.

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "makespan/graph/object/world_options.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

class MessageRouter;
class PlaceCore;
struct WorldMachine;

// Tested by tests/graph/object/object_world_test.cpp.
class ObjectWorld final : public ObjectHost {
 public:
  // Collective over the job; blocks, up to some 2 s while messages are measured (see MachineUse).
  // `runtime` stays longer, and is not used by others during run_all(). Throws InputError on
  // options that are invalid, or differ between images.
  ObjectWorld(pgas::Runtime& runtime, WorldOptions const& options = {});
  // On a machine that is known already, which is not measured. For this room.
  ObjectWorld(pgas::Runtime& runtime, WorldOptions options, WorldMachine machine);
  ~ObjectWorld() override;

  // As ObjectHost. Each place works in a thread of its own, place 0 of an image in the caller's.
  // Throws ImageFailed, too, when image 0 is lost; when another is, ObjectRunFailed where there are
  // no copies, and InputError where those that had them are lost as well, or a checkpoint cannot be
  // read.
  void run_all(ObjectProgram const& program) override;

  [[nodiscard]] int places() const override;
  [[nodiscard]] MachineFacts const& machine() const override { return machine_; }

  void sum_all(std::span<std::int64_t> values) override;
  void sum_all(std::span<std::uint64_t> values) override;
  void sum_all(std::span<double> values) override;

 private:
  void agree_on_trace_all();
  [[nodiscard]] std::vector<std::exception_ptr> run_threads(
      std::span<std::unique_ptr<PlaceCore> const> here);
  [[nodiscard]] std::string here_traced(std::span<std::unique_ptr<PlaceCore> const> here);
  void write_trace(std::string const& own, bool are_all_there);
  [[nodiscard]] std::string gathered_or_own_all(std::string const& own);

  pgas::Runtime& runtime_;
  std::unique_ptr<MessageRouter> router_;
  MachineFacts machine_;
  std::vector<int> cpus_;  // by thread of this image: where it is tied to; -1: nowhere
  std::int64_t trace_origin_ns_{0};
};

}  // namespace makespan::graph
