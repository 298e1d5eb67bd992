// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/linked/compiled_mpi.hpp"

#include <unistd.h>

#include <cstdlib>

#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"
#include "makespan/pgas/mpi/mpi_library.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"
#include "makespan/pgas/transport/am/am_transport.hpp"
#include "makespan/pgas/transport/rma/rma_transport.hpp"

namespace makespan::pgas {

namespace {

class CompiledHold final : public MpiHold {
 public:
  CompiledHold(Launch const& launch, JobOptions const& options)
      : process_{launch},
        finalize_limit_{options.finalize_limit},
        is_on_one_node_{launch.size.has_value() && launch.node_size == launch.size} {}

  // Others come here when their program ends, which may be much later: only then does the limit
  // of MPI_Finalize begin.
  void finish_all() override {
    bool const can_finalize = !MpiProcess::was_left_running() &&
                              (is_on_one_node_ || can_finalize_between_hosts(mpi_library_name()));
    if (can_finalize) process_.await_others_all();
    process_.finish_all(can_finalize, finalize_limit_);
  }

 private:
  MpiProcess process_;
  Seconds finalize_limit_;
  bool is_on_one_node_;
};

class CompiledMpi final : public MpiBackend {
 public:
  [[nodiscard]] std::string library_name() const override { return mpi_library_name(); }
  [[nodiscard]] bool is_running() const override { return MpiProcess::is_running(); }

  [[nodiscard]] std::unique_ptr<Job> open_job_all(Launch const& launch,
                                                  JobOptions const& options) override {
    return std::make_unique<MpiJob>(launch, options);
  }
  [[nodiscard]] std::unique_ptr<MpiHold> hold(Launch const& launch,
                                              JobOptions const& options) override {
    return std::make_unique<CompiledHold>(launch, options);
  }

  [[nodiscard]] std::unique_ptr<Transport> make_am_all(Job& job,
                                                       std::int64_t message_bytes_max) override {
    return std::make_unique<AmTransport>(dynamic_cast<MpiJob&>(job),
                                         AmOptions{.message_bytes_max = message_bytes_max});
  }
  [[nodiscard]] std::unique_ptr<Transport> make_rma_all(Job& job, std::int64_t heap_bytes,
                                                        std::int64_t message_bytes_max) override {
    return std::make_unique<RmaTransport>(
        dynamic_cast<MpiJob&>(job), heap_bytes,
        RmaOptions{.messages = {.message_bytes_max = message_bytes_max}});
  }

  void abort_job() noexcept override {
    // MPI_Abort would end those that go on without this image.
    if (!runs_for_certain() || MpiProcess::was_given_up()) return;
    static_cast<void>(MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE));
    ::_exit(EXIT_FAILURE);  // where MPI_Abort came back: it could not
  }
  [[nodiscard]] bool was_left_running() const override { return MpiProcess::was_left_running(); }
  [[nodiscard]] std::string loss() const override { return MpiProcess::loss(); }

 private:
  static bool runs_for_certain() noexcept {
    try {
      return MpiProcess::is_running();
    } catch (...) {
      return false;
    }
  }
};

}  // namespace

MpiBackend& compiled_mpi() noexcept {
  static CompiledMpi only;
  return only;
}

}  // namespace makespan::pgas
