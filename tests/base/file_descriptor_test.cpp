// SPDX-License-Identifier: Apache-2.0
// Goal: descriptors are closed once, and bytes arrive however few the system takes. Method: pipes.
#include "makespan/base/detail/file_descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace makespan {
namespace {

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

TEST(FileDescriptorTest, is_closed_in_the_end) {
  int number = -1;
  {
    FileDescriptor const file(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    number = file.number();
    EXPECT_TRUE(file.is_open());
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
  EXPECT_FALSE(FileDescriptor(-1).is_open());
}

TEST(FileDescriptorTest, is_closed_once) {
  FileDescriptor file(::open("/dev/null", O_WRONLY | O_CLOEXEC));

  EXPECT_FALSE(file.close());

  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(file.close().value(), EBADF);
}

TEST(FileDescriptorTest, takes_more_than_a_pipe_holds) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  FileDescriptor const out(ends[0]);
  FileDescriptor in(ends[1]);
  std::vector<std::byte> const bytes(std::size_t{1} << 20, std::byte{7});
  std::size_t received = 0;
  std::thread reader([&] {
    std::array<std::byte, 4096> part{};
    for (ssize_t got = 1; got > 0;) {
      got = ::read(out.number(), part.data(), part.size());
      if (got > 0) received += static_cast<std::size_t>(got);
    }
  });

  EXPECT_FALSE(write_all(in.number(), bytes));
  EXPECT_FALSE(in.close());
  reader.join();

  EXPECT_EQ(received, bytes.size());
}

TEST(FileDescriptorTest, tells_why_nothing_can_be_written) {
  FileDescriptor const full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.is_open()) GTEST_SKIP() << "there is no /dev/full";

  EXPECT_EQ(write_all(full.number(), std::vector<std::byte>(9)).value(), ENOSPC);
}

}  // namespace
}  // namespace makespan
