// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bare MPI: a message there and back, and fetch-and-add on a window.

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "contestant.hpp"

namespace makespan::bench {

constexpr int ping_tag = first_free_tag;

// Eight bytes there and back, both images polling inside MPI.
inline Figures mpi_ping_pong_block(MpiSession const& session, int operations) {
  std::int64_t word = 0;
  auto const send = [&] {
    check_mpi(MPI_Send(&word, 1, MPI_INT64_T, session.other(), ping_tag, MPI_COMM_WORLD),
              "MPI_Send");
  };
  auto const receive = [&] {
    check_mpi(MPI_Recv(&word, 1, MPI_INT64_T, session.other(), ping_tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
  };
  double const begin_s = now_s();
  for (int operation = 0; operation < operations; ++operation) {
    if (session.is_active()) send();
    receive();
    if (!session.is_active()) send();
  }
  return {{"seconds", (now_s() - begin_s) / operations}};
}

// A window on a few words of the passive image, locked once for all.
class MpiWindow {
 public:
  MpiWindow() {
    check_mpi(MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&words_),
                               &window_),
              "MPI_Win_allocate");
    for (MPI_Aint word = 0; word < bytes / 8; ++word) words_[word] = 0;
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  }
  MpiWindow(MpiWindow const&) = delete;
  MpiWindow& operator=(MpiWindow const&) = delete;
  // Collective; while an exception unwinds, the other image does not come.
  ~MpiWindow() {
    if (std::uncaught_exceptions() > 0) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  // The old value of word 0 of image 0.
  std::int64_t fetch_add() const {
    std::int64_t const one = 1;
    std::int64_t old = 0;
    check_mpi(MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, 0, MPI_SUM, window_),
              "MPI_Fetch_and_op");
    check_mpi(MPI_Win_flush(0, window_), "MPI_Win_flush");
    return old;
  }
  // Visible in image 0.
  void put() const {
    std::int64_t const value = 1;
    check_mpi(MPI_Put(&value, 1, MPI_INT64_T, 0, 8, 1, MPI_INT64_T, window_), "MPI_Put");
    check_mpi(MPI_Win_flush(0, window_), "MPI_Win_flush");
  }

 private:
  static constexpr MPI_Aint bytes = 4096;
  MPI_Win window_{MPI_WIN_NULL};
  std::int64_t* words_{};
};

// Seconds for each operation, while the passive image waits inside MPI: the best case of RMA, since
// MPI_Recv makes progress.
template <class Operate>
Figures mpi_rma_block(MpiSession const& session, int operations, Operate const& operate) {
  if (!session.is_active()) {
    session.receive_end();
    return {};
  }
  double const seconds = seconds_of_each(operations, operate);
  session.send_end();
  return {{"seconds", seconds}};
}

inline void add_raw_mpi(std::vector<Contestant>& contestants, MpiSession const& session,
                        MpiWindow const& window, int operations) {
  contestants.push_back(
      {"mpi.ping_pong", [=, &session] { return mpi_ping_pong_block(session, operations); }});
  contestants.push_back({"mpi.fetch_add", [=, &session, &window] {
                           return mpi_rma_block(session, operations, [&] { window.fetch_add(); });
                         }});
  contestants.push_back({"mpi.put_flush", [=, &session, &window] {
                           return mpi_rma_block(session, operations, [&] { window.put(); });
                         }});
}

}  // namespace makespan::bench
