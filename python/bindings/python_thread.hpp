// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads of the engine in Python: its lock (GIL), and what CPython keeps for each of them.

#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

#include <atomic>

// Forced unwinding comes without an object, so that the reference which catches it is to null, and
// the undefined-behaviour sanitizer says so of what is libstdc++'s own way (cxxabi_forced.h).
#define MAKESPAN_CATCHES_FORCED_UNWIND __attribute__((no_sanitize("null")))

namespace bindings {

// For a thread that wants the GIL when the interpreter is ending: CPython before 3.14 ends it by
// pthread_exit(), whose unwinding through C++ would end the process with an error. The process ends
// without it instead.
[[noreturn]] inline void stay_until_the_process_ends() {
  for (;;) ::pause();
}

// Whether another thread is ending the interpreter, or has: what CPython would look at for this
// thread may be gone, and a process may live on for a while, in what runs at its exit. Only the
// main thread ends it, which must go on here.
inline bool is_ended_by_another() {
  return Py_IsInitialized() == 0 && ::gettid() != ::getpid();
}

// What the interpreter may end the thread in: taking the GIL.
template <class Call>
MAKESPAN_CATCHES_FORCED_UNWIND void or_stay(Call const& call) {
  if (is_ended_by_another()) stay_until_the_process_ends();
  try {
    call();
  } catch (abi::__forced_unwind const&) {
    stay_until_the_process_ends();
  }
}

// Threads of Python that are in a call of this extension, each extension for itself: what the
// simulator's has is not seen by that of the engine, which no process has beside it at work.
inline std::atomic<int> threads_in_calls{0};

// The GIL given up for a call, as by nanobind's class, whose way back is noexcept: the interpreter
// may end meanwhile, where this is not the main thread (a daemon of threading).
class ReleasedGil {
 public:
  // Counted first: from where the GIL is free on, the interpreter may end.
  ReleasedGil() {
    threads_in_calls.fetch_add(1);
    thread_ = PyEval_SaveThread();
  }
  ~ReleasedGil() {
    or_stay([this] { PyEval_RestoreThread(thread_); });
    threads_in_calls.fetch_sub(1);
  }
  ReleasedGil(ReleasedGil const&) = delete;
  ReleasedGil& operator=(ReleasedGil const&) = delete;

 private:
  PyThreadState* thread_{};
};

// The GIL for a thread that may have been left behind: nanobind's way to it is noexcept.
class LateGil {
 public:
  LateGil() {
    or_stay([this] { state_ = PyGILState_Ensure(); });
  }
  // With the last of the thread's own objects, which may be Python's.
  ~LateGil() {
    or_stay([this] { PyGILState_Release(state_); });
  }
  LateGil(LateGil const&) = delete;
  LateGil& operator=(LateGil const&) = delete;

 private:
  PyGILState_STATE state_{};
};

// What a callback does with Python: where the interpreter ends meanwhile, the thread stays in it.
template <class Call>
MAKESPAN_CATCHES_FORCED_UNWIND auto with_gil(Call const& call) {
  LateGil const held;
  try {
    return call();
  } catch (abi::__forced_unwind const&) {
    stay_until_the_process_ends();
  }
}

// Keeps what CPython has for this thread, the values of its threading.local among them, from one
// taking of the GIL to the next. Without it CPython makes and ends that each time, which takes it
// 20 us (3.11). Made and ended in the thread that it is for, without the GIL, which both take. At
// its end Python code may run.
class KeptPythonThread {
 public:
  KeptPythonThread() {
    or_stay([this] {
      state_ = PyGILState_Ensure();
      thread_ = PyEval_SaveThread();
    });
  }
  ~KeptPythonThread() {
    or_stay([this] {
      PyEval_RestoreThread(thread_);
      PyGILState_Release(state_);
    });
  }
  KeptPythonThread(KeptPythonThread const&) = delete;
  KeptPythonThread& operator=(KeptPythonThread const&) = delete;

 private:
  PyGILState_STATE state_{};
  PyThreadState* thread_{};
};

}  // namespace bindings
