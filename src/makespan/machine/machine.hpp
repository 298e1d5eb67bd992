// SPDX-License-Identifier: Apache-2.0
#pragma once

// A machine as hwloc knows it: this one, one from a file, or one made up; saved in hwloc's own XML.
//
//   Machine here = Machine::this_one();
//   here.add(matrix);
//   std::string const file = here.xml();
//   Topology const same = Machine::from_xml(file, "node.xml").topology();
//
// A build without hwloc has none: every function that makes one throws NotConfigured.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::machine {

// Callable from any thread, one at a time. Tested by tests/machine/machine_test.cpp.
class Machine {
 public:
  // As far as this process is allowed to see it (cgroups), with its GPUs and other devices. Throws
  // InputError where hwloc cannot load it.
  [[nodiscard]] static Machine this_one();
  // From hwloc's synthetic description: "numa:4 core:8 pu:1" is 4 NUMA nodes of 8 cores. Throws
  // InputError on others, and on more than 8192 processing units.
  [[nodiscard]] static Machine synthetic(std::string const& description);
  // From the content of a file; `source` names it in messages. Throws InputError if hwloc cannot
  // read it, crashes over it or takes more than 5 s, which is tried in a copy of this process (see
  // try_apart.hpp) and blocks for as long, or if no process can be started for that. Where in
  // the text it is wrong, hwloc does not say: python/makespan/machine does.
  [[nodiscard]] static Machine from_xml(std::string const& text, std::string_view source);
  // Throws InputError as from_xml(), or if the file cannot be read.
  [[nodiscard]] static Machine from_file(std::filesystem::path const& path);

  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  [[nodiscard]] Topology const& topology() const { return topology_; }
  // Whether it was found here, so that it can be measured.
  [[nodiscard]] bool is_this_one() const;

  // Keeps a matrix with the machine, instead of one of the same name. At least two places in all.
  // In the file latencies are whole picoseconds and bandwidths whole bytes per second, and places
  // of a matrix between two sets that have nothing measured are left out; from here on the topology
  // has what the file will have. Throws InputError if it is no matrix of this machine's places
  // (cost_matrix.hpp), has a value from 2^64 of these on, or hwloc refuses it; nothing has changed
  // then.
  void add(CostMatrix const& matrix);

  // The file's content. Throws InputError if hwloc cannot write it.
  [[nodiscard]] std::string xml() const;

  // hwloc's handle and what is known of it; for the sources of this room.
  struct Handle;
  [[nodiscard]] Handle& handle() const { return *handle_; }

 private:
  explicit Machine(std::unique_ptr<Handle> handle);
  // In this process.
  [[nodiscard]] static Machine read_xml(std::string const& text, std::string_view source);

  std::unique_ptr<Handle> handle_;
  Topology topology_{};
};

}  // namespace makespan::machine
