// SPDX-License-Identifier: Apache-2.0
#pragma once

// UCX in this process: the devices and transports that it found, as the user's UCX_… variables
// allow.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/pgas/job/unique_handle.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_options.hpp"

namespace makespan::pgas {

struct UcxContextTraits {
  using Handle = ucp_context_h;
  static Handle null() { return nullptr; }
  static bool is_null(Handle handle) { return handle == nullptr; }
  static void release(Handle handle) noexcept { ucp_cleanup(handle); }
};

// Callable from any thread. Outlives what is made with it.
class UcxContext {
 public:
  // For a job of `images` images. Throws InputError.
  UcxContext(int images, UcxWakeup wakeup);

  [[nodiscard]] ucp_context_h get() const { return context_.get(); }

  // Whether messages between images of one node can go through shared memory.
  [[nodiscard]] bool has_shared_memory() const { return has_shared_memory_; }

 private:
  UniqueHandle<UcxContextTraits> context_;
  bool has_shared_memory_{false};
};

// Memory that others reach. Either UCX has allocated it, zeroed, where images of one node can map
// it if there is a transport for that (Linux only: it is anonymous, and goes with its last user);
// or it is of the caller's, and outlives this.
class UcxHeap {
 public:
  // Throws InputError.
  UcxHeap(UcxContext const& context, std::int64_t bytes);
  UcxHeap(UcxContext const& context, std::span<std::byte> bytes);
  UcxHeap(UcxHeap const&) = delete;
  UcxHeap& operator=(UcxHeap const&) = delete;
  ~UcxHeap();

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

  // What another image needs to reach it: its address here, and UCX's key.
  [[nodiscard]] std::vector<std::byte> pack_key() const;

 private:
  ucp_context_h context_;
  ucp_mem_h memory_{};
  std::span<std::byte> bytes_;
};

}  // namespace makespan::pgas
