// SPDX-License-Identifier: Apache-2.0
// Goal: of all that is printed the unwanted text alone is missing. Method: it stands between
// others; and nothing is missing where standard output is slow, or there is no memory.
#include "makespan/base/sifted_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

namespace makespan {
namespace {

TEST(SiftedOutput, leaves_one_text_out_wherever_it_stands) {
  testing::internal::CaptureStdout();
  std::printf("before, noise\n");
  {
    SiftedOutput const sifted(", noise");
    std::printf("one, noise\ntwo, nois, noise, noise\n");
  }
  std::printf("after, noise\n");

  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "before, noise\none\ntwo, nois\nafter, noise\n");
}

TEST(SiftedOutput, has_nothing_to_say_of_its_own) {
  testing::internal::CaptureStdout();
  {
    SiftedOutput const outer("noise");
    SiftedOutput const inner("other");
    std::printf("noise and other");
  }

  EXPECT_EQ(testing::internal::GetCapturedStdout(), " and ");
}

TEST(SiftedOutput, leaves_nothing_out_where_nothing_is_unwanted) {
  testing::internal::CaptureStdout();
  {
    SiftedOutput const sifted("");
    std::printf("all of it");
  }

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "all of it");
}

// More than a pipe holds.
constexpr int lines = 100'000;
constexpr std::string_view line = "a line\n";

void print_lines() {
  for (int count = 0; count < lines; ++count) std::fwrite(line.data(), 1, line.size(), stdout);
}

TEST(SiftedOutput, waits_for_one_who_reads_slowly) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  std::size_t bytes = 0;
  std::thread reader([&] {
    std::array<char, 4096> piece{};
    // Later than the first that is written.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (ssize_t some = 0; (some = ::read(ends[0], piece.data(), piece.size())) > 0;) {
      bytes += static_cast<std::size_t>(some);
    }
  });
  static_cast<void>(std::fflush(stdout));
  int const before = ::dup(STDOUT_FILENO);
  ::dup2(ends[1], STDOUT_FILENO);
  ::close(ends[1]);
  {
    SiftedOutput const sifted("noise");
    print_lines();
  }
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  reader.join();
  ::close(ends[0]);

  EXPECT_EQ(bytes, lines * line.size());
}

TEST(SiftedOutput, passes_all_on_where_there_is_no_memory) {
  auto const print_without_memory = [] {
    int const file = ::memfd_create("out", MFD_CLOEXEC);
    ::dup2(file, STDOUT_FILENO);
    std::optional<SiftedOutput> sifted("noise");
    print_lines();
    rlimit const none{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_AS, &none);
    sifted.reset();
    off_t const bytes = ::lseek(file, 0, SEEK_END);
    std::_Exit(bytes == static_cast<off_t>(lines * line.size()) ? 0 : 1);
  };

  EXPECT_EXIT(print_without_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace makespan
