// SPDX-License-Identifier: Apache-2.0
// The main() of every test program: a broken contract throws, so that a test can expect it.
#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  makespan::set_contract_handler(makespan::throw_on_violation);
  return RUN_ALL_TESTS();
}
