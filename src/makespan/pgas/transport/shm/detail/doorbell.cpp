// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/detail/doorbell.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <unistd.h>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

// At most so many bytes are taken at once; what is left makes the next wait return at once, and is
// taken then.
constexpr int rings_taken_max = 64;

[[noreturn]] void throw_errno(char const* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

UniqueHandle<SocketTraits> open_socket() {
  UniqueHandle<SocketTraits> handle(
      ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!handle) throw_errno("socket");
  return handle;
}

sockaddr const* generic(sockaddr_un const* name) {
  return reinterpret_cast<sockaddr const*>(name);
}

}  // namespace

std::span<std::byte const> DoorbellAddress::bytes() const {
  return std::as_bytes(std::span(&name_, 1)).first(length_);
}

std::optional<DoorbellAddress> DoorbellAddress::from_bytes(std::span<std::byte const> bytes) {
  if (bytes.size() <= sizeof(sa_family_t) || bytes.size() > sizeof(sockaddr_un)) return {};
  DoorbellAddress address;
  std::memcpy(&address.name_, bytes.data(), bytes.size());
  address.length_ = static_cast<socklen_t>(bytes.size());
  return address;
}

void SocketTraits::release(Handle handle) noexcept {
  // Nothing to be done about a failure: on Linux the descriptor is gone in any case.
  static_cast<void>(::close(handle));
}

Doorbell::Doorbell() : socket_(open_socket()) {
  // A family without a name: Linux picks a free one (unix(7), "Autobind feature").
  place_.name_.sun_family = AF_UNIX;
  if (::bind(socket_.get(), generic(&place_.name_), sizeof(sa_family_t)) != 0) {
    throw_errno("bind");
  }
  place_.length_ = sizeof(place_.name_);
  if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&place_.name_), &place_.length_) !=
      0) {
    throw_errno("getsockname");
  }
  MAKESPAN_ENSURE(place_.length_ > sizeof(sa_family_t));
}

bool Doorbell::can_reach(DoorbellAddress const& other) {
  UniqueHandle<SocketTraits> const probe = open_socket();
  return ::connect(probe.get(), generic(&other.name_), other.length_) == 0;
}

bool Doorbell::ring(DoorbellAddress const& other) const {
  char const byte{};
  ssize_t sent = 0;
  do {
    sent = ::sendto(socket_.get(), &byte, sizeof(byte), MSG_DONTWAIT | MSG_NOSIGNAL,
                    generic(&other.name_), other.length_);
  } while (sent < 0 && errno == EINTR);
  // Full: others rang, and it was not looked at yet.
  return sent == sizeof(byte) || errno == EAGAIN || errno == EWOULDBLOCK;
}

void Doorbell::silence() const {
  for (int taken = 0; taken < rings_taken_max; ++taken) {
    std::array<char, 8> bytes{};
    // Ends with EAGAIN. Other errors leave the descriptor readable, and are no worse than a bell
    // that rings in vain.
    if (::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) < 0) return;
  }
}

}  // namespace makespan::pgas
