// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a runtime is asked to be. Fields with a MAKESPAN_… name can be overridden from the
// environment, so that one executable can be compared with itself.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "makespan/base/quantity.hpp"
#include "makespan/pgas/channel/channel_lock.hpp"
#include "makespan/pgas/progress/progress_mode.hpp"
#include "makespan/pgas/transport/rma_use.hpp"

namespace makespan::pgas {

// Whether a thread with nothing to do does what other threads of its image were to do.
enum class Stealing : std::uint8_t { off, on };

// Of one image.
inline constexpr int threads_most = 4096;

struct RuntimeOptions {
  // Threads of this image that communicate, each with its own Endpoint: 1 to threads_most. All
  // images get as many as the one that asks for most.
  int threads{1};
  // MAKESPAN_ENDPOINTS = per-thread | shared-global-lock | shared-fine-lock
  EndpointDesign design{EndpointDesign::per_thread};
  // MAKESPAN_PROGRESS = manual | nap | event | spin
  ProgressMode progress{ProgressMode::manual};
  // The processor that the helper thread is bound to, by the operating system's number; one that
  // this process may use. Nothing: it runs where the operating system puts it.
  // MAKESPAN_PROGRESS_CORE.
  std::optional<int> progress_core{};
  // Whether a thread that waits also drives the channels of threads of its image that compute. Off,
  // a call for a thread that waits may lie on the channel of one that does not look.
  // MAKESPAN_PROGRESS_STEALING = on | off
  Stealing progress_stealing{Stealing::on};
  // Of remote calls that were sent to other threads. MAKESPAN_STEALING = on | off
  Stealing stealing{Stealing::on};
  // MAKESPAN_TRANSPORT = auto | shm | am | rma | ucx | shm+am | shm+ucx. The first of two is for
  // images of one node, the second between nodes; one alone is for all.
  std::string transport{"auto"};
  // Puts and gets by UCX's own, between images whose memory is not mapped.
  // MAKESPAN_UCX_RMA = auto | always | never
  RmaUse ucx_rma{RmaUse::automatic};
  // Whether UCX sends short puts to one image of another node together: when a thread next drives
  // progress of the channel, 32 KiB are full, or 50 µs have gone at the next short put to that
  // image. MAKESPAN_AGGREGATION = on | off
  bool aggregates{true};
  // Symmetric heap of each image, in bytes. MAKESPAN_HEAP_MIB. A node must have room for those of
  // all its images in /dev/shm, where each zeroes its own at the start. Without a launcher, pages
  // cost nothing before they are used.
  std::int64_t heap_bytes{std::int64_t{32} << 20};
  // Arguments or result of one remote call, and pieces of long puts and gets. MAKESPAN_MESSAGE_KIB.
  std::int64_t message_bytes_max{std::int64_t{64} << 10};
  // Operations that a channel may have waiting for an answer by message; more wait for room.
  int operations_max{1024};
  // Remote calls that an image keeps until they are run; senders share them evenly, and wait when
  // theirs are used up. Each channel of each image has one at least, also where that makes more.
  int calls_kept_max{4096};
  // An image from which nothing was heard for this long is lost; one that was never heard, after
  // 10 s at least. MAKESPAN_SILENCE_S.
  Seconds silence{1.25};
  // A wait in which nothing happens for this long ends in WaitTimeout. MAKESPAN_WAIT_LIMIT_S.
  Seconds wait_limit{300.0};
  // Why these options are to be refused, where a caller that reads them from elsewhere has found
  // so: then a runtime throws InputError on all images. Empty: they are not.
  std::string trouble{};
};

// Looks up an environment variable; nothing when it is not set.
using Variables = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] std::optional<std::string> process_environment(std::string_view name);

// `options` with what the environment says instead. Throws InputError on invalid values.
[[nodiscard]] RuntimeOptions with_environment(RuntimeOptions options, Variables const& variables);

// Throws InputError on invalid or inconsistent options.
void check(RuntimeOptions const& options);

[[nodiscard]] std::string_view name_of(EndpointDesign design);
[[nodiscard]] std::string_view name_of(ProgressMode mode);
[[nodiscard]] std::string_view name_of(Stealing stealing);
[[nodiscard]] std::string_view name_of(RmaUse use);

}  // namespace makespan::pgas
