// SPDX-License-Identifier: Apache-2.0
// The boundary's functions of teams: who they are, and what they do together.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/status_of.hpp"
#include "makespan/pgas/atomics.hpp"

namespace makespan::capi {

namespace {

using pgas::ReduceOp;
using pgas::Team;

makespan_team* handle_of(makespan_runtime* runtime, Team team) {
  makespan_team& handle = runtime->parts.emplace_back();
  handle.runtime = runtime;
  handle.own.emplace(std::move(team));
  // Into the handle itself, which therefore never moves.
  handle.engine = &*handle.own;
  return &handle;
}

ReduceOp op_of(makespan_reduction const& reduction, std::string_view function) {
  if (reduction.op < MAKESPAN_SUM || reduction.op > MAKESPAN_BIT_XOR) {
    throw InputError(std::string(function) + " with op " + std::to_string(reduction.op),
                     "there is none of this number",
                     "it is one of makespan_reduce_op: 0 to " +
                         std::to_string(static_cast<int>(MAKESPAN_BIT_XOR)));
  }
  bool const is_real = reduction.type == MAKESPAN_FLOAT || reduction.type == MAKESPAN_DOUBLE;
  if (is_real && reduction.op >= MAKESPAN_BIT_AND) {
    throw InputError(std::string(function) + " of the bits of real numbers",
                     "operations on bits are for integers", "reduce integers, or with another op");
  }
  return static_cast<ReduceOp>(reduction.op);
}

// Calls `use` with a null pointer to elements of the type that `reduction` names.
template <class Use>
void with_type(makespan_reduction const& reduction, std::string_view function, Use&& use) {
  switch (reduction.type) {
    case MAKESPAN_INT32:
      return use(static_cast<std::int32_t*>(nullptr));
    case MAKESPAN_UINT32:
      return use(static_cast<std::uint32_t*>(nullptr));
    case MAKESPAN_INT64:
      return use(static_cast<std::int64_t*>(nullptr));
    case MAKESPAN_UINT64:
      return use(static_cast<std::uint64_t*>(nullptr));
    case MAKESPAN_FLOAT:
      return use(static_cast<float*>(nullptr));
    case MAKESPAN_DOUBLE:
      return use(static_cast<double*>(nullptr));
    default:
      throw InputError(std::string(function) + " of type " + std::to_string(reduction.type),
                       "there is none of this number", "it is one of makespan_type: 0 to 5");
  }
}

// `count` elements at `data`.
template <class T>
std::span<T> elements(void const* data, std::int64_t count, std::string_view function) {
  // A bound on elements, so that their size in bytes cannot overflow.
  constexpr std::int64_t count_max = std::int64_t{1} << 46;  // more than any memory has
  expect_data(data, std::min(count, count_max), function);
  if (count > count_max) {
    throw InputError(std::string(function) + " of " + std::to_string(count) + " elements",
                     "no memory is that long", "give the number of elements");
  }
  return {static_cast<T*>(const_cast<void*>(data)), static_cast<std::size_t>(count)};
}

// The words of a makespan_sync_images() that are posted there, and waited for here.
pgas::GlobalPtr<std::uint64_t> meeting_word(makespan_endpoint const& here, ImageId of, ImageId on) {
  return here.runtime->meetings.at(on, of.value()).reinterpret<std::uint64_t>();
}

void expect_different(std::span<std::int32_t const> images) {
  std::vector<std::int32_t> sorted(images.begin(), images.end());
  std::ranges::sort(sorted);
  auto const twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return;
  throw InputError("makespan_sync_images with image " + std::to_string(*twice) + " twice",
                   "one call is one meeting with each", "name each image once");
}

// All that was begun can be seen, but on lost images: those that are not among `met` end nothing,
// and the failure of a meeting with one that is comes when the others have been told.
std::exception_ptr flush_for_meeting(pgas::Endpoint& engine, std::span<std::int32_t const> met) {
  std::exception_ptr failure;
  for (std::int32_t image = 0; image < engine.images(); ++image) {
    try {
      engine.flush(ImageId{image});
    } catch (ImageFailed const& failed) {
      // Another than the one that was waited for is this image, which the others have given up.
      if (failed.image() != ImageId{image}) throw;
      if (std::ranges::find(met, image) != met.end()) failure = std::current_exception();
    }
  }
  return failure;
}

void sync_images(makespan_endpoint& here, pgas::Endpoint& engine,
                 std::span<std::int32_t const> images) {
  ImageId const self = engine.address().image;
  auto const under_way = [&](std::int32_t image) -> makespan_runtime::Meeting& {
    return here.runtime->meetings_under_way[static_cast<std::size_t>(image)];
  };
  std::vector<std::int32_t> others(images.begin(), images.end());
  std::erase(others, static_cast<std::int32_t>(self.value()));
  std::exception_ptr const failure = flush_for_meeting(engine, others);
  // Each image tells the others before it waits for any: else two that name each other in another
  // order would wait for ever. Once for a meeting: a call that ended by a timeout has told already,
  // and the one that tries again goes on with the same meeting.
  for (std::int32_t const image : others) {
    if (under_way(image).is_told) continue;
    add(engine, meeting_word(here, self, ImageId{image}), 1);
    under_way(image).is_told = true;
  }
  if (failure) std::rethrow_exception(failure);
  for (std::int32_t const image : others) {
    auto const word = meeting_word(here, ImageId{image}, self);
    engine.wait_until([&] { return load(engine, word) >= 1; },
                      engine.awaiting("makespan_sync_images", ImageId{image}));
  }
  // Only when all are here: what a call has taken that then ends by a timeout would be missing when
  // it is tried again.
  for (std::int32_t const image : others) {
    under_way(image).is_told = false;
    // By an atomic: the other image may be at its next meeting already, and add to it now.
    // Fetched, since an update is sure to be done only after a flush, and the next meeting would
    // find this 1 again.
    fetch_add(engine, meeting_word(here, ImageId{image}, self), std::uint64_t{0} - 1);
  }
}

}  // namespace

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

int makespan_team_of_all(makespan_runtime* runtime, makespan_team** team) {
  return status_of([&] {
    static_cast<void>(engine_of(runtime, "makespan_team_of_all"));
    given(team, "makespan_team_of_all", "team") = &runtime->all;
  });
}

int makespan_team_of_node(makespan_runtime* runtime, makespan_team** team) {
  return status_of([&] {
    static_cast<void>(engine_of(runtime, "makespan_team_of_node"));
    given(team, "makespan_team_of_node", "team") = &runtime->node;
  });
}

int32_t makespan_team_rank(makespan_team const* team) {
  if (team == nullptr || team->engine == nullptr || !team->runtime->engine) return -1;
  return team->engine->rank();
}

int32_t makespan_team_size(makespan_team const* team) {
  if (team == nullptr || team->engine == nullptr || !team->runtime->engine) return -1;
  return team->engine->size();
}

int makespan_team_member(makespan_team const* team, int32_t rank, int32_t* image) {
  return status_of([&] {
    auto const members = engine_of(team, "makespan_team_member").members();
    auto& result = given(image, "makespan_team_member", "image");
    if (rank < 0 || rank >= std::ssize(members)) {
      throw makespan::InputError("makespan_team_member of rank " + std::to_string(rank),
                                 "the team has " + std::to_string(members.size()) + " members",
                                 "ranks are 0 to " + std::to_string(members.size() - 1));
    }
    result = static_cast<std::int32_t>(members[static_cast<std::size_t>(rank)].value());
  });
}

int makespan_team_split_all(makespan_team* team, int32_t color, int32_t key, makespan_team** part) {
  return status_of([&] {
    auto& engine = engine_of(team, "makespan_team_split_all");
    auto& result = given(part, "makespan_team_split_all", "part");
    auto own = engine.split_all(color, key);
    result = own ? handle_of(team->runtime, std::move(*own)) : nullptr;
  });
}

int makespan_team_shrink_all(makespan_team* team, makespan_team** rest) {
  return status_of([&] {
    auto& engine = engine_of(team, "makespan_team_shrink_all");
    auto& result = given(rest, "makespan_team_shrink_all", "rest");
    result = handle_of(team->runtime, engine.shrink_all());
  });
}

int makespan_team_free_all(makespan_team** team) {
  return status_of([&] {
    auto& freed = given(team, "makespan_team_free_all", "team");
    static_cast<void>(engine_of(freed, "makespan_team_free_all"));
    if (!freed->own) {
      throw makespan::InputError("makespan_team_free_all of a team of the runtime",
                                 "it ends with the runtime",
                                 "free what makespan_team_split_all gave");
    }
    // The handle itself stays: the caller may have copies of its address.
    freed->engine = nullptr;
    freed->own.reset();
    freed = nullptr;
  });
}

int makespan_barrier_all(makespan_team* team) {
  return status_of([&] { engine_of(team, "makespan_barrier_all").barrier_all(); });
}

int makespan_sync_images(makespan_endpoint* here, int32_t const* images, int32_t count) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_sync_images";
    auto& engine = engine_of(here, function);
    auto const all = elements<std::int32_t const>(images, count, function);
    for (std::int32_t const image : all) expect_image(engine, image, function);
    expect_different(all);
    sync_images(*here, engine, all);
  });
}

int makespan_broadcast_all(makespan_team* team, void* data, int64_t bytes, int32_t root) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_broadcast_all";
    auto& engine = engine_of(team, function);
    engine.broadcast_all(elements<std::byte>(data, bytes, function), root);
  });
}

int makespan_gather_all(makespan_team* team, void const* data, int64_t bytes, void* all,
                        int32_t root) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_gather_all";
    auto& engine = engine_of(team, function);
    auto const mine = elements<std::byte const>(data, bytes, function);
    // Elsewhere the caller may pass NULL for what it does not get.
    bool const is_wanted = root == MAKESPAN_ALL_RANKS || root == engine.rank();
    if (is_wanted) expect_data(all, bytes, function);
    auto const gathered =
        root == MAKESPAN_ALL_RANKS ? engine.all_gather_all(mine) : engine.gather_all(mine, root);
    std::ranges::copy(gathered, static_cast<std::byte*>(all));
  });
}

int makespan_reduce_all(makespan_team* team, makespan_reduction const* reduction,
                        void const* values, void* results, int32_t root) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_reduce_all";
    auto& engine = engine_of(team, function);
    ReduceOp const op = op_of(given(reduction, function, "reduction"), function);
    bool const is_wanted = root == MAKESPAN_ALL_RANKS || root == engine.rank();
    with_type(*reduction, function, [&]<class T>(T*) {
      auto const in = elements<T const>(values, reduction->count, function);
      auto const out = elements<T>(results, is_wanted ? reduction->count : 0, function);
      if (root == MAKESPAN_ALL_RANKS) {
        engine.all_reduce_all<T>(op, in, out);
      } else {
        engine.reduce_all<T>(op, in, out, root);
      }
    });
  });
}

int makespan_scan_all(makespan_team* team, makespan_reduction const* reduction, void const* values,
                      void* results) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_scan_all";
    auto& engine = engine_of(team, function);
    ReduceOp const op = op_of(given(reduction, function, "reduction"), function);
    with_type(*reduction, function, [&]<class T>(T*) {
      engine.inclusive_scan_all<T>(op, elements<T const>(values, reduction->count, function),
                                   elements<T>(results, reduction->count, function));
    });
  });
}

}  // extern "C"
