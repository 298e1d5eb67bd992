// SPDX-License-Identifier: Apache-2.0
// Goal: a card that gives no key for the heap leaves puts and gets to messages; it ends the job
// only where RMA was asked for. Method: UCX's function, put before the real one, says that it
// cannot.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/base/error.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "test_job.hpp"

namespace {

bool is_refused = false;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the name is UCX's
extern "C" ucs_status_t ucp_rkey_pack(ucp_context_h context, ucp_mem_h memory, void** key,
                                      std::size_t* bytes) {
  static auto* const real =
      reinterpret_cast<decltype(&ucp_rkey_pack)>(::dlsym(RTLD_NEXT, "ucp_rkey_pack"));
  return is_refused ? UCS_ERR_UNSUPPORTED : real(context, memory, key, bytes);
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

class UcxRefusedKey : public testing::Test {
 protected:
  void SetUp() override { is_refused = true; }
  void TearDown() override {
    is_refused = false;
    job->finish_all();
  }

  std::unique_ptr<Job> job{open_test_job_all()};
  std::vector<std::byte> heap = std::vector<std::byte>(1 << 16);
};

TEST_F(UcxRefusedKey, leaves_memory_to_messages) {
  UcxTransport transport(*job, {.rma = RmaUse::automatic});

  EXPECT_NO_THROW(transport.show_heap_all(heap));

  EXPECT_TRUE(transport.own_heap().empty());
  transport.close_all();
}

TEST_F(UcxRefusedKey, is_an_error_where_rma_was_asked_for) {
  UcxTransport transport(*job, {.rma = RmaUse::always});

  EXPECT_THROW(transport.show_heap_all(heap), InputError);
}

}  // namespace
}  // namespace makespan::pgas
