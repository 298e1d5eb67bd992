// SPDX-License-Identifier: Apache-2.0
#pragma once
// Eight bytes there and back over one TCP connection, both sides polling: what the network and the
// system take of a round trip, with no library in between. Every operation that needs an answer
// from another host takes at least this.

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "contestant.hpp"

namespace makespan::bench {

// The result of a system call; -1 is an exception with its name.
inline int checked_system(int result, char const* call) {
  if (result < 0) throw std::system_error{errno, std::generic_category(), call};
  return result;
}

class TcpPair {
 public:
  // Collective: the active image connects to the passive one, by the name of its host.
  explicit TcpPair(MpiSession const& session) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    if (session.is_active()) {
      address = session.exchanged(address);
      socket_ = checked_system(::socket(AF_INET, SOCK_STREAM, 0), "socket");
      checked_system(::connect(socket_, as_any(address), sizeof address), "connect");
    } else {
      int const listening = checked_system(::socket(AF_INET, SOCK_STREAM, 0), "socket");
      address = own_address();
      checked_system(::bind(listening, as_any(address), sizeof address), "bind");
      checked_system(::listen(listening, 1), "listen");
      socklen_t length = sizeof address;
      checked_system(::getsockname(listening, as_any(address), &length), "getsockname");
      static_cast<void>(session.exchanged(address));
      socket_ = checked_system(::accept(listening, nullptr, nullptr), "accept");
      ::close(listening);
    }
    int const at_once = 1;
    checked_system(::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once),
                   "setsockopt");
  }
  TcpPair(TcpPair const&) = delete;
  TcpPair& operator=(TcpPair const&) = delete;
  ~TcpPair() { ::close(socket_); }

  void send() const {
    std::int64_t const word = 1;
    if (checked_system(static_cast<int>(::send(socket_, &word, sizeof word, 0)), "send") !=
        sizeof word) {
      throw std::runtime_error{"send took less than eight bytes"};
    }
  }
  // Polls, as message libraries do.
  void receive() const {
    std::array<char, 8> word{};
    std::size_t filled = 0;
    while (filled < word.size()) {
      auto const got = ::recv(socket_, word.data() + filled, word.size() - filled, MSG_DONTWAIT);
      if (got > 0) {
        filled += static_cast<std::size_t>(got);
      } else if (got == 0) {
        throw std::runtime_error{"the other image closed its connection"};
      } else if (errno != EAGAIN && errno != EINTR) {
        checked_system(-1, "recv");
      }
    }
  }

 private:
  static sockaddr* as_any(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

  // That of this host's name, any port: the way that others take.
  static sockaddr_in own_address() {
    std::array<char, 256> name{};
    checked_system(::gethostname(name.data(), name.size() - 1), "gethostname");
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (int const code = ::getaddrinfo(name.data(), nullptr, &hints, &found); code != 0) {
      throw std::runtime_error{std::string("getaddrinfo: ") + ::gai_strerror(code)};
    }
    sockaddr_in address{};
    std::memcpy(&address, found->ai_addr, sizeof address);
    ::freeaddrinfo(found);
    return address;
  }

  int socket_{-1};
};

inline void add_raw_socket(std::vector<Contestant>& contestants, MpiSession const& session,
                           TcpPair const& pair, int operations) {
  contestants.push_back({"socket.ping_pong", [=, &session, &pair]() -> Figures {
                           double const begin_s = now_s();
                           for (int operation = 0; operation < operations; ++operation) {
                             if (session.is_active()) pair.send();
                             pair.receive();
                             if (!session.is_active()) pair.send();
                           }
                           return {{"seconds", (now_s() - begin_s) / operations}};
                         }});
}

}  // namespace makespan::bench
