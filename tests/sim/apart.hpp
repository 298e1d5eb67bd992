// SPDX-License-Identifier: Apache-2.0
#pragma once

// A simulation in a process of its own, since SimGrid has one engine in each.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "makespan/sim/bag_simulation.hpp"

namespace makespan::sim {

class Pipe {
 public:
  explicit Pipe(int end) : end_{end} {}
  template <class T>
  void put(T const& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(const_cast<T*>(&value), sizeof value, &::write);
  }
  template <class T>
  T get() {
    T value{};
    bytes(&value, sizeof value, &::read);
    return value;
  }
  template <class T>
  void put_all(std::vector<T> const& values) {
    put(values.size());
    for (T const& value : values) put(value);
  }
  template <class T>
  std::vector<T> get_all() {
    std::vector<T> values(get<std::size_t>());
    for (T& value : values) value = get<T>();
    return values;
  }

 private:
  template <class Call>
  void bytes(void* data, std::size_t count, Call call) {
    auto* at = static_cast<char*>(data);
    while (count > 0) {
      ssize_t const done = call(end_, at, count);
      if (done <= 0) throw std::runtime_error("the simulation ended without a result");
      at += done;
      count -= static_cast<std::size_t>(done);
    }
  }
  int end_;
};

inline BagResult simulated(BagJob const& job) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    close(ends[0]);
    Pipe out(ends[1]);
    try {
      BagResult const result = simulate(job);
      out.put(result.complete);
      out.put(result.makespan);
      out.put(result.ideal);
      out.put(result.claims);
      out.put(result.steals);
      out.put(result.operations);
      out.put(result.messages);
      out.put_all(result.workers);
      out.put_all(result.spans);
    } catch (std::exception const& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    close(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  Pipe in(ends[0]);
  BagResult result;
  result.complete = in.get<bool>();
  result.makespan = in.get<Seconds>();
  result.ideal = in.get<Seconds>();
  result.claims = in.get<std::int64_t>();
  result.steals = in.get<std::int64_t>();
  result.operations = in.get<std::int64_t>();
  result.messages = in.get<std::int64_t>();
  result.workers = in.get_all<WorkerUse>();
  result.spans = in.get_all<JobSpan>();
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return result;
}

}  // namespace makespan::sim
