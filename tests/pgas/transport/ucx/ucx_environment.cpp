// SPDX-License-Identifier: Apache-2.0
// UCX_TLS for the tests only. The MPI under them may use UCX too, and reads its variables when it
// begins; MPICH 4.0.2 with UCX_TLS=tcp,self now and then never comes back from MPI_Finalize.
#include <gtest/gtest.h>
#include <stdlib.h>

namespace makespan::pgas {
namespace {

class UcxEnvironment final : public testing::Environment {
 public:
  void SetUp() override {
    char const* const transports = ::getenv("MAKESPAN_TEST_UCX_TLS");
    if (transports != nullptr) ::setenv("UCX_TLS", transports, 1);
  }
};

testing::Environment const* const environment =
    testing::AddGlobalTestEnvironment(new UcxEnvironment);  // GoogleTest owns it

}  // namespace
}  // namespace makespan::pgas
