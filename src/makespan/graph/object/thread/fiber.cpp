// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/thread/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace makespan::graph {

namespace {

Fiber* now_running = nullptr;
ucontext_t outside{};
void const* outside_stack = nullptr;
std::size_t outside_bytes = 0;

// Stacks of fibers that have ended, for those to come: one that is mapped anew faults in each of
// its pages again. There is one thread, so no lock.
std::vector<std::unique_ptr<FiberStack>>& spare_stacks() {
  static std::vector<std::unique_ptr<FiberStack>> stacks;
  return stacks;
}

std::unique_ptr<FiberStack> take_stack() {
  if (spare_stacks().empty()) return std::make_unique<FiberStack>();
  auto stack = std::move(spare_stacks().back());
  spare_stacks().pop_back();
  return stack;
}

// The address sanitizer has to know which stack is in use.
void say_switch_begins([[maybe_unused]] void** keep, [[maybe_unused]] void const* to,
                       [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(keep, to, bytes);
#endif
}

void say_switch_ended([[maybe_unused]] void* kept, [[maybe_unused]] bool from_outside) {
#if defined(__SANITIZE_ADDRESS__)
  void const* stack = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(kept, &stack, &bytes);
  if (!from_outside) return;
  outside_stack = stack;
  outside_bytes = bytes;
#endif
}

std::size_t page_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

FiberStack::FiberStack() {
  std::size_t const guard = page_bytes();
  // Thousands of places have one each: memory is taken by the pages that are touched, and none is
  // reserved for the others.
  void* const begin = ::mmap(nullptr, guard + bytes(), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  lowest_ = static_cast<std::byte*>(begin) + guard;
  // One that grows too large faults there, and does not write over its neighbour.
  if (::mprotect(begin, guard, PROT_NONE) == 0) return;
  ::munmap(begin, guard + bytes());
  throw std::bad_alloc();
}

FiberStack::~FiberStack() {
  ::munmap(lowest_ - page_bytes(), page_bytes() + bytes());
}

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
}

Fiber::~Fiber() {
  if (stack_) spare_stacks().push_back(std::move(stack_));
}

Fiber* Fiber::running() {
  return now_running;
}

void Fiber::swap_handling(Handling& own) {
  // The first two members of __cxa_eh_globals (Itanium C++ ABI: Exception Handling, 2.2.2), which
  // is one for each thread. A fiber that is left within a catch block takes its own along; the next
  // one would otherwise rethrow what this one caught.
  auto* const present = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  Handling kept{};
  std::memcpy(static_cast<void*>(&kept.caught), present, sizeof kept.caught);
  std::memcpy(&kept.uncaught, present + sizeof kept.caught, sizeof kept.uncaught);
  std::memcpy(present, static_cast<void const*>(&own.caught), sizeof own.caught);
  std::memcpy(present + sizeof own.caught, &own.uncaught, sizeof own.uncaught);
  own = kept;
}

void Fiber::resume() {
  if (!has_begun_) {
    stack_ = take_stack();
    has_begun_ = true;  // not where there was no memory for a stack
    ::getcontext(&here_);
    here_.uc_stack.ss_sp = stack_->get();
    here_.uc_stack.ss_size = FiberStack::bytes();
    // Its function never returns: run() ends in setcontext().
    here_.uc_link = nullptr;
    ::makecontext(&here_, &Fiber::enter, 0);
  }
  now_running = this;
  swap_handling(handling_);
  void* kept = nullptr;
  say_switch_begins(&kept, stack_->get(), FiberStack::bytes());
  ::swapcontext(&outside, &here_);
  say_switch_ended(kept, false);
  swap_handling(handling_);
  now_running = nullptr;
}

void Fiber::unwind() {
  is_unwinding_ = true;
  if (has_begun_ && !has_ended_) resume();
}

void Fiber::enter() {
  say_switch_ended(nullptr, true);
  now_running->run();
}

void Fiber::run() {
  try {
    body_();
  } catch (Unwound const&) {
    error_ = nullptr;  // as it was told
  } catch (...) {
    error_ = std::current_exception();
  }
  has_ended_ = true;
  // Null: the sanitizer can forget what this stack had.
  say_switch_begins(nullptr, outside_stack, outside_bytes);
  ::setcontext(&outside);
}

void Fiber::suspend() {
  Fiber& self = *now_running;
  if (!self.is_unwinding_) self.leave();
  if (self.is_unwinding_) throw Unwound{};
}

void Fiber::leave() {
  say_switch_begins(&sanitizers_stack_, outside_stack, outside_bytes);
  ::swapcontext(&here_, &outside);
  say_switch_ended(sanitizers_stack_, true);
}

}  // namespace makespan::graph
