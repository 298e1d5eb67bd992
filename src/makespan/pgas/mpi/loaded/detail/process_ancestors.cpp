// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/detail/process_ancestors.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

namespace makespan::pgas {

namespace {

namespace fs = std::filesystem;

constexpr int generations_max = 64;

// "4711 (name, which may hold anything) S 4710 …": the parent stands second after the name.
std::optional<int> parent_of(fs::path const& process) {
  std::ifstream file(process / "stat");
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  std::size_t const name_end = text.rfind(')');
  if (name_end == std::string::npos || text.size() < name_end + 5) return std::nullopt;
  int parent = 0;
  char const* const begin = text.data() + name_end + 4;
  auto const [stop, error] = std::from_chars(begin, text.data() + text.size(), parent);
  if (error != std::errc{} || parent <= 0) return std::nullopt;
  return parent;
}

}  // namespace

std::vector<fs::path> process_ancestors(fs::path const& proc) {
  std::vector<fs::path> programs;
  auto parent = parent_of(proc / "self");
  for (int generation = 0; parent && generation < generations_max; ++generation) {
    fs::path const process = proc / std::to_string(*parent);
    std::error_code unknown;
    fs::path program = fs::read_symlink(process / "exe", unknown);
    if (!unknown) programs.push_back(std::move(program));
    parent = parent_of(process);
  }
  return programs;
}

}  // namespace makespan::pgas
