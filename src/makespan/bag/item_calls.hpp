// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function that is called with the index of an item, and what it gives.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/item_failed.hpp"

namespace makespan::bag {

// What can be run on items: called on several threads at once.
template <class Function>
concept ItemFunction =
    std::invocable<Function&, std::int64_t> &&
    std::movable<std::remove_cvref_t<std::invoke_result_t<Function&, std::int64_t>>>;

template <ItemFunction Function>
using ItemResult = std::remove_cvref_t<std::invoke_result_t<Function&, std::int64_t>>;

// What function(index) gives. What it throws is nested in ItemFailed; DeviceFailed is not the
// item's, and goes through.
template <ItemFunction Function>
ItemResult<Function> call_item(Function& function, std::int64_t index) {
  try {
    return function(index);
  } catch (DeviceFailed const&) {
    throw;
  } catch (std::exception const& error) {
    std::throw_with_nested(ItemFailed(index, error.what()));
  } catch (...) {
    std::throw_with_nested(ItemFailed(index, no_exception));
  }
}

// Results by index. They come to the threads that ran the items, which hold them until it is known
// whether they count. Different threads may call at once. Tested through tests/bag/run_test.cpp
// and tests/bag/image/run_all_test.cpp.
template <class Result>
class ItemResults {
 public:
  ItemResults(std::int64_t items, int threads)
      : results_(static_cast<std::size_t>(items)), held_(static_cast<std::size_t>(threads)) {}

  [[nodiscard]] std::int64_t items() const { return std::ssize(results_); }

  void hold(int thread, std::int64_t index, Result result) {
    of(thread).emplace_back(index, std::move(result));
  }
  // What the thread holds counts, or does not.
  void keep(int thread) {
    for (auto& [index, result] : of(thread)) put(index, std::move(result));
    of(thread).clear();
  }
  void drop(int thread) { of(thread).clear(); }
  // One that counts.
  void put(std::int64_t index, Result result) {
    results_.at(static_cast<std::size_t>(index)).emplace(std::move(result));
  }

  // One that has come.
  [[nodiscard]] Result const& at(std::int64_t index) const {
    return results_.at(static_cast<std::size_t>(index)).value();
  }

  [[nodiscard]] bool have_all_come() const {
    return std::ranges::all_of(results_, [](auto const& result) { return result.has_value(); });
  }

  // Once all have come.
  [[nodiscard]] std::vector<Result> take() {
    std::vector<Result> all;
    all.reserve(results_.size());
    for (auto& result : results_) all.push_back(*std::move(result));
    return all;
  }

 private:
  struct alignas(64) Held {
    std::vector<std::pair<std::int64_t, Result>> results{};
  };
  auto& of(int thread) { return held_[static_cast<std::size_t>(thread)].results; }

  std::vector<std::optional<Result>> results_;
  std::vector<Held> held_;  // by thread
};

}  // namespace makespan::bag
