// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/pmi_finalize.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace makespan::pgas {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<int> descriptor_in(char const* text) {
  if (text == nullptr) return std::nullopt;
  int descriptor = -1;
  char const* const end = text + std::strlen(text);
  auto const [stop, error] = std::from_chars(text, end, descriptor);
  if (error != std::errc{} || stop != end || descriptor < 0) return std::nullopt;
  return descriptor;
}

// Without SIGPIPE where the launcher is gone; what is no socket is not written to.
bool say(int descriptor, std::string_view line) {
  return ::send(descriptor, line.data(), line.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(line.size());
}

// Whether there is something to read before `end`.
bool hears_before(int descriptor, Clock::time_point end) {
  for (;;) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    pollfd asked{.fd = descriptor, .events = POLLIN, .revents = 0};
    int const ready = ::poll(&asked, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// The answer is one line.
bool is_answered(int descriptor, Clock::time_point end) {
  std::array<char, 256> heard{};
  while (hears_before(descriptor, end)) {
    ssize_t const bytes = ::recv(descriptor, heard.data(), heard.size(), MSG_DONTWAIT);
    if (bytes <= 0) return false;
    std::string_view const line(heard.data(), static_cast<std::size_t>(bytes));
    if (line.find('\n') != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool pmi_finalize(char const* pmi_fd, std::chrono::milliseconds limit) {
  auto const descriptor = descriptor_in(pmi_fd);
  if (!descriptor || !say(*descriptor, "cmd=finalize\n")) return false;
  return is_answered(*descriptor, Clock::now() + limit);
}

}  // namespace makespan::pgas
