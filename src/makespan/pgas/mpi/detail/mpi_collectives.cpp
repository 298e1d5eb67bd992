// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/detail/mpi_collectives.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/job/element.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/mpi/detail/mpi_group.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"

namespace makespan::pgas {

namespace {

class MpiOperation final : public CollectiveOperation {
 public:
  MpiOperation(MpiCollectives const& team, std::string_view call) : team_{team}, call_{call} {}
  ~MpiOperation() override { give_up(); }

  [[nodiscard]] bool test() override {
    if (request_ == MPI_REQUEST_NULL) return true;
    int is_done = 0;
    team_.check(MPI_Test(&request_, &is_done, MPI_STATUS_IGNORE), call_);
    return is_done != 0;
  }

  [[nodiscard]] MPI_Request* request() { return &request_; }

 private:
  // A request of a collective can be neither cancelled nor freed before it is done. It is once its
  // communicator is revoked, and that is what is wanted: codes tell nothing here. Without fault
  // tolerance nothing ends it but the other members, who are mostly on their way when it was a call
  // here that failed: they get a moment, for until then MPI may write to its spans.
  void give_up() noexcept {
    if (request_ == MPI_REQUEST_NULL) return;
    std::chrono::milliseconds limit{250};
#if MAKESPAN_MPI_ULFM
    if (mpi_outlives_failures()) {
      static_cast<void>(MPIX_Comm_revoke(team_.communicator()));
      limit = std::chrono::seconds{1};
    }
#endif
    auto const begin = std::chrono::steady_clock::now();
    int is_done = 0;
    while (request_ != MPI_REQUEST_NULL && is_done == 0 &&
           std::chrono::steady_clock::now() - begin < limit) {
      static_cast<void>(MPI_Test(&request_, &is_done, MPI_STATUS_IGNORE));
    }
  }

  MpiCollectives const& team_;
  std::string_view call_;
  MPI_Request request_{MPI_REQUEST_NULL};
};

// Begins an operation: `start` calls the MPI function `call` with the request it is given.
template <class Start>
Collectives::Operation begin(MpiCollectives const& team, std::string_view call, Start start) {
  // Where it stays: MPI has a pointer to its request from here on.
  auto operation = std::make_unique<MpiOperation>(team, call);
  team.check(start(operation->request()), call);
  return operation;
}

int mpi_count(std::size_t bytes, std::size_t bytes_each) {
  std::size_t const count = bytes / bytes_each;
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InputError("a collective of " + std::to_string(count) + " elements",
                     "MPI counts up to 2147483647", "do it in parts");
  }
  return static_cast<int>(count);
}

MPI_Datatype mpi_type(ElementType type) {
  switch (type) {
    case ElementType::int32:
      return MPI_INT32_T;
    case ElementType::uint32:
      return MPI_UINT32_T;
    case ElementType::int64:
      return MPI_INT64_T;
    case ElementType::uint64:
      return MPI_UINT64_T;
    case ElementType::float32:
      return MPI_FLOAT;
    case ElementType::float64:
      return MPI_DOUBLE;
    case ElementType::byte:
      return MPI_UINT8_T;  // MPI_BYTE cannot be added
  }
  MAKESPAN_ASSERT(false);
  return MPI_DATATYPE_NULL;
}

MPI_Op mpi_op(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return MPI_SUM;
    case ReduceOp::product:
      return MPI_PROD;
    case ReduceOp::min:
      return MPI_MIN;
    case ReduceOp::max:
      return MPI_MAX;
    case ReduceOp::bit_and:
      return MPI_BAND;
    case ReduceOp::bit_or:
      return MPI_BOR;
    case ReduceOp::bit_xor:
      return MPI_BXOR;
  }
  MAKESPAN_ASSERT(false);
  return MPI_OP_NULL;
}

// What MPI calls a reduction from a span into the same span.
void const* source_of(std::span<std::byte const> in, std::span<std::byte> out) {
  return !in.empty() && in.data() == out.data() ? MPI_IN_PLACE : in.data();
}

}  // namespace

MpiCollectives::MpiCollectives(MpiCommunicator communicator, std::vector<ImageId> members)
    : communicator_{std::move(communicator)}, members_{std::move(members)} {
  check_mpi(MPI_Comm_rank(communicator_.get(), &rank_), "MPI_Comm_rank", ImageId{});
}

void MpiCollectives::check(int code, std::string_view call) const {
  if (code == MPI_SUCCESS) return;
  ImageId failed;
  if (is_process_failure(code)) {
    auto const ranks = failed_ranks(communicator_.get());
    if (!ranks.empty()) failed = members_[static_cast<std::size_t>(ranks.front())];
  }
  mpi_failed(code, call, self(), failed);
}

Collectives::Operation MpiCollectives::barrier() {
  return begin(*this, "MPI_Ibarrier",
               [this](MPI_Request* request) { return MPI_Ibarrier(communicator_.get(), request); });
}

Collectives::Operation MpiCollectives::broadcast(std::span<std::byte> data, int root) {
  int const count = mpi_count(data.size(), 1);
  return begin(*this, "MPI_Ibcast", [&, this](MPI_Request* request) {
    return MPI_Ibcast(data.data(), count, MPI_BYTE, root, communicator_.get(), request);
  });
}

Collectives::Operation MpiCollectives::reduce(ElementType type, ReduceOp op,
                                              std::span<std::byte const> in,
                                              std::span<std::byte> out, int root) {
  expect_reducible(type, op, in.size());
  bool const is_root = root == rank_;
  MAKESPAN_EXPECT(!is_root || out.size() == in.size());
  // MPI_IN_PLACE is for the root: the others only send (MPI 4.1, 6.9.1).
  void const* const source = is_root ? source_of(in, out) : in.data();
  int const count = mpi_count(in.size(), element_bytes(type));
  return begin(*this, "MPI_Ireduce", [&, this](MPI_Request* request) {
    return MPI_Ireduce(source, out.data(), count, mpi_type(type), mpi_op(op), root,
                       communicator_.get(), request);
  });
}

Collectives::Operation MpiCollectives::all_reduce(ElementType type, ReduceOp op,
                                                  std::span<std::byte const> in,
                                                  std::span<std::byte> out) {
  expect_reducible(type, op, in.size());
  MAKESPAN_EXPECT(out.size() == in.size());
  int const count = mpi_count(in.size(), element_bytes(type));
  return begin(*this, "MPI_Iallreduce", [&, this](MPI_Request* request) {
    return MPI_Iallreduce(source_of(in, out), out.data(), count, mpi_type(type), mpi_op(op),
                          communicator_.get(), request);
  });
}

Collectives::Operation MpiCollectives::inclusive_scan(ElementType type, ReduceOp op,
                                                      std::span<std::byte const> in,
                                                      std::span<std::byte> out) {
  expect_reducible(type, op, in.size());
  MAKESPAN_EXPECT(out.size() == in.size());
  int const count = mpi_count(in.size(), element_bytes(type));
  return begin(*this, "MPI_Iscan", [&, this](MPI_Request* request) {
    return MPI_Iscan(source_of(in, out), out.data(), count, mpi_type(type), mpi_op(op),
                     communicator_.get(), request);
  });
}

Collectives::Operation MpiCollectives::gather(std::span<std::byte const> in,
                                              std::span<std::byte> out, int root) {
  MAKESPAN_EXPECT(root != rank_ || out.size() == in.size() * members_.size());
  int const count = mpi_count(in.size(), 1);
  return begin(*this, "MPI_Igather", [&, this](MPI_Request* request) {
    return MPI_Igather(in.data(), count, MPI_BYTE, out.data(), count, MPI_BYTE, root,
                       communicator_.get(), request);
  });
}

Collectives::Operation MpiCollectives::all_gather(std::span<std::byte const> in,
                                                  std::span<std::byte> out) {
  MAKESPAN_EXPECT(out.size() == in.size() * members_.size());
  int const count = mpi_count(in.size(), 1);
  return begin(*this, "MPI_Iallgather", [&, this](MPI_Request* request) {
    return MPI_Iallgather(in.data(), count, MPI_BYTE, out.data(), count, MPI_BYTE,
                          communicator_.get(), request);
  });
}

std::unique_ptr<Collectives> MpiCollectives::split_all(int color, int key) {
  // MPI has no nonblocking form of it.
  MPI_Comm part = MPI_COMM_NULL;
  // An image of no part takes part in the call, and gets MPI_COMM_NULL.
  check(MPI_Comm_split(communicator_.get(), color < 0 ? MPI_UNDEFINED : color, key, &part),
        "MPI_Comm_split");
  return team_of(part);
}

std::unique_ptr<Collectives> MpiCollectives::split_by_node_all() {
  return node_team_all();
}

std::unique_ptr<MpiCollectives> MpiCollectives::node_team_all() const {
  MPI_Comm part = MPI_COMM_NULL;
  // By rank, so that members are in the order of their images (MpiJob relies on it).
  check(MPI_Comm_split_type(communicator_.get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part),
        "MPI_Comm_split_type");
  return team_of(part);
}

Collectives::Operation MpiCollectives::duplicate(MPI_Comm& copy) const {
  return begin(*this, "MPI_Comm_idup", [&, this](MPI_Request* request) {
    return MPI_Comm_idup(communicator_.get(), &copy, request);
  });
}

#if MAKESPAN_MPI_ULFM

std::unique_ptr<Collectives> MpiCollectives::shrink_all() {
  if (!has_ulfm()) not_configured("an MPI that goes on after the loss of an image (Open MPI 5)");
  if (!mpi_outlives_failures()) {
    throw NotConfigured(
        "this job cannot go on after a loss: it was not launched for that (Open MPI: "
        "mpiexec --with-ft ulfm)");
  }
  // MPI would wait without end for one that is stopped, and is not dead to MPI.
  if (!all_answer()) {
    throw WaitTimeout("image " + std::to_string(self().value()) +
                      ": shrink: a member does not answer, though MPI says that its process is "
                      "there: end that process first");
  }
  // Without failures this is a copy.
  MPI_Comm rest = MPI_COMM_NULL;
  check(MPIX_Comm_shrink(communicator_.get(), &rest), "MPIX_Comm_shrink");
  return team_of(rest);
}

// Whether all that are not dead to MPI come to an agreement soon.
bool MpiCollectives::all_answer() const {
  constexpr std::chrono::seconds limit{5};  // as long as it takes with more images than cores
  // On the heap: MPI writes it when the agreement comes, which may be after this call has given up.
  auto flag = std::make_unique<int>(1);
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPIX_Comm_iagree(communicator_.get(), flag.get(), &request);
  auto const begin = std::chrono::steady_clock::now();
  for (int is_done = 0; code == MPI_SUCCESS && is_done == 0;) {
    if (std::chrono::steady_clock::now() - begin > limit) {
      leak(std::move(flag));  // MPI may still write it
      return false;
    }
    std::this_thread::yield();
    code = MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  }
  // It says so too where some are dead, and all others have agreed.
  if (!is_process_failure(code)) check(code, "MPIX_Comm_iagree");
  return true;
}

#else

std::unique_ptr<Collectives> MpiCollectives::shrink_all() {
  not_configured("an MPI that goes on after the loss of an image (Open MPI 5)");
}

#endif

// Needs no communication: MPI knows which ranks the members of a part have here.
std::unique_ptr<MpiCollectives> MpiCollectives::team_of(MPI_Comm part) const {
  if (part == MPI_COMM_NULL) return nullptr;
  MpiCommunicator owned = own_communicator(part, self());
  MpiGroup ours;
  MpiGroup theirs;
  int size = 0;
  check(MPI_Comm_group(communicator_.get(), ours.out()), "MPI_Comm_group");
  check(MPI_Comm_group(part, theirs.out()), "MPI_Comm_group");
  check(MPI_Group_size(theirs.get(), &size), "MPI_Group_size");
  std::vector<int> ranks_there(static_cast<std::size_t>(size));
  std::vector<int> ranks_here(ranks_there.size());
  std::iota(ranks_there.begin(), ranks_there.end(), 0);
  check(MPI_Group_translate_ranks(theirs.get(), size, ranks_there.data(), ours.get(),
                                  ranks_here.data()),
        "MPI_Group_translate_ranks");
  std::vector<ImageId> members;
  members.reserve(ranks_here.size());
  for (int const rank : ranks_here) members.push_back(members_[static_cast<std::size_t>(rank)]);
  return std::make_unique<MpiCollectives>(std::move(owned), std::move(members));
}

}  // namespace makespan::pgas
