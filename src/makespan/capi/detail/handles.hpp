// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the opaque handles of the C boundary are.
//
// Handles of a runtime, its endpoints and its teams live until the process ends, so that a call
// after the runtime has ended, or the team was freed, finds out instead of reading freed memory.

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "makespan/capi/pgas.h"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/event.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/pgas/team.hpp"

struct makespan_endpoint {
  makespan::pgas::Endpoint* engine{};  // null when the runtime has ended
  makespan_runtime* runtime{};
};

struct makespan_team {
  makespan::pgas::Team* engine{};  // of the runtime, or `own`; null when that is over
  makespan_runtime* runtime{};
  std::optional<makespan::pgas::Team> own{};
};

struct makespan_runtime {
  std::optional<makespan::pgas::Runtime> engine{};  // nothing when it has ended
  std::deque<makespan_endpoint> endpoints{};        // by thread; they must stay where they are
  makespan_team all{};
  makespan_team node{};
  std::deque<makespan_team> parts{};     // that were split off; they must stay where they are
  std::set<std::int64_t> allocations{};  // their offsets
  // Word i on an image counts how often image i has come to a makespan_sync_images() with it, less
  // those that it has waited for.
  makespan::pgas::SymmetricArray<makespan::pgas::EventWord> meetings{};
  struct Meeting {
    bool is_told{false};  // the other image, by its word, and this one still waits for it
  };
  std::vector<Meeting> meetings_under_way{};  // by image
  // For texts that a caller looks at.
  makespan::pgas::RuntimeDescription description{};
};

// An operation that is under way.
struct makespan_request {
  explicit makespan_request(makespan_endpoint& begun_by) : endpoint{begun_by} {}
  makespan_request(makespan_request const&) = delete;
  makespan_request& operator=(makespan_request const&) = delete;
  virtual ~makespan_request() = default;

  [[nodiscard]] virtual bool is_ready() const = 0;
  // Waits, and writes the result to where it is wanted. Throws what the operation ended in.
  virtual void finish() = 0;

  makespan_endpoint& endpoint;
};

namespace makespan::capi {

// What stands behind a handle. Throw InputError naming `function` when the handle is null, its
// runtime has ended, or it is of a team that was freed.
[[nodiscard]] pgas::Runtime& engine_of(makespan_runtime* runtime, std::string_view function);
[[nodiscard]] pgas::Endpoint& engine_of(makespan_endpoint* endpoint, std::string_view function);
[[nodiscard]] pgas::Team& engine_of(makespan_team const* team, std::string_view function);

// The handle of an endpoint of the runtime that is open; null where that was not begun here.
[[nodiscard]] makespan_endpoint* handle_of(pgas::Endpoint const& engine);

// What makespan_here() gives in this thread, as long as this lives.
class HereScope {
 public:
  explicit HereScope(makespan_endpoint* here);
  HereScope(HereScope const&) = delete;
  HereScope& operator=(HereScope const&) = delete;
  ~HereScope();

 private:
  makespan_endpoint* before_;
};

// Throw InputError naming `function` unless there is such an image; unless the address is aligned
// for a T.
void expect_image(pgas::Endpoint const& here, std::int32_t image, std::string_view function);
void expect_aligned(std::int64_t offset, std::size_t alignment, std::string_view function);
// Throws InputError unless `bytes` is at least 0, and there is data if there are bytes.
void expect_data(void const* data, std::int64_t bytes, std::string_view function);

template <pgas::WireType T>
[[nodiscard]] pgas::GlobalPtr<T> pointer_to(pgas::Endpoint const& here, makespan_address at,
                                            std::string_view function) {
  expect_image(here, at.image, function);
  expect_aligned(at.offset, alignof(T), function);
  // A negative offset is one past every heap, and refused as such.
  return {ImageId{at.image}, static_cast<std::uint64_t>(at.offset)};
}

}  // namespace makespan::capi
