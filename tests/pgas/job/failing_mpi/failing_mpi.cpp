// SPDX-License-Identifier: Apache-2.0
// MPI in which one call fails: functions of MPI's profiling interface, put before the real ones. A
// program that links makespan_failing_mpi runs as always, unless the environment says otherwise:
//
//   MAKESPAN_TEST_FAIL_MPI_CALL=7            the 7th call of MPI only returns an error
//   MAKESPAN_TEST_FAIL_MPI_FUNCTION=MPI_Put  counting those of this function alone
//   MAKESPAN_TEST_FAIL_IMAGE=1               on this image (0 if not given)
//
// It says so on stderr when it happens. All functions that our sources call are here, and
// check_wrapped.cmake holds them to it; but not MPI_Abort, which is how a failure ends.
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

std::optional<long> number_in(char const* name) {
  char const* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  long number = 0;
  std::string_view const digits(text);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// What the environment wants, on this image.
struct Wish {
  Wish() {
    auto const launch =
        makespan::pgas::detect_launch([](char const* name) { return std::getenv(name); });
    long const image = number_in("MAKESPAN_TEST_FAIL_IMAGE").value_or(0);
    if (launch.image.value_or(0) != image) return;
    call = number_in("MAKESPAN_TEST_FAIL_MPI_CALL").value_or(0);
    if (char const* const name = std::getenv("MAKESPAN_TEST_FAIL_MPI_FUNCTION")) function = name;
  }

  long call{0};  // counts from 1; 0: none
  std::string_view function;
};

bool fails(std::string_view function) {
  static Wish const wish;
  static std::atomic<long> calls{0};
  if (wish.call == 0) return false;
  if (!wish.function.empty() && wish.function != function) return false;
  if (++calls != wish.call) return false;
  std::fprintf(stderr, "made to fail: %.*s\n", static_cast<int>(function.size()), function.data());
  return true;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): the names are MPI's
#define FAILING(Name, parameters, arguments)                  \
  extern "C" int Name parameters {                            \
    return fails(#Name) ? MPI_ERR_INTERN : P##Name arguments; \
  }

FAILING(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided),
        (argc, argv, required, provided))
FAILING(MPI_Initialized, (int* flag), (flag))
FAILING(MPI_Finalized, (int* flag), (flag))
FAILING(MPI_Finalize, (), ())
FAILING(MPI_Query_thread, (int* provided), (provided))
FAILING(MPI_Get_library_version, (char* version, int* length), (version, length))
FAILING(MPI_Error_class, (int code, int* error_class), (code, error_class))
FAILING(MPI_Error_string, (int code, char* text, int* length), (code, text, length))

FAILING(MPI_Comm_rank, (MPI_Comm comm, int* rank), (comm, rank))
FAILING(MPI_Comm_size, (MPI_Comm comm, int* size), (comm, size))
FAILING(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
FAILING(MPI_Comm_idup, (MPI_Comm comm, MPI_Comm* copy, MPI_Request* request), (comm, copy, request))
FAILING(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part),
        (comm, color, key, part))
FAILING(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part),
        (comm, type, key, info, part))
FAILING(MPI_Comm_free, (MPI_Comm * comm), (comm))
FAILING(MPI_Comm_get_attr, (MPI_Comm comm, int key, void* value, int* flag),
        (comm, key, value, flag))
FAILING(MPI_Comm_group, (MPI_Comm comm, MPI_Group* group), (comm, group))
FAILING(MPI_Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
FAILING(MPI_Group_size, (MPI_Group group, int* size), (group, size))
FAILING(MPI_Group_translate_ranks,
        (MPI_Group from, int n, int const ranks[], MPI_Group to, int there[]),
        (from, n, ranks, to, there))
FAILING(MPI_Group_free, (MPI_Group * group), (group))
FAILING(MPI_Info_create, (MPI_Info * info), (info))
FAILING(MPI_Info_set, (MPI_Info info, char const* key, char const* value), (info, key, value))
FAILING(MPI_Info_free, (MPI_Info * info), (info))

FAILING(MPI_Isend,
        (void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
         MPI_Request* request),
        (data, count, type, to, tag, comm, request))
FAILING(MPI_Irecv,
        (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Request* request),
        (data, count, type, from, tag, comm, request))
FAILING(MPI_Recv,
        (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Status* status),
        (data, count, type, from, tag, comm, status))
FAILING(MPI_Iprobe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
        (from, tag, comm, flag, status))
FAILING(MPI_Improbe,
        (int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
        (from, tag, comm, flag, message, status))
FAILING(MPI_Mrecv,
        (void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
        (data, count, type, message, status))
FAILING(MPI_Imrecv,
        (void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
        (data, count, type, message, request))
FAILING(MPI_Get_count, (MPI_Status const* status, MPI_Datatype type, int* count),
        (status, type, count))
FAILING(MPI_Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
FAILING(MPI_Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
        (count, requests, index, flag, status))
FAILING(MPI_Testsome,
        (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
        (count, requests, done, indices, statuses))
FAILING(MPI_Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
        (count, requests, flag, statuses))
FAILING(MPI_Wait, (MPI_Request * request, MPI_Status* status), (request, status))
FAILING(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]),
        (count, requests, statuses))
FAILING(MPI_Cancel, (MPI_Request * request), (request))
FAILING(MPI_Request_free, (MPI_Request * request), (request))

FAILING(MPI_Barrier, (MPI_Comm comm), (comm))
FAILING(MPI_Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (data, count, type, root, comm))
FAILING(MPI_Allreduce,
        (void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (in, out, count, type, op, comm))
FAILING(MPI_Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
FAILING(MPI_Ibcast,
        (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),
        (data, count, type, root, comm, request))
FAILING(MPI_Ireduce,
        (void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
         MPI_Comm comm, MPI_Request* request),
        (in, out, count, type, op, root, comm, request))
FAILING(MPI_Iallreduce,
        (void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request* request),
        (in, out, count, type, op, comm, request))
FAILING(MPI_Iscan,
        (void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request* request),
        (in, out, count, type, op, comm, request))
FAILING(MPI_Igather,
        (void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
         MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request* request),
        (in, in_count, in_type, out, out_count, out_type, root, comm, request))
FAILING(MPI_Iallgather,
        (void const* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
         MPI_Datatype out_type, MPI_Comm comm, MPI_Request* request),
        (in, in_count, in_type, out, out_count, out_type, comm, request))

FAILING(MPI_Win_allocate,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
        (size, unit, info, comm, base, window))
FAILING(MPI_Win_allocate_shared,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
        (size, unit, info, comm, base, window))
FAILING(MPI_Win_shared_query, (MPI_Win window, int rank, MPI_Aint* size, int* unit, void* base),
        (window, rank, size, unit, base))
FAILING(MPI_Win_set_errhandler, (MPI_Win window, MPI_Errhandler handler), (window, handler))
FAILING(MPI_Win_get_attr, (MPI_Win window, int key, void* value, int* flag),
        (window, key, value, flag))
FAILING(MPI_Win_free, (MPI_Win * window), (window))
FAILING(MPI_Win_lock_all, (int check, MPI_Win window), (check, window))
FAILING(MPI_Win_unlock_all, (MPI_Win window), (window))
FAILING(MPI_Win_sync, (MPI_Win window), (window))
FAILING(MPI_Win_flush, (int rank, MPI_Win window), (rank, window))
FAILING(MPI_Win_flush_all, (MPI_Win window), (window))
FAILING(MPI_Win_flush_local, (int rank, MPI_Win window), (rank, window))
FAILING(MPI_Win_flush_local_all, (MPI_Win window), (window))
FAILING(MPI_Put,
        (void const* data, int count, MPI_Datatype type, int to, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Win window),
        (data, count, type, to, at, count_there, type_there, window))
FAILING(MPI_Get,
        (void* data, int count, MPI_Datatype type, int from, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Win window),
        (data, count, type, from, at, count_there, type_there, window))
FAILING(MPI_Rput,
        (void const* data, int count, MPI_Datatype type, int to, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Win window, MPI_Request* request),
        (data, count, type, to, at, count_there, type_there, window, request))
FAILING(MPI_Rget,
        (void* data, int count, MPI_Datatype type, int from, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Win window, MPI_Request* request),
        (data, count, type, from, at, count_there, type_there, window, request))
FAILING(MPI_Accumulate,
        (void const* data, int count, MPI_Datatype type, int to, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Op op, MPI_Win window),
        (data, count, type, to, at, count_there, type_there, op, window))
FAILING(MPI_Raccumulate,
        (void const* data, int count, MPI_Datatype type, int to, MPI_Aint at, int count_there,
         MPI_Datatype type_there, MPI_Op op, MPI_Win window, MPI_Request* request),
        (data, count, type, to, at, count_there, type_there, op, window, request))
FAILING(MPI_Get_accumulate,
        (void const* data, int count, MPI_Datatype type, void* old, int old_count,
         MPI_Datatype old_type, int to, MPI_Aint at, int count_there, MPI_Datatype type_there,
         MPI_Op op, MPI_Win window),
        (data, count, type, old, old_count, old_type, to, at, count_there, type_there, op, window))
FAILING(MPI_Rget_accumulate,
        (void const* data, int count, MPI_Datatype type, void* old, int old_count,
         MPI_Datatype old_type, int to, MPI_Aint at, int count_there, MPI_Datatype type_there,
         MPI_Op op, MPI_Win window, MPI_Request* request),
        (data, count, type, old, old_count, old_type, to, at, count_there, type_there, op, window,
         request))
FAILING(MPI_Fetch_and_op,
        (void const* data, void* old, MPI_Datatype type, int to, MPI_Aint at, MPI_Op op,
         MPI_Win window),
        (data, old, type, to, at, op, window))
FAILING(MPI_Compare_and_swap,
        (void const* data, void const* compare, void* old, MPI_Datatype type, int to, MPI_Aint at,
         MPI_Win window),
        (data, compare, old, type, to, at, window))

#if MAKESPAN_MPI_ULFM
FAILING(MPIX_Comm_shrink, (MPI_Comm comm, MPI_Comm* rest), (comm, rest))
FAILING(MPIX_Comm_revoke, (MPI_Comm comm), (comm))
FAILING(MPIX_Comm_iagree, (MPI_Comm comm, int* flag, MPI_Request* request), (comm, flag, request))
FAILING(MPIX_Comm_failure_ack, (MPI_Comm comm), (comm))
FAILING(MPIX_Comm_failure_get_acked, (MPI_Comm comm, MPI_Group* group), (comm, group))
#endif
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
