// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/plugin/mpi_plugin.hpp"

#include "makespan/pgas/mpi/linked/compiled_mpi.hpp"

namespace makespan::pgas {

namespace {

MpiBackend* open(MpiPluginHost const& host) {
  set_contract_handler(host.contract_violated);
  return &compiled_mpi();
}

}  // namespace

}  // namespace makespan::pgas

// The one symbol that a plugin shows.
extern "C" [[gnu::visibility("default")]] makespan::pgas::MpiPlugin const* makespan_mpi_plugin() {
  using namespace makespan::pgas;
  static std::string const build = mpi_plugin_build();
  static MpiPlugin const plugin{.build = build.c_str(), .open = open};
  return &plugin;
}
