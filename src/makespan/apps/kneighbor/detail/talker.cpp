// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/detail/talker.hpp"

#include "makespan/apps/kneighbor/detail/message_words.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::kneighbor {

Talker::Talker(Settings const& settings, graph::Collection<Talker> all, int index,
               std::int64_t turns)
    : settings_(settings),
      all_(all),
      index_(index),
      turns_(turns),
      words_(words_of(index, settings.bytes)),
      checksum_(checksum_of(words_)),
      work_(static_cast<std::uint64_t>(index)) {
}

void Talker::start(graph::ObjectPlace& here, std::int64_t iterations) {
  MAKESPAN_EXPECT(iterations_ == 0);
  MAKESPAN_EXPECT(iterations > 0);
  iteration_ = 0;
  iterations_ = iterations;
  begin_iteration(here);
  go_on(here);
}

void Talker::hear(graph::ObjectPlace& here, int from, std::int64_t iteration,
                  std::uint64_t checksum, SharedWords const& words) {
  count(checksum, *words);
  if (settings_.echo == Echo::on) {
    here.send<&Talker::hear_again>(all_, from, checksum, words);
    return;
  }
  ++heard(iteration);
  go_on(here);
}

void Talker::hear_again(graph::ObjectPlace& here, std::uint64_t checksum,
                        SharedWords const& words) {
  count(checksum, *words);
  // It has to be the message that was sent, and not only one that is whole.
  if (checksum != checksum_) ++tally_.damaged;
  ++heard(iteration_);
  go_on(here);
}

void Talker::begin_iteration(graph::ObjectPlace& here) {
  work_ = turn(work_, turns_);
  SharedWords const& words = new_words();
  for (int number = 0; number < settings_.neighbours; ++number) {
    here.send<&Talker::hear>(all_, neighbour(settings_, index_, number), index_, iteration_,
                             checksum_, words);
  }
}

// In the memory of the last ones, where those that got them have answered: they read no more.
SharedWords const& Talker::new_words() {
  std::vector<std::uint64_t>* const free = settings_.echo == Echo::on ? sent_.sole() : nullptr;
  if (free != nullptr) {
    *free = words_;
  } else {
    sent_ = SharedWords(words_);
  }
  return sent_;
}

void Talker::go_on(graph::ObjectPlace& here) {
  // Without echo several at once: messages of later iterations may be here before this one's last.
  while (iterations_ > 0 && heard(iteration_) == settings_.neighbours) {
    heard(iteration_) = 0;
    if (++iteration_ == iterations_) {
      iterations_ = 0;
    } else {
      begin_iteration(here);
    }
  }
}

void Talker::count(std::uint64_t checksum, std::vector<std::uint64_t> const& words) {
  ++tally_.messages;
  tally_.bytes += std::ssize(words) * static_cast<std::int64_t>(sizeof(std::uint64_t));
  if (checksum_of(words) != checksum) ++tally_.damaged;
}

int& Talker::heard(std::int64_t iteration) {
  auto const at = static_cast<std::size_t>(iteration);
  if (heard_.size() <= at) heard_.resize(at + 1, 0);
  return heard_[at];
}

}  // namespace makespan::kneighbor
