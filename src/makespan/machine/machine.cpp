// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/detail/hwloc_handle.hpp"
#include "makespan/machine/detail/try_apart.hpp"

namespace makespan::machine {

namespace {

constexpr std::string_view file_suggestion =
    "give a file that `makespan machine -o` or `lstopo --of xml` wrote";

// The largest machines take less than a second.
constexpr std::chrono::seconds reading_limit{5};

// hwloc's time grows faster than the square: 4096 take it 2 s, 10,000 take 19.
constexpr std::int64_t synthetic_units_max = 8192;

// The counts of all levels, multiplied, as far as the limit: "numa:2(memory=4GiB) core:8 2" has 32.
// Read as hwloc reads them: by any base of C, the next level right behind. What stands in brackets
// is no level.
std::int64_t synthetic_units(std::string const& description) {
  std::int64_t units = 1;
  int depth = 0;
  bool is_name = false;  // of a type, which may have digits: l3
  for (char const* at = description.c_str(); *at != '\0'; ++at) {
    if (*at == '(' || *at == '[') ++depth;
    if (*at == ')' || *at == ']') --depth;
    bool const is_digit = *at >= '0' && *at <= '9';
    bool const is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
    is_name = is_letter || (is_name && is_digit);
    if (depth > 0 || !is_digit || is_name) continue;
    char* end = nullptr;
    unsigned long const count = std::strtoul(at, &end, 0);
    if (count > 0) {
      units = std::min(units * checked_cast<std::int64_t>(
                                   std::min<unsigned long>(count, synthetic_units_max + 1)),
                       synthetic_units_max + 1);
    }
    at = end - 1;
  }
  return units;
}

void load(Machine::Handle& handle, std::string_view what, std::string_view suggestion) {
  // GPUs and network cards are kept, and what they hang on; bridges between are passed over.
  if (hwloc_topology_set_io_types_filter(handle.topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) != 0 ||
      hwloc_topology_load(handle.topology) != 0) {
    refuse_hwloc(what, suggestion);
  }
}

}  // namespace

Machine::Handle::Handle() {
  if (hwloc_topology_init(&topology) != 0) {
    refuse_hwloc("hwloc", "is there memory left?");
  }
}

Machine::Handle::~Handle() {
  hwloc_topology_destroy(topology);
}

void refuse_hwloc(std::string_view what, std::string_view suggestion) {
  throw InputError(what, "hwloc: " + std::generic_category().message(errno), suggestion);
}

Machine::Machine(std::unique_ptr<Handle> handle) : handle_{std::move(handle)} {
  topology_.places = places_in(*handle_);
  topology_.matrices = matrices_in(*handle_);
}

Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Machine Machine::this_one() {
  auto handle = std::make_unique<Handle>();
  load(*handle, "this machine", "does `lstopo` show it?");
  return Machine(std::move(handle));
}

Machine Machine::synthetic(std::string const& description) {
  constexpr std::string_view suggestion =
      "write levels from the outside in, as in 'package:2 numa:2 core:8 pu:1'";
  std::string const what = "synthetic machine '" + description + "'";
  if (synthetic_units(description) > synthetic_units_max) {
    throw InputError(what,
                     "it has more than " + std::to_string(synthetic_units_max) +
                         " processing units, over which hwloc takes long",
                     "describe one node, and say how many there are");
  }
  auto handle = std::make_unique<Handle>();
  if (hwloc_topology_set_synthetic(handle->topology, description.c_str()) != 0) {
    refuse_hwloc(what, suggestion);
  }
  load(*handle, what, suggestion);
  return Machine(std::move(handle));
}

Machine Machine::read_xml(std::string const& text, std::string_view source) {
  std::string const what = "machine file " + std::string(source);
  auto handle = std::make_unique<Handle>();
  // The length counts the 0 at the end.
  if (hwloc_topology_set_xmlbuffer(handle->topology, text.c_str(),
                                   checked_cast<int>(text.size() + 1)) != 0) {
    refuse_hwloc(what, file_suggestion);
  }
  load(*handle, what, file_suggestion);
  return Machine(std::move(handle));
}

Machine Machine::from_xml(std::string const& text, std::string_view source) {
  // hwloc 2.9 believes that objects have all the sets that it wrote, and crashes where they lack.
  auto const read_all = [&] { static_cast<void>(read_xml(text, source).xml()); };
  if (try_apart(read_all, reading_limit, "machine file " + std::string(source)) == Trial::crashed) {
    throw InputError("machine file " + std::string(source),
                     "it is damaged: hwloc crashes over it, or does not end", file_suggestion);
  }
  return read_xml(text, source);
}

Machine Machine::from_file(std::filesystem::path const& path) {
  std::error_code unknown;
  bool const is_folder = std::filesystem::is_directory(path, unknown);
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // Linux opens a folder as a file, and fails only when it is read.
  if (file && !is_folder) text.assign(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) {
    throw InputError("machine file " + path.string(), "it cannot be read, or is empty",
                     file_suggestion);
  }
  return from_xml(text, path.string());
}

bool Machine::is_this_one() const {
  return hwloc_topology_is_thissystem(handle_->topology) == 1;
}

void Machine::add(CostMatrix const& matrix) {
  hand_over(*handle_, matrix);
  // Read back: hwloc has rounded it to whole numbers, and this is what a file of it will have.
  topology_.matrices = matrices_in(*handle_);
}

std::string Machine::xml() const {
  char* buffer = nullptr;
  int size = 0;
  if (hwloc_topology_export_xmlbuffer(handle_->topology, &buffer, &size, 0) != 0) {
    refuse_hwloc("the machine as XML", "is there memory left?");
  }
  std::string text(buffer, std::strlen(buffer));
  hwloc_free_xmlbuffer(handle_->topology, buffer);
  return text;
}

}  // namespace makespan::machine
