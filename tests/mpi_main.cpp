// SPDX-License-Identifier: Apache-2.0
// The main() of test programs that run as several images (RANKS in makespan_add_test). Each image
// runs all tests; after each, they agree on how it went, so that a test has failed if it failed
// anywhere. Image 0 prints as GoogleTest does, the others only what failed on them. An image whose
// test failed while the others are still in it, waiting for something that will not come, ends the
// job.
//
// Calls are PMPI_…, so that tests which make the n-th MPI call fail do not count them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "unreceived_sends.hpp"
#ifdef MAKESPAN_HAVE_MPI
#include <mpi.h>

#include "makespan/pgas/job/detail/pmi_finalize.hpp"
#endif

namespace {

#ifdef MAKESPAN_HAVE_MPI

// How long the others have to end a test after it failed here. They are in the middle of the same
// few milliseconds of work, but there are more images than cores.
constexpr std::chrono::seconds others_limit{5};

[[noreturn]] void end_job(int image, char const* why) {
  std::fprintf(stderr, "image %d: %s\n", image, why);
  std::fflush(nullptr);
  // So that the launcher can still pass it on.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);  // in case MPI_Abort comes back
}

// All images, as the tests' own work does not see them.
class Images {
 public:
  Images() {
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &communicator_) != MPI_SUCCESS) end_job(0, "no communicator");
    PMPI_Comm_rank(communicator_, &image_);
    PMPI_Comm_size(communicator_, &size_);
  }

  [[nodiscard]] int image() const { return image_; }
  [[nodiscard]] int size() const { return size_; }

  // Collective. By image, whether it failed.
  [[nodiscard]] std::vector<int> agree(bool failed) const {
    auto const begin = std::chrono::steady_clock::now();
    int const mine = failed ? 1 : 0;
    std::vector<int> all(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, communicator_, &request);
    for (int is_done = 0;;) {
      if (PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        end_job(image_, "images cannot agree on how a test went");
      }
      if (is_done != 0) return all;
      if (failed && std::chrono::steady_clock::now() - begin > others_limit) {
        end_job(image_, "the others are still in a test that has failed here: ending the job");
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

 private:
  MPI_Comm communicator_{MPI_COMM_NULL};
  int image_{};
  int size_{};
};

// Asked first at the end of a test, being last in the list: what it adds counts.
class Agreement final : public testing::EmptyTestEventListener {
 public:
  explicit Agreement(Images const& images) : images_{images} {}

  void OnTestStart(testing::TestInfo const& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }

  // GoogleTest holds its lock here: it cannot be asked anything.
  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (images_.image() == 0 || !result.failed()) return;
    std::fprintf(stderr, "image %d of %d: %s\n%s:%d: %s\n", images_.image(), images_.size(),
                 test_.c_str(), result.file_name() == nullptr ? "?" : result.file_name(),
                 result.line_number(), result.message());
    std::fflush(stderr);
  }

  void OnTestEnd(testing::TestInfo const& test) override {
    auto const failed = images_.agree(test.result()->Failed());
    for (std::size_t image = 0; image < failed.size(); ++image) {
      if (failed[image] != 0 && static_cast<int>(image) != images_.image() &&
          images_.image() == 0) {
        ADD_FAILURE() << "failed on image " << image;
      }
    }
  }

 private:
  Images const& images_;
  std::string test_{"outside of tests"};
};

int run_as_image() {
  Images const images;
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (images.image() != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new Agreement(images));  // GoogleTest owns it
  return RUN_ALL_TESTS();
}

// MPICH before 4.2 can hang in MPI_Finalize between hosts (makespan/pgas/mpi/mpi_library.hpp).
bool can_finalize([[maybe_unused]] int size) {
#if defined(MPICH_NUMVERSION)
  if (makespan::has_unreceived_sends) return false;
#endif
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
  MPI_Comm node = MPI_COMM_NULL;
  int node_size = 0;
  if (PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) !=
      MPI_SUCCESS) {
    return false;
  }
  PMPI_Comm_size(node, &node_size);
  PMPI_Comm_free(&node);
  return node_size == size;
#else
  return true;
#endif
}

// The tests' main begins MPI, since a process can do so only once and each test opens jobs of its
// own.
int run_launched(makespan::pgas::Launch const& launch) {
  int level = MPI_THREAD_SINGLE;
  int size = 0;
  // As MpiProcess does.
  static_cast<void>(::setenv("MPIR_CVAR_SHM_SYMHEAP_RETRY", "0", 0));
  if (PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return 1;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (launch.size.value_or(size) != size) end_job(0, "launched by the mpiexec of another MPI");
  int const result = run_as_image();
  if (can_finalize(size)) {
    PMPI_Finalize();
  } else {
    PMPI_Barrier(MPI_COMM_WORLD);
    makespan::pgas::pmi_finalize(std::getenv("PMI_FD"), std::chrono::seconds(2));
  }
  return result;
}

#else

int run_launched(makespan::pgas::Launch const& launch) {
  std::fprintf(stderr, "launched by %s, but built without MPI\n", launch.launcher.c_str());
  return EXIT_FAILURE;
}

#endif

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  makespan::set_contract_handler(makespan::throw_on_violation);
  // Worlds of objects measure nothing, but where a test asks for it.
  ::setenv("MAKESPAN_MACHINE", "none", 0);
  auto const launch =
      makespan::pgas::detect_launch([](char const* name) { return std::getenv(name); });
  if (launch.is_launched() && !testing::GTEST_FLAG(list_tests)) return run_launched(launch);
  return RUN_ALL_TESTS();
}
