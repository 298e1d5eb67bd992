// SPDX-License-Identifier: Apache-2.0
#pragma once
// MPI for the length of a bench, and how the two images of a bench find each other.

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "clock.hpp"

namespace makespan::bench {

inline void check_mpi(int code, char const* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw std::runtime_error{std::string(call) + ": " +
                           text.substr(0, static_cast<std::size_t>(length))};
}

// Tags of our own messages; contestants take theirs from first_free_tag on.
constexpr int end_tag = 1;
constexpr int exchange_tag = 2;
constexpr int first_free_tag = 16;

class MpiSession {
 public:
  MpiSession(int* argc, char*** argv) {
    int level = MPI_THREAD_SINGLE;
    check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
    if (level < MPI_THREAD_MULTIPLE) throw std::runtime_error{"MPI is not for several threads"};
    check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
              "MPI_Comm_set_errhandler");
    int images = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &images), "MPI_Comm_size");
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    if (images != 2) throw std::runtime_error{"a bench of the runtime has two images"};
  }
  MpiSession(MpiSession const&) = delete;
  MpiSession& operator=(MpiSession const&) = delete;
  ~MpiSession() = default;

  // The image that measures.
  [[nodiscard]] bool is_active() const { return rank_ == 1; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int other() const { return 1 - rank_; }

  void barrier() const { check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

  // Both images' bytes change places.
  [[nodiscard]] std::vector<std::byte> exchange(void const* mine, std::size_t bytes) const {
    int const count = static_cast<int>(bytes);
    int count_there = 0;
    check_mpi(MPI_Sendrecv(&count, 1, MPI_INT, other(), exchange_tag, &count_there, 1, MPI_INT,
                           other(), exchange_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    std::vector<std::byte> theirs(static_cast<std::size_t>(count_there));
    check_mpi(MPI_Sendrecv(mine, count, MPI_BYTE, other(), exchange_tag, theirs.data(), count_there,
                           MPI_BYTE, other(), exchange_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    return theirs;
  }
  // What the other image holds of a value.
  template <class Value>
  [[nodiscard]] Value exchanged(Value const& mine) const {
    Value theirs{};
    auto const bytes = exchange(&mine, sizeof mine);
    std::memcpy(&theirs, bytes.data(), sizeof theirs);
    return theirs;
  }

  // The active image tells that its block is over, and what else the passive one waits for.
  void send_end() const {
    check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, other(), end_tag, MPI_COMM_WORLD), "MPI_Send");
  }
  [[nodiscard]] bool has_end() const {
    int flag = 0;
    check_mpi(MPI_Iprobe(other(), end_tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (flag != 0) receive_end();
    return flag != 0;
  }
  // Waits as a computing program would not: inside MPI, polling it.
  void receive_end() const {
    check_mpi(MPI_Recv(nullptr, 0, MPI_BYTE, other(), end_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "MPI_Recv");
  }
  // Waits without taking the core away from others.
  void sleep_until_end() const {
    while (!has_end()) nap_us(200);
  }

  // Ends MPI. MPICH before 4.2 can hang in MPI_Finalize between hosts, since a rank that is done
  // there no longer serves the others (github.com/pmodels/mpich/pull/6596); its mpiexec takes a
  // rank that just ends for a good one.
  void finish() const {
    barrier();
#if !defined(MPICH_NUMVERSION) || MPICH_NUMVERSION >= 40200000
    check_mpi(MPI_Finalize(), "MPI_Finalize");
#endif
  }

 private:
  int rank_{};
};

// main() of a bench: an error of one image ends both.
inline int run_bench(int argc, char** argv, std::function<void(MpiSession const&)> const& body) {
  try {
    MpiSession const session(&argc, &argv);
    body(session);
    session.finish();
    return EXIT_SUCCESS;
  } catch (std::exception const& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    int running = 0;
    MPI_Initialized(&running);
    if (running != 0) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    return EXIT_FAILURE;
  }
}

// As above, for a body that takes the command line too.
inline int run_bench(int argc, char** argv,
                     std::function<void(MpiSession const&, Arguments const&)> const& measure) {
  return run_bench(argc, argv,
                   [&](MpiSession const& session) { measure(session, Arguments(argc, argv)); });
}

}  // namespace makespan::bench
