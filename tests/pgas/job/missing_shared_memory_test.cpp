// SPDX-License-Identifier: Apache-2.0
// Goal: where one host has no /dev/shm all images hear of it, and none waits for the one that does
// not come. Method: the system's answer, put before the real one, is an error on the last image.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/open_job.hpp"

namespace {

std::atomic<bool> is_missing{false};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the name is the system's
extern "C" int statvfs(char const* path, struct statvfs* status) {
  using Real = int (*)(char const*, struct statvfs*);
  static auto* const real = reinterpret_cast<Real>(::dlsym(RTLD_NEXT, "statvfs"));
  if (is_missing && std::string_view(path) == "/dev/shm") {
    errno = ENOENT;
    return -1;
  }
  return real(path, status);
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

TEST(MissingSharedMemory, is_told_on_all_images) {
  auto const job = open_job_all();
  // An image that is alone on its node shares nothing.
  if (job->node_images().size() == 1) {
    job->finish_all();
    return;
  }
  bool const is_last = job->image().value() == job->images() - 1;
  std::string text;

  is_missing = is_last;
  try {
    static_cast<void>(job->allocate_node_memory_all(4096));
  } catch (InputError const& error) {
    text = error.what();
  }
  is_missing = false;

  EXPECT_THAT(text, testing::HasSubstr("/dev/shm"));
  EXPECT_THAT(text, testing::HasSubstr("on host " + job->host(job->image())));
  auto const memory = job->allocate_node_memory_all(4096);
  memory->close_all();
  job->finish_all();
}

}  // namespace
}  // namespace makespan::pgas
