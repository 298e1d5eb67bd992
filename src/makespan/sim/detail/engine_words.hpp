// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a SimGrid engine is told, as on its command line.

#include <array>
#include <string>
#include <vector>

namespace makespan::sim {

inline constexpr std::array engine_options{"--log=xbt_cfg.thres:warning",
                                           "--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0",
                                           "--cfg=network/crosstraffic:0"};

// Sanitizers do not follow SimGrid from one of its own stacks to another: there actors are threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::array context_options{"--cfg=contexts/factory:thread"};
#else
// Actors need little, and there may be ten thousand.
inline constexpr std::array context_options{"--cfg=contexts/stack-size:128",
                                            "--cfg=contexts/guard-size:0"};
#endif

// Words that an engine may change, and that outlive it.
class EngineWords {
 public:
  EngineWords() : words_{"makespan"} {
    words_.insert(words_.end(), engine_options.begin(), engine_options.end());
    words_.insert(words_.end(), context_options.begin(), context_options.end());
    arguments_.reserve(words_.size() + 1);
    for (std::string& word : words_) arguments_.push_back(word.data());
    count_ = static_cast<int>(arguments_.size());
    arguments_.push_back(nullptr);
  }

  [[nodiscard]] int& count() { return count_; }
  [[nodiscard]] char** arguments() { return arguments_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> arguments_{};
  int count_{};
};

}  // namespace makespan::sim
