# SPDX-License-Identifier: Apache-2.0
# What no build can do without, each with what to do where it is missing: a compiler for C++20, Highway, cereal. Read before
# anything else is looked for, so that who runs `pip install` on a system without them reads one message.

include(CheckLanguage)
include(CheckCXXSourceCompiles)

set(
  makespan_or_the_wheel
  "Or take a wheel, which holds what was compiled: pip install --only-binary=makespan makespan"
)

check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(
    FATAL_ERROR
    "no C++ compiler was found (makespan's engine is C++20): "
    "apt-get install g++, or dnf install gcc-c++, or name one with CXX=/path/to/it. ${makespan_or_the_wheel}"
  )
endif()
enable_language(CXX)

set(CMAKE_CXX_STANDARD 20) # for this check only
check_cxx_source_compiles(
  "#include <atomic>
#include <bit>
#include <concepts>
#include <source_location>
#include <span>
template <std::integral Count> auto bits(std::span<Count const> counts) { return std::popcount(unsigned(counts[0])); }
int main() {
  int word = 0;
  std::atomic_ref<int>{word}.fetch_add(1);
  int const words[] = {word};
  return bits<int>(words) + int(std::source_location::current().line()) > 0 ? 0 : 1;
}"
  MAKESPAN_COMPILER_KNOWS_CXX20
)
unset(CMAKE_CXX_STANDARD)
if(NOT MAKESPAN_COMPILER_KNOWS_CXX20)
  message(
    FATAL_ERROR
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} at ${CMAKE_CXX_COMPILER} cannot compile C++20 (concepts, "
    "std::span, std::atomic_ref, std::source_location): take gcc from 12 or clang from 16, and name it with CXX=/path/to/it. "
    "${makespan_or_the_wheel}"
  )
endif()

# All that is missing is said at once.
set(makespan_missing "")
find_package(hwy 1.0.3 QUIET)
if(NOT hwy_FOUND)
  string(
    APPEND makespan_missing
    "Highway 1.0.3 or later was not found (the kernels are written with it): apt-get install libhwy-dev, or "
    "dnf install highway-devel, or conda install -c conda-forge libhwy, or brew install highway.\n"
  )
endif()
find_package(cereal QUIET)
if(NOT cereal_FOUND)
  string(
    APPEND makespan_missing
    "cereal was not found (it packs what processes send each other): apt-get install libcereal-dev, or "
    "dnf install cereal-devel, or conda install -c conda-forge cereal, or brew install cereal.\n"
  )
endif()
if(makespan_missing)
  message(
    FATAL_ERROR
    "${makespan_missing}"
    "What lies in a folder of its own is found by CMAKE_PREFIX_PATH=/that/folder. ${makespan_or_the_wheel}"
  )
endif()

find_package(Threads REQUIRED)
