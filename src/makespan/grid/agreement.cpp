// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/agreement.hpp"

#include <cstdint>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/announced_bytes.hpp"

namespace makespan::grid {

std::exception_ptr cause_of(std::span<std::exception_ptr const> failures) {
  std::exception_ptr cause;
  for (std::exception_ptr const& failure : failures) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (GridStopped const&) {
      if (!cause) cause = failure;
    } catch (...) {
      return failure;
    }
  }
  return cause;
}

namespace {

thread_local std::exception_ptr last_told;

// One that failed may end at once, and be lost for those that have not heard of it.
void wait_until_all_know(pgas::Team& team) {
  try {
    team.barrier_all();
  } catch (ImageFailed const&) {
    return;  // one that knew, and was faster
  }
}

std::string text_of_failure(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (std::exception const& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

// The longest of a failure. What a compiler says may be long.
constexpr std::int64_t text_bytes_max = std::int64_t{1} << 20;

// What a failure says, in the order in which images are heard.
enum class Telling : std::uint8_t { loss, cause, stopped, nothing };

Telling telling_of(std::exception_ptr const& failure) {
  if (!failure) return Telling::nothing;
  try {
    std::rethrow_exception(failure);
  } catch (ImageFailed const&) {
    return Telling::loss;
  } catch (GridStopped const&) {
    return Telling::stopped;
  } catch (...) {
    return Telling::cause;
  }
}

}  // namespace

bool was_told(std::exception_ptr const& failure) {
  return failure != nullptr && failure == last_told;
}

std::optional<OtherFailure> other_failure_all(pgas::Team& team, std::exception_ptr const& mine) {
  Telling const telling = telling_of(mine);
  // The others see that loss too, and no image can agree with a lost one.
  if (telling == Telling::loss) std::rethrow_exception(mine);
  // Those that say why before those that were stopped, and these before those that have nothing.
  // What it says and by which image, in one number: the least of all is the one that is heard.
  int const images = team.size();
  int const rank = team.rank() + images * static_cast<int>(telling);
  int const first = team.all_reduce_all(pgas::ReduceOp::min, rank);
  if (first >= images * static_cast<int>(Telling::nothing)) return std::nullopt;
  int const teller = first % images;
  std::string text = teller == team.rank() ? text_of_failure(mine) : "";
  if (std::ssize(text) > text_bytes_max) text.resize(text_bytes_max);
  text.resize(static_cast<std::size_t>(pgas::announced_bytes_all(
      team, {.what = "a failure", .bytes_max = text_bytes_max}, std::ssize(text), teller)));
  team.broadcast_all(std::span<char>(text), teller);
  wait_until_all_know(team);
  if (telling == Telling::cause || teller == team.rank()) {
    last_told = mine;
    std::rethrow_exception(mine);
  }
  return OtherFailure{teller, std::move(text)};
}

void refuse_part_all(pgas::Team& team, std::exception_ptr const& mine) {
  auto const other = other_failure_all(team, mine);
  if (!other) return;
  throw InputError("image " + std::to_string(other->image) + " refused its part of the grid",
                   other->text, "mend that there");
}

void stop_all(pgas::Team& team, std::exception_ptr const& mine) {
  auto const other = other_failure_all(team, mine);
  if (!other) return;
  last_told = std::make_exception_ptr(
      GridStopped("a device of image " + std::to_string(other->image) + " failed: " + other->text));
  std::rethrow_exception(last_told);
}

}  // namespace makespan::grid
