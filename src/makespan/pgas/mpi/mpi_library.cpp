// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "makespan/pgas/mpi/mpi_error.hpp"

namespace makespan::pgas {

namespace {

// How a page of a known MPI begins, up to its version number.
struct LibraryMark {
  std::string_view beginning;
  std::string_view name;
};

constexpr std::array library_marks{LibraryMark{"Open MPI v", "Open MPI "},
                                   LibraryMark{"MPICH Version:", "MPICH "}};

// As long as the longest page of any MPI: what mpi.h says is of the one that this is compiled for.
constexpr std::size_t library_version_bytes = 8192;
static_assert(library_version_bytes >= MPI_MAX_LIBRARY_VERSION_STRING);

using Version = std::pair<int, int>;
constexpr Version newest{std::numeric_limits<int>::max(), 0};

// Of the library `library`; nothing if `name` is another one's, or has no number.
std::optional<Version> version_of(std::string_view name, std::string_view library) {
  if (!name.starts_with(library)) return std::nullopt;
  std::string_view const version = name.substr(library.size());
  Version read{};
  auto const [dot, error] = std::from_chars(version.begin(), version.end(), read.first);
  if (error != std::errc{}) return std::nullopt;
  if (dot != version.end()) std::from_chars(dot + 1, version.end(), read.second);
  return read;
}

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
  std::array<char, library_version_bytes> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version", ImageId{});
  return short_library_name({text.data(), static_cast<std::size_t>(length)});
}

bool can_finalize_between_hosts(std::string_view name) {
  return version_of(name, "MPICH ").value_or(newest) >= Version{4, 2};
}

bool can_have_windows(std::string_view name) {
  return version_of(name, "Open MPI ").value_or(newest) >= Version{5, 0};
}

}  // namespace makespan::pgas
