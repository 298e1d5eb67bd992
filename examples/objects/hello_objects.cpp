// SPDX-License-Identifier: Apache-2.0
// Objects in a ring pass a greeting round, and each adds where it is.
//
//   ./hello_objects                     one image, two places
//   mpiexec -n 2 ./hello_objects        four places on two images
//
// What to notice: an object sends to the next by its index, wherever that is.
#include <cereal/types/string.hpp>
#include <cstdio>
#include <string>

#include <makespan/graph.hpp>

using makespan::graph::Collection;
using makespan::graph::ObjectPlace;

namespace {

constexpr int greeters = 6;

struct Greeter {
  Collection<Greeter> ring{};
  int index{};

  void greet(ObjectPlace& here, std::string text) {
    if (index == 0 && !text.empty()) {
      std::printf("hello from%s\n", text.c_str());
      return;
    }
    text.append(" ").append(std::to_string(index));
    text.append("@").append(std::to_string(here.place()));
    here.send<&Greeter::greet>(ring, (index + 1) % greeters, text);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(ring.id, ring.first, ring.count, index);
  }
};

int run() {
  makespan::pgas::Runtime runtime({.threads = 2});
  makespan::graph::ObjectWorld world(runtime, {.threads = 2});
  auto const ring = world.add<Greeter>("ring", greeters);
  world.run_all({.create =
                     [&](ObjectPlace& here) {
                       for (int index = 0; index < greeters; ++index) {
                         if (here.is_in_block(ring, index)) {
                           here.create(ring, index, Greeter{ring, index});
                         }
                       }
                     },
                 .begin =
                     [&](ObjectPlace& here, std::int64_t) {
                       if (here.place() == 0) here.send<&Greeter::greet>(ring, 0, std::string());
                     },
                 .phases = 1});
  runtime.finish_all();
  return 0;
}

}  // namespace

int main() {
  return makespan::pgas::run_job(run);
}
