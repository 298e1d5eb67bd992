// SPDX-License-Identifier: Apache-2.0
// Long messages to an image that computes before it polls the network: bandwidth over the length of
// the computation, with and without a thread that makes progress meanwhile. Each message is
// acknowledged before the next one is sent.
//
//   mpiexec -hosts a,b -n 2 busy_receiver_bench --rounds 5 --messages 16 --bytes 1048576
//     --compute-ms 0,1,2,4 --transports tcp

#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "computation.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_passive.hpp"

namespace makespan::bench {
namespace {

constexpr int message_tag = first_free_tag + 1;
constexpr int answer_tag = first_free_tag + 2;

struct Shape {
  int messages;
  std::size_t bytes;
  double compute_s;
};

void compute(Shape const& shape) {
  if (shape.compute_s > 0.0) compute_for(shape.compute_s);
}

Figures bandwidth(Shape const& shape, double seconds) {
  return {{"bytes_per_second", shape.messages * static_cast<double>(shape.bytes) / seconds}};
}

Figures mpi_block(MpiSession const& session, Shape const& shape, std::vector<std::byte>& data) {
  int const bytes = static_cast<int>(shape.bytes);
  double const begin_s = now_s();
  for (int message = 0; message < shape.messages; ++message) {
    if (session.is_active()) {
      check_mpi(MPI_Send(data.data(), bytes, MPI_BYTE, 0, message_tag, MPI_COMM_WORLD), "MPI_Send");
      check_mpi(MPI_Recv(nullptr, 0, MPI_BYTE, 0, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                "MPI_Recv");
    } else {
      compute(shape);
      check_mpi(
          MPI_Recv(data.data(), bytes, MPI_BYTE, 1, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "MPI_Recv");
      check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, 1, answer_tag, MPI_COMM_WORLD), "MPI_Send");
    }
  }
  return bandwidth(shape, now_s() - begin_s);
}

void send_all(UcxLane<NoMutex>& lane, Shape const& shape, std::vector<std::byte> const& data) {
  for (int message = 0; message < shape.messages; ++message) {
    auto const answers = lane.received(UcxMessage::pong);
    lane.put(data.data(), shape.bytes, 0);
    lane.flush();
    lane.send(UcxMessage::ping);
    while (lane.received(UcxMessage::pong) == answers) lane.progress();
  }
  lane.send(UcxMessage::end);
}

// Computes, polls until a message is answered, computes again.
void receive_between_computations(UcxLane<NoMutex>& lane, Shape const& shape) {
  for (int message = 0; message < shape.messages; ++message) {
    compute(shape);
    while (!lane.answer_pings()) lane.progress();
  }
  progress_to_end(lane);
}

// Computes all the time; a thread answers.
void receive_by_events(UcxLane<NoMutex>& lane, Shape const& shape) {
  std::atomic<bool> over{false};
  std::jthread const thread([&lane, &over] {
    progress_by_events(lane);
    over = true;
  });
  while (!over) compute(shape);
}

enum class Receiving { between_computations, by_events };

Figures ucx_block(MpiSession const& session, UcxLane<NoMutex>& lane, Shape const& shape,
                  Receiving receiving) {
  if (session.is_active()) {
    std::vector<std::byte> const data(shape.bytes);
    double const begin_s = now_s();
    send_all(lane, shape, data);
    return bandwidth(shape, now_s() - begin_s);
  }
  if (receiving == Receiving::by_events) {
    receive_by_events(lane, shape);
  } else {
    receive_between_computations(lane, shape);
  }
  return {};
}

// Ours: a put that signals is over, and so acknowledged, when its signal was given.
Figures ours_block(Ours& ours, Shape const& shape, std::vector<std::byte> const& data,
                   Receiving receiving) {
  pgas::Endpoint& here = ours.here();
  if (ours.session().is_active()) {
    double const begin_s = now_s();
    for (int message = 0; message < shape.messages; ++message) {
      here.put_signal(ours.block(0), std::span(data), ours.arrivals());
    }
    return bandwidth(shape, now_s() - begin_s);
  }
  std::uint64_t const all = ours.take_arrivals(static_cast<std::uint64_t>(shape.messages));
  if (receiving == Receiving::by_events) {
    while (here.get(ours.arrivals()) < all) compute(shape);
  } else {
    for (auto next = all + 1 - static_cast<std::uint64_t>(shape.messages); next <= all; ++next) {
      compute(shape);
      here.wait_until_word(ours.arrivals(), pgas::Comparison::at_least, next);
    }
  }
  return {};
}

// "0,0.5,2": each with the name that contestants carry.
std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> words;
  std::istringstream stream{text};
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

void measure(MpiSession const& session, Arguments const& arguments) {
  Shape shape{.messages = arguments.integer("messages"),
              .bytes = static_cast<std::size_t>(arguments.integer("bytes")),
              .compute_s = 0.0};
  UcxContext const context(session, arguments.text("transports"), shape.bytes);
  UcxLane<NoMutex> lane(context, UCS_THREAD_MODE_SERIALIZED);
  std::vector<std::byte> data(shape.bytes);
  Ours manual(session, {.progress = pgas::ProgressMode::manual});
  Ours event(session, {.progress = pgas::ProgressMode::event});

  std::vector<Contestant> contestants;
  for (std::string const& milliseconds : split(arguments.text("compute-ms"))) {
    shape.compute_s = 1e-3 * std::stod(milliseconds);
    std::string const suffix = "." + milliseconds + "ms";
    contestants.push_back(
        {"mpi" + suffix, [=, &session, &data] { return mpi_block(session, shape, data); }});
    contestants.push_back({"makespan.manual" + suffix, [=, &manual, &data] {
                             return ours_block(manual, shape, data,
                                               Receiving::between_computations);
                           }});
    contestants.push_back({"makespan.event" + suffix, [=, &event, &data] {
                             return ours_block(event, shape, data, Receiving::by_events);
                           }});
    contestants.push_back({"ucx" + suffix, [=, &session, &lane] {
                             return ucx_block(session, lane, shape,
                                              Receiving::between_computations);
                           }});
    contestants.push_back({"ucx_events" + suffix, [=, &session, &lane] {
                             return ucx_block(session, lane, shape, Receiving::by_events);
                           }});
  }
  run_interleaved(session, contestants, arguments.integer("rounds"));
  session.barrier();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv, measure);
}
