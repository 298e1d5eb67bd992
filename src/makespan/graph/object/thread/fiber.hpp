// SPDX-License-Identifier: Apache-2.0
#pragma once

// Code that can be left in the middle of a call and gone on with later, on the thread that runs it:
// a place of a world in virtual time, which has one thread only.

#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace makespan::graph {

// Thrown out of suspend() where a fiber is to end early. No std::exception: what catches those must
// not take it for an error.
struct Unwound {};

// Memory of a stack, below which a page faults. Throws std::bad_alloc where there is none.
class FiberStack {
 public:
  FiberStack();
  FiberStack(FiberStack const&) = delete;
  FiberStack& operator=(FiberStack const&) = delete;
  ~FiberStack();

  [[nodiscard]] std::byte* get() const { return lowest_; }
  [[nodiscard]] static std::size_t bytes() { return std::size_t{1} << 20U; }

 private:
  std::byte* lowest_;
};

// Not for threads: what runs now is one for the whole process.
class Fiber {
 public:
  explicit Fiber(std::function<void()> body);
  Fiber(Fiber const&) = delete;
  Fiber& operator=(Fiber const&) = delete;
  // It must have ended, or never have begun.
  ~Fiber();

  // Goes on with it until it suspends or ends. From outside of all fibers. Throws std::bad_alloc
  // where there is no memory for the stack of one that has not begun, and then it has not.
  void resume();
  // The same, but it ends: suspend() throws Unwound, however often it is called.
  void unwind();
  [[nodiscard]] bool has_begun() const { return has_begun_; }
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // What came out of it, but Unwound.
  [[nodiscard]] std::exception_ptr error() const { return error_; }

  // Of the fiber that runs.
  static void suspend();
  // Null outside of all.
  [[nodiscard]] static Fiber* running();

 private:
  // What the C++ runtime knows of exceptions that are being handled: of each stack its own.
  struct Handling {
    void* caught;
    unsigned int uncaught;
  };

  static void enter();
  void run();
  void leave();
  static void swap_handling(Handling& own);

  std::function<void()> body_;
  std::unique_ptr<FiberStack> stack_;
  ucontext_t here_{};
  Handling handling_{};
  std::exception_ptr error_{};
  bool has_begun_{false};
  bool has_ended_{false};
  bool is_unwinding_{false};
  void* sanitizers_stack_{};  // where the address sanitizer keeps what this stack had
};

}  // namespace makespan::graph
