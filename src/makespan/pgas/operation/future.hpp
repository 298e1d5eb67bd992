// SPDX-License-Identifier: Apache-2.0
#pragma once

// The result of an operation that goes on while its thread does something else.
//
//   Future<double> price = here.get_async(prices.at(there));
//   Future<double> twice = price.then([](double value) { return 2.0 * value; });
//   … other work, with a here.help() now and then …
//   use(twice.get());
//
// A future belongs to the thread of the endpoint that made it. Its continuations run in that
// thread, when it drives progress or waits; those that wait nest up to 1000 deep, and what is ready
// then has its turn later. A future that is destroyed before it is ready lets its
// operation go on; what comes back is dropped.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/operation/detail/operation.hpp"
#include "makespan/pgas/operation/waiter.hpp"

namespace makespan::pgas {

// Where continuations wait for their turn; an endpoint is one. For the endpoint's thread only.
class ContinuationQueue : public Waiter {
 public:
  // Calls `run` in a later round of progress in which `is_ready` is true.
  virtual void defer(std::function<bool()> is_ready, std::function<void()> run) = 0;

 protected:
  ~ContinuationQueue() = default;
};

// What stands for void where a value is needed.
struct Nothing {};
template <class T>
using ValueOf = std::conditional_t<std::is_void_v<T>, Nothing, T>;

// What a future and its operation share.
template <class T>
class FutureState : public std::enable_shared_from_this<FutureState<T>> {
 public:
  FutureState() = default;
  FutureState(FutureState const&) = delete;
  FutureState& operator=(FutureState const&) = delete;
  virtual ~FutureState() = default;

  [[nodiscard]] virtual bool is_ready() const = 0;
  // The value, or the exception that the operation ended in. Only when ready.
  [[nodiscard]] virtual ValueOf<T> const& value() = 0;
};

template <class T>
class [[nodiscard]] Future {
 public:
  // One that is ready from the beginning.
  Future(ContinuationQueue& queue, ValueOf<T> value) : queue_{&queue}, value_{std::move(value)} {}
  // `call` names the operation in errors; a literal.
  Future(ContinuationQueue& queue, std::shared_ptr<FutureState<T>> state, Awaited what)
      : queue_{&queue}, state_{std::move(state)}, what_{what} {}

  // Neither blocks nor drives progress: who asks again and again calls help() of the endpoint in
  // between, which also runs what others call here.
  [[nodiscard]] bool is_ready() const { return state_ == nullptr || state_->is_ready(); }

  // Blocks until it is ready; drives progress, and may run tasks.
  void wait() const {
    queue_->wait_until([this] { return is_ready(); }, what_);
  }

  // Waits, and gives the value. Throws what the operation ended in: ImageFailed, RemoteError, or
  // what a continuation threw.
  ValueOf<T> const& get() const& {
    wait();
    return state_ == nullptr ? *value_ : state_->value();
  }
  // Of a temporary future, as in here.rpc(…).get(): a copy, which outlives the future.
  ValueOf<T> get() && { return std::as_const(*this).get(); }

  // A future of what `function` makes of the value: called at once if this one is ready, and else
  // when its thread next drives progress after that. If this one ends in an exception, so does the
  // new one, and `function` is not called. Allocates.
  template <class Function>
  auto then(Function function) const;

 private:
  ContinuationQueue* queue_;
  std::optional<ValueOf<T>> value_{};  // of a future that was ready from the beginning
  std::shared_ptr<FutureState<T>> state_{};
  Awaited what_{};
};

// The state behind then(): ready when its continuation has run.
template <class T>
class ContinuedState final : public FutureState<T> {
 public:
  [[nodiscard]] bool is_ready() const override { return value_ || error_; }

  [[nodiscard]] ValueOf<T> const& value() override {
    if (error_) std::rethrow_exception(error_);
    return *value_;
  }

  // Calls `function`, which gives the value or throws. Never throws.
  template <class Function>
  void run(Function&& function) {
    try {
      value_.emplace(function());
    } catch (...) {
      error_ = std::current_exception();
    }
  }

 private:
  std::optional<ValueOf<T>> value_{};
  std::exception_ptr error_{};
};

template <class T>
template <class Function>
auto Future<T>::then(Function function) const {
  auto call = [](Function& f, ValueOf<T> const& value) {
    if constexpr (std::is_void_v<T>) {
      return f();
    } else {
      return f(value);
    }
  };
  using Result = std::invoke_result_t<decltype(call), Function&, ValueOf<T> const&>;

  auto next = std::make_shared<ContinuedState<Result>>();
  auto run = [next, call, source = *this, f = std::move(function)]() mutable {
    next->run([&]() -> ValueOf<Result> {
      if constexpr (std::is_void_v<Result>) {
        call(f, source.get());
        return Nothing{};
      } else {
        return call(f, source.get());
      }
    });
  };
  if (is_ready()) {
    run();
  } else {
    queue_->defer([state = state_] { return state->is_ready(); }, std::move(run));
  }
  return Future<Result>(*queue_, std::move(next), what_);
}

}  // namespace makespan::pgas
