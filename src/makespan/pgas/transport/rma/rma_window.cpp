// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/exchanged_value.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"
#include "makespan/pgas/mpi/mpi_library.hpp"
#include "makespan/pgas/transport/am/am_buffer.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_window.hpp"

namespace makespan::pgas {

namespace {

constexpr std::size_t page = 4096;

// Behind the heap, for a word, wherever the heap ends.
constexpr std::size_t spare_bytes = 16;

// `call` has failed in a way that says what this MPI is, not what the program did.
[[noreturn]] void refuse(MpiJob const& job, std::string const& why) {
  throw InputError("transport rma",
                   job.launcher() + " has no working windows between these hosts: " + why,
                   "choose the transport am, or use MPICH 4, or Open MPI 5 with "
                   "OMPI_MCA_osc_rdma_acc_use_amo=0 in the environment");
}

void expect_success(MpiJob const& job, int code, std::string_view call) {
  try {
    check_mpi(code, call, job.image());
  } catch (MpiError const& error) {
    refuse(job, error.what());
  }
}

}  // namespace

RmaWindow::RmaWindow(MpiJob& job, std::int64_t bytes, RmaOptions const& options)
    : job_{job}, communicator_{job.duplicate_all()} {
  MAKESPAN_EXPECT(bytes > 0);
  allocate_all(bytes);
  tell_beginnings_all();
  probe_all(options.probe_limit);
}

RmaWindow::~RmaWindow() {
  if (window_ != MPI_WIN_NULL) static_cast<void>(communicator_.release());
}

// Failures are not agreed upon here: where MPI cannot do it all images find out, and where one call
// of one image fails the others are in the middle of it.
void RmaWindow::allocate_all(std::int64_t bytes) {
  if (!can_have_windows(job_.launcher())) refuse(job_, "it is older than Open MPI 5");
  void* memory = nullptr;
  // MPI gives memory at any address, and the heap is to begin at a page.
  std::size_t const room = checked_cast<std::size_t>(bytes) + page + spare_bytes;
  expect_success(job_,
                 MPI_Win_allocate(static_cast<MPI_Aint>(room), 1, MPI_INFO_NULL,
                                  communicator_.get(), static_cast<void*>(&memory), &window_),
                 "MPI_Win_allocate");
  expect_success(job_, MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN),
                 "MPI_Win_set_errhandler");
  std::memset(memory, 0, room);
  all_ = {static_cast<std::byte*>(memory), room};
  std::size_t left = room;
  void* const begin = std::align(page, checked_cast<std::size_t>(bytes), memory, left);
  MAKESPAN_ASSERT(begin != nullptr);
  heap_ = {static_cast<std::byte*>(begin), checked_cast<std::size_t>(bytes)};
  expect_success(job_, MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  // What was zeroed by plain stores is there for operations of MPI.
  expect_success(job_, MPI_Win_sync(window_), "MPI_Win_sync");
}

// After it, all images have zeroed their memory and opened the window.
void RmaWindow::tell_beginnings_all() {
  MPI_Aint const mine = heap_.data() - all_.data();
  std::array<std::byte, sizeof mine> bytes{};
  std::memcpy(bytes.data(), &mine, sizeof mine);
  for (auto const& told : job_.exchange_all(bytes)) {
    ImageId const from{std::ssize(heap_begins_)};
    auto const begin = exchanged_value<MPI_Aint>(told, from, "where its heap begins");
    if (begin < 0 || begin > static_cast<MPI_Aint>(page)) {
      throw BadMessage(from, "its heap begins at " + std::to_string(begin) + " of its window, " +
                                 std::to_string(page) + " at most");
    }
    heap_begins_.push_back(begin);
  }
}

void RmaWindow::probe_all(Seconds limit) {
  std::string const why = probe_next(limit);
  auto const text = std::as_bytes(std::span(why));
  for (auto const& reason : job_.exchange_all(text)) {
    if (reason.empty()) continue;
    std::string shown(reason.size(), '\0');
    std::memcpy(shown.data(), reason.data(), reason.size());
    refuse(job_, shown);
  }
}

// Operates on a word of the next image that no other image uses. Returns what is wrong, or nothing.
// Each kind of operation is tried: Open MPI 5.0.11 over TCP gets those on bits wrong.
std::string RmaWindow::probe_next(Seconds limit) {
  struct Step {
    char const* name;
    MPI_Op op;
    std::uint64_t operand;
    std::uint64_t old;
  };
  std::array<Step, 6> const steps{{{"MPI_SUM", MPI_SUM, 0xff00, 0},
                                   {"MPI_BAND", MPI_BAND, 0x0ff0, 0xff00},
                                   {"MPI_BOR", MPI_BOR, 0x000f, 0x0f00},
                                   {"MPI_BXOR", MPI_BXOR, 0x00ff, 0x0f0f},
                                   {"MPI_NO_OP", MPI_NO_OP, 1, 0x0ff0},
                                   {"MPI_REPLACE", MPI_REPLACE, 0, 0x0ff0}}};
  std::string step_before = "the start";
  for (Step const& step : steps) {
    Trial const trial = try_next(step.op, step.operand, limit);
    if (!trial.why.empty()) return std::string(step.name) + ": " + trial.why;
    if (trial.old != step.old) return "a wrong value after " + step_before;
    step_before = step.name;
  }
  return {};
}

RmaWindow::Trial RmaWindow::try_next(MPI_Op op, std::uint64_t operand, Seconds limit) {
  auto const images = static_cast<std::size_t>(job_.images());
  std::size_t const next = (static_cast<std::size_t>(job_.image().value()) + 1) % images;
  // MPI may go on using these after we have given up.
  auto words = std::make_unique<std::array<std::uint64_t, 2>>();
  (*words)[0] = operand;
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Rget_accumulate(&(*words)[0], 1, MPI_UINT64_T, &(*words)[1], 1, MPI_UINT64_T,
                                 static_cast<int>(next), displacement_of_spare(next), 1,
                                 MPI_UINT64_T, op, window_, &request);
  auto const begin = std::chrono::steady_clock::now();
  int is_done = 0;
  while (code == MPI_SUCCESS && is_done == 0) {
    code = MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - begin;
    if (is_done != 0 || Seconds{waited.count()} < limit) continue;
    leak(std::move(words));
    return {.why = "not done within " + std::to_string(limit.value()) + " s"};
  }
  try {
    check_mpi(code, "MPI_Rget_accumulate", job_.image());
  } catch (std::exception const& error) {
    return {.why = error.what()};
  }
  return {.old = (*words)[1]};
}

// No image sends messages over the window's communicator.
void RmaWindow::kick() {
  int is_there = 0;
  int const code =
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_.get(), &is_there, MPI_STATUS_IGNORE);
  if (is_process_failure(code)) {
    // From any source it fails for as long as there are failures that were not acknowledged. The
    // job hears of them by itself.
    static_cast<void>(failed_ranks(communicator_.get()));
    return;
  }
  check_mpi(code, "MPI_Iprobe", job_.image());
}

void RmaWindow::close_all() {
  if (window_ == MPI_WIN_NULL) return;
  ImageId const self = job_.image();
  check_mpi(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all", self);
  check_mpi(MPI_Win_free(&window_), "MPI_Win_free", self);
  communicator_.reset();
  heap_ = {};
  all_ = {};
}

}  // namespace makespan::pgas
