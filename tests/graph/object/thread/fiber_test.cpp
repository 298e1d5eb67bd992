// SPDX-License-Identifier: Apache-2.0
// Goal: fibers go on where they were left, also within the handling of an exception, and end when
// they are told. Method: two that take turns.
#include "makespan/graph/object/thread/fiber.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace makespan::graph {
namespace {

TEST(Fiber, goes_on_where_it_was_left) {
  std::string story;
  Fiber fiber([&] {
    story += "a";
    Fiber::suspend();
    story += "c";
  });

  fiber.resume();
  story += "b";
  fiber.resume();

  EXPECT_EQ(story, "abc");
  EXPECT_TRUE(fiber.has_ended());
}

TEST(Fiber, keeps_its_exception_while_others_handle_theirs) {
  auto const body = [](std::string const& text, std::string& caught) {
    try {
      try {
        throw std::runtime_error(text);
      } catch (std::runtime_error const&) {
        Fiber::suspend();
        throw;
      }
    } catch (std::runtime_error const& error) {
      caught = error.what();
    }
  };
  std::string first;
  std::string second;
  Fiber one([&] { body("one", first); });
  Fiber two([&] { body("two", second); });

  one.resume();
  two.resume();
  one.resume();
  two.resume();

  EXPECT_EQ(first, "one");
  EXPECT_EQ(second, "two");
}

TEST(Fiber, hands_out_what_it_throws) {
  Fiber fiber([] { throw std::logic_error("no"); });

  fiber.resume();

  EXPECT_TRUE(fiber.has_ended());
  EXPECT_THROW(std::rethrow_exception(fiber.error()), std::logic_error);
}

TEST(Fiber, ends_in_the_midst_of_what_it_does) {
  bool has_cleaned_up = false;
  Fiber fiber([&] {
    struct Cleaner {
      bool& has;
      ~Cleaner() { has = true; }
    } const cleaner{has_cleaned_up};
    Fiber::suspend();
    ADD_FAILURE() << "it went on";
  });
  fiber.resume();

  fiber.unwind();

  EXPECT_TRUE(has_cleaned_up);
  EXPECT_FALSE(fiber.error());
}

// Addresses for some stacks more than the process has now.
class ScarceMemory {
 public:
  ScarceMemory() {
    ::getrlimit(RLIMIT_AS, &before_);
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE)) + (rlim_t{32} << 20);
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ScarceMemory(ScarceMemory const&) = delete;
  ScarceMemory& operator=(ScarceMemory const&) = delete;
  ~ScarceMemory() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST(Fiber, has_not_begun_where_there_is_no_memory_for_its_stack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs addresses of its own";
#endif
  constexpr std::size_t count_max = 1000;
  std::vector<std::unique_ptr<Fiber>> fibers;
  {
    ScarceMemory const scarce;
    try {
      while (fibers.size() < count_max) {
        fibers.push_back(std::make_unique<Fiber>([] { Fiber::suspend(); }));
        fibers.back()->resume();
      }
    } catch (std::bad_alloc const&) {
    }
  }

  ASSERT_LT(fibers.size(), count_max);
  EXPECT_FALSE(fibers.back()->has_begun());
  for (auto const& fiber : fibers) fiber->unwind();
  fibers.back()->resume();
  EXPECT_TRUE(fibers.back()->has_begun());
  fibers.back()->unwind();
}

}  // namespace
}  // namespace makespan::graph
