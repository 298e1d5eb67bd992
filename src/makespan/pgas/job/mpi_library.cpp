// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "makespan/pgas/job/mpi_error.hpp"

namespace makespan::pgas {

namespace {

// How a page of a known MPI begins, up to its version number.
struct LibraryMark {
  std::string_view beginning;
  std::string_view name;
};

constexpr std::array library_marks{LibraryMark{"Open MPI v", "Open MPI "},
                                   LibraryMark{"MPICH Version:", "MPICH "}};

}  // namespace

std::string short_library_name(std::string_view library_version) {
  for (auto const& [beginning, name] : library_marks) {
    if (!library_version.starts_with(beginning)) continue;
    std::string_view rest = library_version.substr(beginning.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    return std::string(name) + std::string(rest.substr(0, rest.find_first_of(" ,\t\n")));
  }
  return std::string(library_version.substr(0, library_version.find('\n')));
}

std::string mpi_library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version", ImageId{});
  return short_library_name({text.data(), static_cast<std::size_t>(length)});
}

bool can_finalize_between_hosts(std::string_view name) {
  constexpr std::string_view mpich = "MPICH ";
  if (!name.starts_with(mpich)) return true;
  std::string_view const version = name.substr(mpich.size());
  int major = 0;
  int minor = 0;
  auto const [dot, error] = std::from_chars(version.begin(), version.end(), major);
  if (error != std::errc{}) return true;
  if (dot != version.end()) std::from_chars(dot + 1, version.end(), minor);
  return std::pair(major, minor) >= std::pair(4, 2);
}

}  // namespace makespan::pgas
