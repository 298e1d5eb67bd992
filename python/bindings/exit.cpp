// SPDX-License-Identifier: Apache-2.0
#include "bindings/exit.hpp"

#include <pthread.h>

#include <cstdlib>

#include "bindings/python_thread.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace bindings {

namespace nb = nanobind;

namespace {

// For on_exit(), glibc's, which tells the status.
void exit_without_finalize(int status, void* /*nothing*/) {
  makespan::pgas::exit_without_finalize(status);
}

// The same, and in any case: threads are at work that use what static destructors are to destroy.
void leave_threads(int status, void* /*nothing*/) {
  makespan::pgas::exit_without_finalize(status);
  makespan::pgas::exit_without_finalize_now(status);
}

// The same where a daemon of Python's is in a call whose threads are.
void leave_calls(int status, void* nothing) {
  if (threads_in_calls.load() != 0) leave_threads(status, nothing);
}

// In a child of fork() the other threads are gone, and what they had is destroyed by its end.
bool lost_threads_at_fork = false;

void forget_threads() {
  if (threads_in_calls.exchange(0) != 0) lost_threads_at_fork = true;
}

// A thread that Python did not start is never known to have ended.
bool has_daemons() {
  nb::module_ const threading = nb::module_::import_("threading");
  auto const foreign = threading.attr("_DummyThread");
  auto const own = threading.attr("current_thread")();
  for (nb::handle const thread : threading.attr("enumerate")()) {
    if (!thread.is(own) && !nb::isinstance(thread, foreign)) return true;
  }
  return false;
}

// When the main thread has ended, and no thread but daemons is left.
void expect_daemons() {
  // What they hold is no leak.
  if (has_daemons() || threads_in_calls.load() != 0 || lost_threads_at_fork) {
    nb::set_leak_warnings(false);
  }
  // Last of all that was asked for at the end, so that it is done first.
  ::on_exit(&leave_calls, nullptr);
}

}  // namespace

void bind_exit(nb::module_& module) {
  using namespace nb::literals;
  module.def("end_job", &makespan::pgas::end_job,
             "After a failure: ends the job's other processes, and this one.");
  module.def("loss_in_earlier_job", &makespan::pgas::loss_in_earlier_job,
             "An image that a job of this process has lost, and why no other job can be had; empty "
             "if there is none.");
  module.def("exit_without_finalize", &makespan::pgas::exit_without_finalize, "status"_a,
             "Ends the process at once if its MPI cannot be ended; else returns.");
  module.def(
      "leave_threads_at_exit", [] { ::on_exit(&leave_threads, nullptr); },
      "Ends the process when the interpreter has ended, with its status and without destructors.");
  module.def(
      "exit_without_finalize_at_exit", [] { ::on_exit(&exit_without_finalize, nullptr); },
      "Does so when the interpreter has ended, with the status that it ends with, of which what "
      "Python calls at its end is told nothing.");
  ::pthread_atfork(nullptr, nullptr, &forget_threads);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&expect_daemons));
}

}  // namespace bindings
