// SPDX-License-Identifier: Apache-2.0
// Goal: what benches time prices what it says.
#include "makespan/apps/asian/run/kernel_probe.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/base/error.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

TEST(KernelProbe, prices_the_call_on_every_instruction_set) {
  auto const paths = drawn(1 << 14);
  for (bool const antithetic : {false, true}) {
    for (int const rounds : {7, 10}) {
      double const expected =
          kernel_probe({"one_lane", rounds, antithetic, false, 365, paths}).price;
      // The price by the recursion of tests/python/oracle; 8.0 is a path's standard deviation, and
      // controls take a factor of 30 off it.
      double const error = 8.0 / std::sqrt(static_cast<double>(paths)) / (antithetic ? 20 : 1);
      EXPECT_NEAR(expected, 5.776024, 5 * error);
      for (Kernels const* kernels : Kernels::available()) {
        KernelProbe const probe =
            kernel_probe({kernels->isa, rounds, antithetic, false, 365, paths});
        EXPECT_EQ(probe.price, expected) << kernels->isa;
        EXPECT_GT(probe.seconds, 0);
      }
    }
  }
}

TEST(KernelProbe, prices_the_same_with_Greeks) {
  EXPECT_EQ(kernel_probe({"auto", 10, true, true, 12, 5000}).price,
            kernel_probe({"auto", 10, true, false, 12, 5000}).price);
}

TEST(KernelProbe, prices_the_volatility_and_expiry_that_it_is_given) {
  KernelProbeOptions const usual{"auto", 10, true, false, 12, 5000};
  KernelProbeOptions wild = usual;
  wild.volatility = 0.4;
  KernelProbeOptions late = usual;
  late.expiry = 2.0;

  double const price = kernel_probe(usual).price;

  // Twice the volatility is about twice the time value; one more year is worth more, too.
  EXPECT_GT(kernel_probe(wild).price, 1.5 * price);
  EXPECT_GT(kernel_probe(late).price, 1.2 * price);
}

TEST(KernelProbe, refuses_what_is_not_there) {
  EXPECT_THROW(static_cast<void>(kernel_probe({"mmx", 10, false, false, 12, 100})), InputError);
  EXPECT_THROW(static_cast<void>(kernel_probe({"auto", 9, false, false, 12, 100})), InputError);
}

}  // namespace
}  // namespace makespan::asian
