// SPDX-License-Identifier: Apache-2.0
// What a user of the installed library writes; ends with 0 when the library does what it says.
#include <makespan/base/configuration.hpp>
#include <makespan/base/contracts.hpp>
#include <makespan/base/quantity.hpp>

int main() {
  makespan::Seconds const alone = makespan::Work{6.0} / makespan::Speed{2.0};
  MAKESPAN_EXPECT(alone == makespan::Seconds{3.0});
  return makespan::configuration().version == "0.1.0" ? 0 : 1;
}
