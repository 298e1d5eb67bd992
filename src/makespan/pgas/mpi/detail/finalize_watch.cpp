// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/detail/finalize_watch.hpp"

#include <chrono>
#include <string>

#include "makespan/pgas/job/run_job.hpp"

namespace makespan::pgas {

FinalizeWatch::FinalizeWatch(Seconds limit, std::string_view what)
    : thread_([this, limit, what](std::stop_token const& over) {
        // The condition variable wants it; it guards nothing.
        std::unique_lock lock(mutex_);
        // Second by second: the time in which the process was stopped does not count.
        for (Seconds passed; passed < limit; passed += Seconds{1.0}) {
          never_.wait_for(lock, over, std::chrono::seconds(1), [] { return false; });
          if (over.stop_requested()) return;
        }
        end_process(std::string(what) + " has not come back for " +
                    std::to_string(static_cast<int>(limit.value())) +
                    " s, though all is done: this image ends without it");
      }) {
}

}  // namespace makespan::pgas
