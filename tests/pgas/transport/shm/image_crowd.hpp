// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the images of a fake node, as threads or as processes.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "fake_node.hpp"

namespace makespan::pgas::fake {

enum class ImagesAre { threads, processes };

// What an image does; a process inherits everything that the test had set up before.
using ImageMain = std::function<void(FakeJob& job)>;

// Begins a process that runs `main`, and dies with its parent. Returns its id.
inline pid_t fork_image(FakeNode& node, int image, ImageMain const& main) {
  pid_t const child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    node.map_elsewhere();
    FakeJob job(node, image);
    main(job);
  } catch (std::exception const& error) {
    ADD_FAILURE() << "image " << image << ": " << error.what();
  }
  ::_exit(::testing::Test::HasFailure() ? 1 : 0);
}

// Waits for the end of a process. Whether it ended well.
inline bool ended_well(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Runs `main` for every image, and waits for all.
inline void run_images(ImagesAre kind, FakeNode& node, ImageMain const& main) {
  int const images = static_cast<int>(node.ids().size());
  if (kind == ImagesAre::threads) {
    std::vector<std::jthread> threads;
    for (int image = 0; image < images; ++image) {
      threads.emplace_back([&node, &main, image] {
        FakeJob job(node, image);
        main(job);
      });
    }
    return;
  }
  std::vector<pid_t> children;
  for (int image = 0; image < images; ++image) {
    children.push_back(fork_image(node, image, main));
  }
  for (pid_t const child : children) EXPECT_TRUE(ended_well(child));
}

}  // namespace makespan::pgas::fake
