// SPDX-License-Identifier: Apache-2.0
// The launcher is the other end of a socket pair.
#include "makespan/pgas/job/detail/pmi_finalize.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace makespan::pgas {
namespace {

using namespace std::chrono_literals;

class PmiFinalize : public testing::Test {
 protected:
  PmiFinalize() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  ~PmiFinalize() override {
    ::close(ends_[0]);
    if (!is_gone_) ::close(ends_[1]);
  }
  PmiFinalize(PmiFinalize const&) = delete;
  PmiFinalize& operator=(PmiFinalize const&) = delete;

  [[nodiscard]] std::string ours() const { return std::to_string(ends_[0]); }

  [[nodiscard]] std::string hear() const {
    std::array<char, 64> heard{};
    auto const bytes = ::recv(ends_[1], heard.data(), heard.size(), 0);
    return {heard.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
  }
  void say(std::string const& text) const {
    EXPECT_EQ(::send(ends_[1], text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  void go() {
    ::close(ends_[1]);
    is_gone_ = true;
  }

 private:
  std::array<int, 2> ends_{};
  bool is_gone_ = false;
};

TEST_F(PmiFinalize, says_that_it_ends_and_waits_for_the_answer) {
  std::string heard;
  std::thread launcher([&] {
    heard = hear();
    say("cmd=finalize_");
    std::this_thread::sleep_for(5ms);
    say("ack\n");
  });
  EXPECT_TRUE(pmi_finalize(ours().c_str(), 10s));
  launcher.join();
  EXPECT_EQ(heard, "cmd=finalize\n");
}

TEST_F(PmiFinalize, does_not_wait_for_ever_for_a_silent_launcher) {
  EXPECT_FALSE(pmi_finalize(ours().c_str(), 20ms));
  EXPECT_EQ(hear(), "cmd=finalize\n");
}

TEST_F(PmiFinalize, outlives_a_launcher_that_is_gone) {
  go();
  EXPECT_FALSE(pmi_finalize(ours().c_str(), 10s));
}

TEST(PmiFinalizeAlone, is_not_said_where_no_launcher_listens) {
  EXPECT_FALSE(pmi_finalize(nullptr, 10s));
  for (char const* text : {"", "-1", "three", "7x", "99999999999999", "1000000"}) {
    EXPECT_FALSE(pmi_finalize(text, 10s)) << text;
  }
}

TEST(PmiFinalizeAlone, is_not_written_into_what_is_no_socket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_FALSE(pmi_finalize(std::to_string(ends[1]).c_str(), 10s));
  ::close(ends[1]);
  char heard = 0;
  EXPECT_EQ(::read(ends[0], &heard, 1), 0);  // nothing came before its end
  ::close(ends[0]);
}

}  // namespace
}  // namespace makespan::pgas
