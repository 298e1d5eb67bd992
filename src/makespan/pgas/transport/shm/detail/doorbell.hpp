// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a process is woken by others of its node: a socket that they send a byte to, for epoll to
// see.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>

#include "makespan/pgas/job/unique_handle.hpp"

namespace makespan::pgas {

// Where a doorbell can be rung from: a name in the kernel's abstract space, which goes away with
// its socket. Other processes of the node may use it, of any user, but all that they can do is to
// wake a process in vain.
class DoorbellAddress {
 public:
  // As Doorbell::address() tells it, for sending it elsewhere and making it again there.
  [[nodiscard]] std::span<std::byte const> bytes() const;
  // Nothing when `bytes` are no address.
  [[nodiscard]] static std::optional<DoorbellAddress> from_bytes(std::span<std::byte const> bytes);

 private:
  friend class Doorbell;

  sockaddr_un name_{};
  socklen_t length_{0};
};

struct SocketTraits {
  using Handle = int;
  static Handle null() { return -1; }
  static bool is_null(Handle handle) { return handle < 0; }
  static void release(Handle handle) noexcept;
};

// Callable from any thread.
class Doorbell {
 public:
  // Throws std::system_error.
  Doorbell();

  // Readable after a ring, until silence().
  [[nodiscard]] int descriptor() const { return socket_.get(); }
  [[nodiscard]] DoorbellAddress const& address() const { return place_; }

  // Whether there is a socket at `other` that can be rung. Throws std::system_error when that
  // cannot be found out.
  [[nodiscard]] static bool can_reach(DoorbellAddress const& other);

  // Rings the bell of another process. Never blocks. False if it could not: the process has ended,
  // or the kernel had no memory.
  [[nodiscard]] bool ring(DoorbellAddress const& other) const;

  // Takes what was rung so far.
  void silence() const;

 private:
  UniqueHandle<SocketTraits> socket_;
  DoorbellAddress place_;
};

}  // namespace makespan::pgas
