// SPDX-License-Identifier: Apache-2.0
// What a user of the installed library writes; ends with 0 when the library does what it says.
#include <makespan/base/configuration.hpp>
#include <makespan/base/contracts.hpp>
#include <makespan/base/quantity.hpp>
#include <makespan/pgas/atomics.hpp>
#include <makespan/pgas/runtime.hpp>

int main() {
  makespan::Seconds const alone = makespan::Work{6.0} / makespan::Speed{2.0};
  MAKESPAN_EXPECT(alone == makespan::Seconds{3.0});

  makespan::pgas::Runtime runtime;
  auto const counter = runtime.allocate_all<int>(1, "counter");
  int const before = fetch_add(runtime.endpoint(0), counter.at(runtime.image()), 1);
  MAKESPAN_EXPECT(before == 0);
  runtime.finish_all();
  return makespan::configuration().version == FOUND_VERSION ? 0 : 1;
}
