// SPDX-License-Identifier: Apache-2.0
#include "swarm/virtual_world.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::swarm {

namespace {

// More than any world needs: what takes more turns in a circle.
constexpr std::int64_t events_max = 2'000'000;

Nanoseconds nanoseconds(bag::TeamClock::Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace

VirtualWorld::VirtualWorld(int images, Weather weather, std::uint64_t seed, Story story)
    : lost_(index(images)),
      known_(index(images), std::vector<bool>(index(images))),
      weather_(std::move(weather)),
      draws_(seed),
      story_(std::move(story)) {
  for (Loss const& loss : weather_.losses) {
    at(now_ + loss.at, [this, loss] { lose(loss); });
  }
  for (Pause& pause : weather_.pauses) {
    pause.from += now_;
    pause.until += now_;
  }
}

VirtualWorld::~VirtualWorld() {
  unwind();
}

// --- what runs

VirtualWorld::FiberId VirtualWorld::spawn(int image, std::string name, std::function<void()> body) {
  FiberId const fiber = bodies_.size();
  bodies_.push_back(
      {.image = image, .name = std::move(name), .fiber = std::make_unique<Fiber>(std::move(body))});
  push(now_, image, fiber, 0);
  return fiber;
}

void VirtualWorld::sleep(Nanoseconds time) {
  if (is_unwinding_) throw Unwound{};
  push(now_ + time, bodies_[self_].image, self_, 0);
  Fiber::suspend();
}

void VirtualWorld::wait() {
  if (is_unwinding_) throw Unwound{};
  Fiber::suspend();
}

void VirtualWorld::wait_at_most(Nanoseconds time) {
  sleep(time);
}

void VirtualWorld::wake(FiberId fiber) {
  if (!is_unwinding_ && bodies_[fiber].fiber) push(now_, bodies_[fiber].image, fiber, 0);
}

void VirtualWorld::at(Nanoseconds time, std::function<void()> what) {
  push(time, -1, none, keep(std::move(what)));
}

void VirtualWorld::at_image(int image, Nanoseconds time, std::function<void()> what) {
  push(time, image, none, keep(std::move(what)));
}

std::size_t VirtualWorld::keep(std::function<void()> call) {
  if (free_calls_.empty()) {
    calls_.push_back(std::move(call));
    return calls_.size() - 1;
  }
  std::size_t const at = free_calls_.back();
  free_calls_.pop_back();
  calls_[at] = std::move(call);
  return at;
}

void VirtualWorld::push(Nanoseconds time, int image, FiberId fiber, std::size_t call) {
  std::uint64_t const wait = fiber == none ? 0 : bodies_[fiber].waits;
  queue_.push({time, draws_.bits(), numbers_++, image, fiber, wait, call});
}

Nanoseconds VirtualWorld::paused_until(int image) const {
  Nanoseconds until = now_;
  for (Pause const& pause : weather_.pauses) {
    if (pause.image == image && pause.from <= until && until < pause.until) until = pause.until;
  }
  return until;
}

void VirtualWorld::take(Event const& event) {
  bool const is_gone = event.image >= 0 && lost_[index(event.image)];
  bool const is_stale = event.fiber != none &&
                        (bodies_[event.fiber].waits != event.wait || !bodies_[event.fiber].fiber);
  if (!is_gone && !is_stale && event.image >= 0 && !weather_.pauses.empty()) {
    Nanoseconds const until = paused_until(event.image);
    if (until > now_) {
      Event later = event;
      later.time = until;
      queue_.push(later);
      return;
    }
  }
  if (event.fiber != none) {
    if (!is_gone && !is_stale) resume(event.fiber);
    return;
  }
  auto const call = std::exchange(calls_[event.call], {});
  free_calls_.push_back(event.call);
  if (!is_gone) call();
}

void VirtualWorld::resume(FiberId fiber) {
  Body& body = bodies_[fiber];
  ++body.waits;
  self_ = fiber;
  body.fiber->resume();
  self_ = none;
  if (!body.fiber->has_ended()) return;
  auto const ended = std::move(body.fiber);
  if (ended->error()) std::rethrow_exception(ended->error());
}

// --- between images

Nanoseconds VirtualWorld::flight(int from, int to) {
  if (from == to) return draws_.between(0, 2 * microsecond);
  bool const strays = weather_.stray > 0.0 && draws_.chance(weather_.stray);
  return draws_.between(weather_.latency / 2, weather_.latency * (strays ? 20 : 2));
}

void VirtualWorld::expect_alive(int from, int to) const {
  bool const is_out = knows_loss(from, from);
  if (!is_out && !knows_loss(from, to)) return;
  throw ImageFailed(ImageId{is_out ? from : to}, "died", "a call of image " + std::to_string(from));
}

void VirtualWorld::ask(int from, int to, Reach reach, std::function<void()> const& what) {
  if (is_unwinding_) throw Unwound{};
  if (from == to) {
    sleep(flight(from, to));
    what();
    return;
  }
  expect_alive(from, to);
  // A copy of what was asked, and of the asking fiber: it may be gone, or have been told of a loss.
  struct Question {
    std::function<void()> what;
    bool is_open{true};
    bool is_answered{false};
    bool has_answer{false};  // it has arrived
  };
  struct Closes {
    Question& question;
    ~Closes() { question.is_open = false; }
  };
  auto const question = std::make_shared<Question>(what);
  Closes const closes{*question};
  FiberId const asker = self_;
  auto const arrive = [this, question, asker] {
    question->has_answer = true;
    if (question->is_open) wake(asker);
  };
  auto const serve = [this, question, from, to, arrive] {
    // What was asked may still happen after its asker has gone.
    if (lost_[index(to)] || (!question->is_open && !lost_[index(from)])) return;
    question->what();
    question->is_answered = true;
    if (!lost_[index(from)]) at_image(from, now_ + flight(to, from), arrive);
  };
  Nanoseconds const arrival = now_ + flight(from, to);
  if (reach == Reach::memory) {
    at(arrival, serve);
  } else {
    at_image(to, arrival, serve);
  }
  // Others may wake it for something else.
  while (!question->has_answer && !knows_loss(from, to) && !knows_loss(from, from)) await(to);
  if (!question->is_answered) expect_alive(from, to);
}

void VirtualWorld::await(int to) {
  if (is_unwinding_) throw Unwound{};
  FiberId const asker = self_;
  bodies_[asker].asks = to;
  Fiber::suspend();
  bodies_[asker].asks = -1;
}

void VirtualWorld::lose(Loss const& loss) {
  tell("image " + std::to_string(loss.image) + (loss.is_false ? " is taken to be lost" : " dies"));
  if (!loss.is_false) lost_[index(loss.image)] = true;
  // One that is there is told in the end that it is taken to be lost, and takes itself to be.
  for (int from = 0; from < images(); ++from) {
    at_image(from, now_ + draws_.between(0, weather_.notice),
             [this, from, of = loss.image] { notice(from, of); });
  }
}

void VirtualWorld::notice(int from, int of) {
  if (known_[index(from)][index(of)]) return;
  known_[index(from)][index(of)] = true;
  tell("image " + std::to_string(from) + " knows of the loss of image " + std::to_string(of));
  for (FiberId fiber = 0; fiber < bodies_.size(); ++fiber) {
    if (bodies_[fiber].image == from &&
        (bodies_[fiber].asks == of || (from == of && bodies_[fiber].asks >= 0)))
      wake(fiber);
  }
  if (noticed_) noticed_(from, of);
}

// --- the end

void VirtualWorld::run(Nanoseconds latest) {
  while (!queue_.empty()) {
    Event const event = queue_.top();
    queue_.pop();
    now_ = std::max(now_, event.time);
    if (now_ > latest) throw Broken("not over at its latest end");
    if (++taken_ > events_max) throw Broken("turns in a circle");
    take(event);
    if (!broken_.empty()) throw Broken(broken_);
  }
}

std::vector<std::string> VirtualWorld::unfinished() const {
  std::vector<std::string> names;
  for (Body const& body : bodies_) {
    if (!lost_[index(body.image)] && body.fiber) names.push_back(body.name);
  }
  return names;
}

void VirtualWorld::unwind() {
  is_unwinding_ = true;
  for (FiberId fiber = 0; fiber < bodies_.size(); ++fiber) {
    if (!bodies_[fiber].fiber) continue;
    self_ = fiber;
    bodies_[fiber].fiber->unwind();
    bodies_[fiber].fiber.reset();
  }
  self_ = none;
}

void VirtualWorld::tell(std::string const& what) const {
  if (!story_) return;
  std::string const time = std::to_string((now_ - second) / microsecond);
  story_(std::string(time.size() < 10 ? 10 - time.size() : 0, ' ') + time + " us  " + what);
}

// --- time, for what claims and waits

namespace {

// A waiting fiber releases the mutex, as threads do; no other fiber runs between that and the wait.
class WorldCondition final : public bag::TeamCondition {
 public:
  WorldCondition(VirtualWorld& world, std::function<bool()> const& is_swallowed)
      : world_{world}, is_swallowed_{is_swallowed} {}

  void wait(Lock& lock) override {
    stand(lock, [this] { world_.wait(); });
  }
  void wait_for(Lock& lock, Duration time) override {
    stand(lock, [this, time] { world_.wait_at_most(nanoseconds(time)); });
  }
  void notify_all() override {
    if (waiting_.empty() || (is_swallowed_ && is_swallowed_())) return;
    for (auto const fiber : std::exchange(waiting_, {})) world_.wake(fiber);
  }

 private:
  template <class Wait>
  void stand(Lock& lock, Wait const& wait) {
    auto const self = world_.self();
    waiting_.push_back(self);
    lock.unlock();
    try {
      wait();
    } catch (...) {
      lock.lock();
      throw;
    }
    lock.lock();
    std::erase(waiting_, self);
  }

  VirtualWorld& world_;
  std::function<bool()> const& is_swallowed_;
  std::vector<VirtualWorld::FiberId> waiting_{};
};

}  // namespace

bag::TeamClock::Clock::time_point WorldClock::now() const {
  return Clock::time_point(
      std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(world_.now())));
}

void WorldClock::sleep(Clock::duration time) const {
  world_.sleep(nanoseconds(time));
}

std::unique_ptr<bag::TeamCondition> WorldClock::make_condition() const {
  return std::make_unique<WorldCondition>(world_, is_swallowed_);
}

}  // namespace makespan::swarm
