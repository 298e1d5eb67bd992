// SPDX-License-Identifier: Apache-2.0
// A plugin of another build: nothing of it may be called but its entry.
#include <cstdlib>

#include "makespan/pgas/mpi/plugin/mpi_plugin.hpp"

namespace makespan::pgas {
namespace {

MpiBackend* open(MpiPluginHost const&) {
  std::abort();
}

}  // namespace
}  // namespace makespan::pgas

extern "C" [[gnu::visibility("default")]] makespan::pgas::MpiPlugin const* makespan_mpi_plugin() {
  static makespan::pgas::MpiPlugin const plugin{.build = "makespan 0.0.0",
                                                .open = makespan::pgas::open};
  return &plugin;
}
