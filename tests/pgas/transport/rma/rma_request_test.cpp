// SPDX-License-Identifier: Apache-2.0
// Goal: an operation one of whose requests has failed has failed, whatever becomes of its other
// request and of other operations; one that was forgotten writes nowhere, and a dead process does
// not end the rounds of progress. Method: MPI_Testsome and MPI_Iprobe, put before the real ones,
// say what a test has written down for them.
#include <gtest/gtest.h>

#include <deque>

#include "../../channel/fake_network.hpp"
#include "makespan/base/image_errors.hpp"
#include "rma_test.hpp"

namespace {

// Of one request that is done: where it stands among those that are tested, and what MPI says.
struct Said {
  int index{};
  int code{};
};

// For the next calls of MPI_Testsome; then MPI itself answers.
std::deque<std::vector<Said>> script;

// For all calls of MPI_Iprobe; then MPI itself answers.
int probe_code = MPI_SUCCESS;

// MPI is made to look after others (RmaWindow::kick) in every 32nd round of a memory.
constexpr int rounds_to_probe = 32;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" int MPI_Iprobe(int from, int tag, MPI_Comm communicator, int* is_there,
                          MPI_Status* status) {
  if (probe_code != MPI_SUCCESS) return probe_code;
  return PMPI_Iprobe(from, tag, communicator, is_there, status);
}

extern "C" int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[],
                            MPI_Status statuses[]) {
  if (script.empty()) return PMPI_Testsome(count, requests, done, indices, statuses);
  auto const round = script.front();
  script.pop_front();
  *done = 0;
  for (Said const& said : round) {
    int const code = PMPI_Wait(&requests[said.index], &statuses[*done]);
    if (code != MPI_SUCCESS) return code;
    indices[*done] = said.index;
    statuses[*done].MPI_ERROR = said.code;
    ++*done;
  }
  return MPI_ERR_IN_STATUS;
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

// This image stands for image 0, whose memory it works on, and reports losses as image 1: what
// fails towards an image itself is no loss.
class RmaRequestTest : public TransportTest {
 protected:
  void TearDown() override {
    probe_code = MPI_SUCCESS;
    memory.reset();
    window.close_all();
    TransportTest::TearDown();
  }

  // Longer than what goes as one request.
  void begin_put(Note& note) {
    ASSERT_EQ(memory->put(ImageId{0}, 0, data, &note), StartOutcome::started);
  }

  RmaWindow window{job, 1 << 16, {}};
  fake::FakeJob reports{ImageId{1}, 2, {}};
  std::unique_ptr<RmaMemory> memory =
      std::make_unique<RmaMemory>(window, reports, RmaOptions{}, LinkThreading::serialized);
  std::vector<std::byte> data = pattern(rma_inline_bytes + 1, 1);
};

TEST_F(RmaRequestTest, Put_has_failed_though_its_other_request_is_well) {
  Note note;
  begin_put(note);
  script = {{{0, MPI_ERR_INTERN}, {1, MPI_SUCCESS}}};

  ASSERT_TRUE(wait_until([&] { return note.has_ended(); }, [&] { memory->poll(); }));

  EXPECT_EQ(note.failed, 1);
  EXPECT_EQ(note.completed, 0);
  EXPECT_FALSE(reports.loss_of(ImageId{0}).empty());
}

TEST_F(RmaRequestTest, Put_has_failed_though_another_fails_later) {
  Note first;
  Note second;
  begin_put(first);
  script = {{{0, MPI_ERR_INTERN}}};
  memory->poll();
  begin_put(second);
  // What is left of the first one, and then the second one's.
  script = {{{0, MPI_SUCCESS}, {1, MPI_ERR_INTERN}}};

  ASSERT_TRUE(
      wait_until([&] { return first.has_ended() && second.has_ended(); }, [&] { memory->poll(); }));

  EXPECT_EQ(first.failed, 1);
  EXPECT_EQ(second.failed, 1);
}

// MPI itself has carried it out by then: the memory would be written at any time.
TEST_F(RmaRequestTest, Long_get_that_is_forgotten_writes_to_no_memory_of_its_caller) {
  Note note;
  std::vector<std::byte> const untouched(rma_inline_bytes + 1, std::byte{77});
  std::vector<std::byte> destination = untouched;
  ASSERT_EQ(memory->get(ImageId{0}, 0, destination, note), StartOutcome::started);

  memory->forget(note);
  EXPECT_TRUE(wait_until([&] { return memory->is_flushed(ImageId{0}); }, [&] { memory->poll(); }));

  EXPECT_EQ(destination, untouched);
  EXPECT_FALSE(note.has_ended());
}

// A round that throws may leave behind what it has seen end.
TEST_F(RmaRequestTest, Get_that_has_ended_before_a_round_threw_is_forgotten_too) {
  Note note;
  std::vector<std::byte> const untouched(rma_inline_bytes + 1, std::byte{77});
  std::vector<std::byte> destination = untouched;
  ASSERT_EQ(memory->get(ImageId{0}, 0, destination, note), StartOutcome::started);
  script.assign(rounds_to_probe - 1, std::vector<Said>{});
  script.push_back({{0, MPI_SUCCESS}});
  probe_code = MPI_ERR_INTERN;
  for (int round = 1; round < rounds_to_probe; ++round) memory->poll();
  ASSERT_THROW(memory->poll(), MpiError);
  probe_code = MPI_SUCCESS;

  memory->forget(note);
  EXPECT_TRUE(wait_until([&] { return memory->is_flushed(ImageId{0}); }, [&] { memory->poll(); }));

  EXPECT_EQ(destination, untouched);
  EXPECT_FALSE(note.has_ended());
}

#if MAKESPAN_MPI_ULFM
TEST_F(RmaRequestTest, Round_goes_on_where_a_process_has_failed) {
  if (!has_ulfm()) GTEST_SKIP() << "this MPI ends with the first process";
  Note note;
  begin_put(note);
  script.assign(rounds_to_probe, std::vector<Said>{});
  probe_code = MPIX_ERR_PROC_FAILED;

  for (int round = 0; round < rounds_to_probe; ++round) EXPECT_NO_THROW(memory->poll());

  ASSERT_TRUE(wait_until([&] { return note.has_ended(); }, [&] { memory->poll(); }));
  EXPECT_EQ(note.completed, 1);
}
#endif

// An operation that its future has left holds itself until then. Its target may be well: the loss
// that it ends in is that of this image.
TEST_F(RmaRequestTest, What_is_under_way_fails_when_the_memory_goes) {
  Note note;
  begin_put(note);

  memory.reset();

  EXPECT_EQ(note.failed, 1);
  EXPECT_EQ(note.lost, ImageId{1});
  EXPECT_EQ(note.completed, 0);
}

}  // namespace
}  // namespace makespan::pgas
