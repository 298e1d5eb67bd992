// SPDX-License-Identifier: Apache-2.0
// Images that greet each other: mpiexec -n 3 hello_images
//
// What to notice: started without mpiexec it is a job of one image, and MPI is never called. Image
// 0 prints for all, in the order of the images, since output of several processes has none.
#include <array>
#include <cstdio>
#include <cstdlib>

#include <makespan/pgas.hpp>

int main() {
  using namespace makespan::pgas;
  return run_job([] {
    Runtime runtime;
    auto const seen = runtime.team().all_gather_all<std::int64_t>(
        std::array{runtime.image().value() * runtime.image().value()});
    if (runtime.image().value() == 0) {
      for (std::size_t image = 0; image < seen.size(); ++image) {
        std::printf("image %zu of %d says %lld\n", image, runtime.images(),
                    static_cast<long long>(seen[image]));
      }
    }
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}
