// SPDX-License-Identifier: Apache-2.0
// Goal: what is freed is kept for what comes next, until it is given back.
// Method: page faults are counted while megabytes come and go. Sanitizers have their own malloc.
#include "makespan/graph/object/thread/freed_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace makespan::graph {
namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool is_glibc_malloc = true;
#else
constexpr bool is_glibc_malloc = false;
#endif

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

constexpr std::size_t block_bytes = 12'000;  // below every threshold: it comes from the heap
constexpr int blocks = 2'000;

long faults_of_a_phase() {
  long const before = faults();
  std::vector<std::vector<char>> messages;
  messages.reserve(blocks);
  for (int at = 0; at < blocks; ++at) messages.emplace_back(block_bytes, 'x');
  messages.clear();
  return faults() - before;
}

TEST(FreedMemory, is_kept_until_it_is_given_back) {
  if (!is_glibc_malloc) GTEST_SKIP() << "another malloc";
  for (char const* const name : {"GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_"}) {
    if (std::getenv(name) != nullptr) GTEST_SKIP() << "as the environment says";
  }
  long const pages = static_cast<long>(blocks * block_bytes) / sysconf(_SC_PAGESIZE);
  keep_freed_memory();
  static_cast<void>(faults_of_a_phase());
  EXPECT_LT(faults_of_a_phase(), pages / 10);

  give_back_freed_memory();
  EXPECT_GT(faults_of_a_phase(), pages * 2 / 3);
  EXPECT_LT(faults_of_a_phase(), pages / 10);
}

TEST(FreedMemory, may_be_kept_and_given_back_at_any_time) {
  give_back_freed_memory();
  keep_freed_memory();
  std::vector<char> const block(std::size_t{1} << 20U, 'x');
  keep_freed_memory();
  give_back_freed_memory();
  EXPECT_EQ(block.back(), 'x');
}

}  // namespace
}  // namespace makespan::graph
