// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places of a run have thrown.

#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/object/object_run_failed.hpp"

namespace makespan::graph {

[[nodiscard]] inline FailureKind failure_kind(std::exception_ptr const& error) {
  try {
    std::rethrow_exception(error);
  } catch (InputError const&) {
    return FailureKind::input;
  } catch (...) {
    return FailureKind::other;
  }
}

// Was thrown at another place.
struct ToldInputError : InputError {
  using InputError::InputError;
};

// What places throw that are told of a failure elsewhere, by the envelope that ends the run.
[[nodiscard]] inline std::exception_ptr told_failure(Envelope const& abort) {
  std::string const text{reinterpret_cast<char const*>(abort.bytes.data()), abort.bytes.size()};
  if (abort.number == static_cast<std::int64_t>(FailureKind::input)) {
    return std::make_exception_ptr(ToldInputError(text));
  }
  return std::make_exception_ptr(ObjectRunFailed(text));
}

// By place; null: nothing. Throws the first: what the program threw says more than that a place
// elsewhere failed.
inline void rethrow_first(std::span<std::exception_ptr const> errors) {
  std::exception_ptr told;
  for (std::exception_ptr const& error : errors) {
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (ObjectRunFailed const&) {
      told = error;
    } catch (ToldInputError const&) {
      told = error;
    }
  }
  if (told) std::rethrow_exception(told);
}

}  // namespace makespan::graph
