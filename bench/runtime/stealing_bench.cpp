// SPDX-License-Identifier: Apache-2.0
// Requests for matrix products of uneven sizes, sent to the threads of another image: how close to
// the peak of its cores the work is done when each thread serves only what was sent to it.
//
//   mpiexec -n 2 stealing_bench --rounds 3 --threads 2 --requests 6 --centre 2000
//     --ranges 0,500,1000,1500
//
// Contestants carry the place of their range in the list: mpi.0, mpi.1, …

#include <atomic>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "dgemm.hpp"
#include "ours.hpp"

namespace makespan::bench {
namespace {

// Requests go to thread t with tag request_tag + t, and so do answers with theirs.
constexpr int request_tag = first_free_tag + 100;
constexpr int answer_tag = first_free_tag + 200;

// Requests under way to one thread: one that it works on and one that waits, so that it never waits
// for the network.
constexpr int window = 2;

struct Shape {
  int requests;            // for each thread
  std::vector<int> sizes;  // of them, by thread
};

double flops_of_all(Shape const& shape) {
  double flops = 0.0;
  for (int const size : shape.sizes) flops += shape.requests * dgemm_flops(size);
  return flops;
}

// Waits without polling all the time: the cores belong to the products.
void receive(int* value, int tag, int source) {
  for (int is_here = 0; is_here == 0;) {
    check_mpi(MPI_Iprobe(source, tag, MPI_COMM_WORLD, &is_here, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (is_here == 0) nap_us(100);
  }
  check_mpi(MPI_Recv(value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "MPI_Recv");
}

void send(int value, int tag, int target) {
  check_mpi(MPI_Send(&value, 1, MPI_INT, target, tag, MPI_COMM_WORLD), "MPI_Send");
}

// The sender's side of one thread: keeps its window full until all requests are answered.
void request_all(Shape const& shape, int thread, int target) {
  int const size = shape.sizes[static_cast<std::size_t>(thread)];
  int sent = 0;
  for (; sent < std::min(window, shape.requests); ++sent) send(size, request_tag + thread, target);
  for (int answered = 0; answered < shape.requests; ++answered) {
    int answer = 0;
    receive(&answer, answer_tag + thread, target);
    if (sent++ < shape.requests) send(size, request_tag + thread, target);
  }
}

void serve_all(Shape const& shape, int thread, int source, Matrices& matrices) {
  for (int request = 0; request < shape.requests; ++request) {
    int size = 0;
    receive(&size, request_tag + thread, source);
    matrices.multiply(size);
    send(size, answer_tag + thread, source);
  }
}

// Calls `work(thread)` on as many threads; returns when all have returned.
template <class Work>
double seconds_on_threads(std::size_t threads, Work const& work) {
  double const begin_s = now_s();
  {
    std::vector<std::jthread> running;
    running.reserve(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      running.emplace_back([&work, thread] { work(static_cast<int>(thread)); });
    }
  }
  return now_s() - begin_s;
}

Figures own_requests_block(MpiSession const& session, Shape const& shape,
                           std::vector<Matrices>& matrices) {
  double const seconds = seconds_on_threads(shape.sizes.size(), [&](int thread) {
    if (session.is_active()) {
      request_all(shape, thread, session.other());
    } else {
      serve_all(shape, thread, session.other(), matrices[static_cast<std::size_t>(thread)]);
    }
  });
  return {{"flops", flops_of_all(shape) / seconds}};
}

// All threads at products of the middle size, without requests: what the cores can do.
Figures peak_block(MpiSession const& session, int requests, int size,
                   std::vector<Matrices>& matrices) {
  double flops = 0.0;
  if (!session.is_active()) {
    double const seconds = seconds_on_threads(matrices.size(), [&](int thread) {
      for (int request = 0; request < requests; ++request) {
        matrices[static_cast<std::size_t>(thread)].multiply(size);
      }
    });
    flops = static_cast<double>(matrices.size()) * requests * dgemm_flops(size) / seconds;
    session.send_end();
  } else {
    session.sleep_until_end();
  }
  return {{"flops", session.exchanged(flops)}};
}

// Ours: all requests at once, each to its thread; image 0 computes and image 1 asks, as above. A
// request is served with the matrices of the thread that it runs on, which stealing decides.
thread_local Matrices* matrices_of_this_thread = nullptr;

void multiply_on_this_thread(int size) {
  matrices_of_this_thread->multiply(size);
}

void request_all(pgas::Endpoint& here, Shape const& shape) {
  std::vector<pgas::Future<void>> answers;
  for (int request = 0; request < shape.requests; ++request) {
    for (std::size_t thread = 0; thread < shape.sizes.size(); ++thread) {
      answers.push_back(here.rpc({Ours::passive, static_cast<int>(thread)},
                                 pgas::function<&multiply_on_this_thread>, shape.sizes[thread]));
    }
  }
  for (auto const& answer : answers) answer.get();
}

Figures ours_block(Ours& ours, Shape const& shape, std::vector<Matrices>& matrices,
                   std::uint64_t block) {
  if (ours.session().is_active()) {
    double const begin_s = now_s();
    request_all(ours.here(), shape);
    double const seconds = now_s() - begin_s;
    ours.tell_end();
    return {{"flops", flops_of_all(shape) / seconds}};
  }
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < shape.sizes.size(); ++thread) {
    threads.emplace_back([&ours, &matrices, thread, block] {
      matrices_of_this_thread = &matrices[thread];
      ours.here(static_cast<int>(thread))
          .wait_until_word(ours.ends(), pgas::Comparison::at_least, block);
    });
  }
  return {};
}

pgas::RuntimeOptions options_of(int threads, pgas::Stealing stealing) {
  pgas::RuntimeOptions options;
  options.threads = threads;
  options.stealing = stealing;
  return options;
}

std::vector<int> numbers(std::string const& text) {
  std::vector<int> values;
  std::istringstream stream{text};
  for (std::string word; std::getline(stream, word, ',');) values.push_back(std::stoi(word));
  return values;
}

void measure(MpiSession const& session, Arguments const& arguments) {
  int const threads = arguments.integer("threads");
  int const centre = arguments.integer("centre");
  int const requests = arguments.integer("requests");
  auto const ranges = numbers(arguments.text("ranges"));
  int const size_max = centre + *std::ranges::max_element(ranges);
  use_calling_threads_only();
  std::vector<Matrices> matrices;
  for (int thread = 0; thread < threads && !session.is_active(); ++thread) {
    matrices.emplace_back(size_max);
  }

  Ours own_requests(session, options_of(threads, pgas::Stealing::off));
  Ours stealing(session, options_of(threads, pgas::Stealing::on));
  std::array<std::uint64_t, 2> blocks{};  // run so far, of these two

  std::vector<Contestant> contestants;
  contestants.push_back({"peak", [=, &session, &matrices] {
                           return peak_block(session, requests, centre, matrices);
                         }});
  for (std::size_t place = 0; place < ranges.size(); ++place) {
    Shape const shape{.requests = requests, .sizes = request_sizes(threads, centre, ranges[place])};
    contestants.push_back({"mpi." + std::to_string(place), [=, &session, &matrices] {
                             return own_requests_block(session, shape, matrices);
                           }});
    contestants.push_back({"makespan.own_requests." + std::to_string(place), [&, shape] {
                             return ours_block(own_requests, shape, matrices, ++blocks[0]);
                           }});
    contestants.push_back({"makespan.stealing." + std::to_string(place), [&, shape] {
                             return ours_block(stealing, shape, matrices, ++blocks[1]);
                           }});
  }
  run_interleaved(session, contestants, arguments.integer("rounds"));
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv,
                   [&](MpiSession const& session) { measure(session, Arguments(argc, argv)); });
}
