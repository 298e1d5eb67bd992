// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/image_team_core.hpp"

#include <algorithm>
#include <atomic>
#include <cereal/types/vector.hpp>
#include <exception>
#include <thread>
#include <utility>

#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/image/detail/bag_runtime.hpp"
#include "makespan/bag/image/detail/gathered_roster.hpp"
#include "makespan/bag/image/detail/image_messages.hpp"
#include "makespan/bag/image/detail/joined_outcomes.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/claim_word.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/base/padded_text.hpp"

namespace makespan::bag {

namespace {

using Clock = std::chrono::steady_clock;

// Between two looks at what others ask. A look is cheap, but to wake up costs a thread, and the
// worker whose core it takes, 10 to 20 µs on a virtual machine. So the pause is a small part of the
// time that has passed since the bag began, or anything came; short while a worker waits for an
// answer.
constexpr std::chrono::microseconds pause_min{100};
constexpr std::chrono::microseconds pause_max{5000};
constexpr int pauses_in_what_has_passed = 200;

// Of what images exchange: far beyond what says which devices they have.
constexpr std::int64_t text_bytes_max = std::int64_t{1} << 20;

std::chrono::microseconds pause_after(Clock::duration passed) {
  return std::clamp(
      std::chrono::duration_cast<std::chrono::microseconds>(passed / pauses_in_what_has_passed),
      pause_min, pause_max);
}

std::string text_of(std::span<std::byte const> data) {
  return {reinterpret_cast<char const*>(data.data()), data.size()};
}

TeamOptions with_own_injections(TeamOptions options, ImageRoster const& roster, int image) {
  options.injections = injections_of(roster, image, options.injections);
  return options;
}

std::uint64_t new_name_all(pgas::Team& team) {
  static std::atomic<std::uint64_t> names{0};
  return team.all_reduce_all(pgas::ReduceOp::max, names.fetch_add(1) + 1);
}

}  // namespace

ImageTeamCore::ImageTeamCore(TeamOptions const& options)
    : ImageTeamCore(with_choices_of_dispatcher(options),
                    TeamLayout(with_choices_of_dispatcher(options).devices)) {
}

ImageTeamCore::ImageTeamCore(TeamOptions const& options, TeamLayout const& layout)
    : runtime_(open_bag_runtime_all(layout.threads())),
      image_(static_cast<int>(runtime_->image().value())),
      dispatcher_(options.dispatcher),
      roster_(make_roster_all(runtime_->team(), layout)),
      devices_(std::make_unique<DeviceTeam>(with_own_injections(options, roster_, image_))),
      policy_(make_policy(options.policy, options.policy_options)),
      form_(policy_entry(options.policy).form),
      bag_state_(std::in_place, *runtime_, roster_),
      server_(roster_, clock_),
      name_(new_name_all(runtime_->team())),
      completion_proxy_(*runtime_, name_, devices_->threads()),
      control_messages_sent_(static_cast<std::size_t>(roster_.images())),
      named_(name_, *this) {
  // A first guess, which the first claims correct: a look, and a compare-exchange.
  for (Seconds& cost : devices_->state().claim_costs) {
    cost = std::max(cost, bag_state_->round_trip() * 2.0);
  }
  if (dispatcher_ == Dispatcher::hierarchical) pool_.emplace(*runtime_, roster_);
  bag_state_->tell_speeds(runtime_->endpoint(0), image_, devices_->state().speeds);
  // No image calls another before all images can be called.
  runtime_->team().barrier_all();
}

ImageTeamCore::~ImageTeamCore() = default;

void ImageTeamCore::finish_all() {
  if (image_ == 0) {
    for (int image = 1; image < images(); ++image) post(image, ControlTag::end, {});
  }
  runtime_->finish_all();
}

std::vector<std::string> ImageTeamCore::exchange_all(std::string const& text) {
  pgas::Team& all = runtime_->team();
  // A gather takes rows of one length: each text is filled up with zeros, one at least.
  auto const longest = all.all_reduce_all(pgas::ReduceOp::max, std::ssize(text));
  if (longest < std::ssize(text) || longest > text_bytes_max) {
    throw BadMessage(ImageId{-1}, joined("a text of ", longest, " bytes"));
  }
  auto const row = static_cast<std::size_t>(longest) + 1;
  std::vector<char> padded(row);
  std::ranges::copy(text, padded.begin());
  auto const rows = all.all_gather_all(std::span<char const>(padded));
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < rows.size(); at += row) {
    texts.push_back(text_of_row(std::span(rows).subspan(at, row)));
  }
  return texts;
}

// --- control messages

void ImageTeamCore::post(int image, ControlTag kind, std::span<std::byte const> content) {
  if (!runtime_->is_alive(ImageId{image})) return;
  // The receiver reads messages by number, and would wait for one that was never sent.
  pgas::Fragment const first{.image = image_,
                             .thread = -1,
                             .number = control_messages_sent_[static_cast<std::size_t>(image)]++,
                             .part = 0,
                             .parts = 0};
  try {
    pgas::send_fragments(
        first, content, part_bytes_max(*runtime_),
        [&](pgas::Fragment const& part, std::span<std::byte const> data) {
          // No thread waits for the answer: a lost image does not need the message.
          static_cast<void>(runtime_->endpoint(0).rpc(pgas::EndpointAddress{ImageId{image}, 0},
                                                      pgas::function<&ImageMessages::control>,
                                                      name_, kind, bags_, part, wire_bytes(data)));
        });
  } catch (ImageFailed const& failure) {
    if (failure.image() != ImageId{image_}) notice_losses();
  }
}

void ImageTeamCore::receive_control(ControlTag kind, std::uint64_t bag, pgas::Fragment const& part,
                                    std::span<std::byte const> data) {
  std::scoped_lock const lock(mutex_);
  auto content = reassembly_.add(part, data);
  if (!content) return;
  // At once, and not in its turn: the main thread is in the bag that is to end.
  if (kind == ControlTag::stop) {
    stopped_bag_ = std::max(stopped_bag_, bag);
    if (bag == bags_) order_stop_.request_stop();
  }
  // By number, since remote calls may be run in another order than they were sent in.
  control_messages_.emplace(part.number, ControlMessage{kind, bag, *std::move(content)});
}

std::optional<ImageTeamCore::ControlMessage> ImageTeamCore::next_control() {
  std::scoped_lock const lock(mutex_);
  auto const next = control_messages_.find(control_messages_read_);
  if (next == control_messages_.end()) return std::nullopt;
  ControlMessage control = std::move(next->second);
  control_messages_.erase(next);
  ++control_messages_read_;
  return control;
}

// --- what the main thread does while others work

std::chrono::microseconds ImageTeamCore::poll(Clock::time_point since) {
  while (runtime_->endpoint(0).help() > 0) continue;
  notice_losses();
  return server_.anyone_waits() ? pause_min : pause_after(Clock::now() - since);
}

void ImageTeamCore::notice_losses() {
  for (int image = 0; image < images(); ++image) {
    if (server_.is_lost(image) || runtime_->is_alive(ImageId{image})) continue;
    // The others have given this one up: no order and no outcome of theirs comes any more.
    ImageId const lost{image};
    if (image == image_) throw ImageFailed(lost, runtime_->loss_of(lost), "a bag");
    runtime_->accept_loss(ImageId{image});
    server_.lose(image);
    if (image_ == 0) bag_state_->forget(runtime_->endpoint(0), image);
  }
}

ImageContext ImageTeamCore::context(CompletionService& tracker) {
  if (pool_) pool_->begin(runtime_->endpoint(0), bags_);
  return {.image = image_,
          .bag_state = *bag_state_,
          .roster = roster_,
          .tracker = tracker,
          .pool = pool_ ? &*pool_ : nullptr,
          .clock = clock_,
          .layout = devices_->layout(),
          .modes = roster_.modes,
          .dispatcher = dispatcher_,
          .way = claim_way(dispatcher_, form_, roster_.modes)};
}

// --- image 0

void ImageTeamCore::send(std::span<std::byte const> message) {
  MAKESPAN_EXPECT(image_ == 0);
  for (int image = 1; image < images(); ++image) post(image, ControlTag::message, message);
}

void ImageTeamCore::shut_down(std::string const& failure) {
  MAKESPAN_EXPECT(image_ == 0);
  for (int image = 1; image < images(); ++image) {
    post(image, ControlTag::shutdown, std::as_bytes(std::span(failure)));
  }
}

JobReport ImageTeamCore::run(Bag const& bag, DistributedItemRunner& runner,
                             std::span<std::byte const> order, std::stop_token const& stop,
                             trace::Trace* trace) {
  MAKESPAN_EXPECT(image_ == 0);
  MAKESPAN_EXPECT(trace == nullptr || trace->threads() == roster_.threads());
  ++bags_;
  last_ = {};
  notice_losses();
  ImageContext const here = context(server_);
  FirstClaims const first =
      here.way == ClaimWay::by_tracker ? FirstClaims::by_tracker : FirstClaims::by_workers;
  bag_state_->set_word(runtime_->endpoint(0), 0);
  server_.open(bag, *policy_, first, roster_.modes, runner);
  ClosesServer const closes_server(server_);
  ControlTag const kind = trace == nullptr ? ControlTag::job : ControlTag::traced_job;
  for (int image = 1; image < images(); ++image) post(image, kind, order);

  auto const begin = Clock::now();
  bool told_to_stop = false;
  auto const stop_all = [&] {
    if (std::exchange(told_to_stop, true)) return;
    server_.stop();
    // Workers that claim off the word ask no one whether the bag is stopped.
    bag_state_->set_word(runtime_->endpoint(0), ClaimWord::spent(bag.items()).bits());
    for (int image = 1; image < images(); ++image) post(image, ControlTag::stop, {});
  };
  auto const poll_and_stop = [&] {
    if (stop.stop_requested() || server_.is_stopped()) stop_all();
    auto const pause = poll(begin);
    // Then each claim is a call, which waits until this thread looks.
    return here.way == ClaimWay::by_tracker ? pause_min : pause;
  };
  ImageOutcome own;
  std::exception_ptr error;
  try {
    ImageDispatcher source(bag, here, devices_->state());
    own.report = devices_->run({.bag = bag, .runner = runner, .stop = stop, .trace = trace}, source,
                               bag_state_->board(), poll_and_stop);
  } catch (DeviceFailed const& failure) {
    own.report = devices_->last_report();  // the others may go on
    own.device_failure = failure.what();
  } catch (...) {
    error = std::current_exception();
    stop_all();
  }
  server_.end(0, own);
  while (!server_.others_have_ended()) {
    poll_and_stop();
    std::this_thread::sleep_for(pause_min);
  }
  Seconds const makespan{std::chrono::duration<double>(Clock::now() - begin).count()};
  auto const outcomes = server_.outcomes();
  last_ = join_outcomes(roster_, outcomes, {.makespan = makespan, .complete = server_.complete()});
  if (trace != nullptr) add_spans_of_others(*trace, outcomes);
  if (!error) error = server_.error();
  if (error) std::rethrow_exception(error);
  expect_success(last_, told_to_stop || stop.stop_requested());
  return last_;
}

// Their clocks are not image 0's.
void ImageTeamCore::add_spans_of_others(
    trace::Trace& trace, std::span<std::optional<ImageOutcome> const> outcomes) const {
  for (int image = 1; image < images(); ++image) {
    auto const& outcome = outcomes[static_cast<std::size_t>(image)];
    if (!outcome) continue;
    int thread = roster_.first_thread[static_cast<std::size_t>(image)];
    for (auto const& spans : outcome->spans) {
      for (trace::Span span : spans) {
        span.begin -= bag_state_->clock_ahead(image);
        span.end -= bag_state_->clock_ahead(image);
        trace.add(thread, span);
      }
      ++thread;
    }
  }
}

// --- the others

void ImageTeamCore::serve(ImageService& service, std::stop_token const& leave) {
  MAKESPAN_EXPECT(image_ != 0);
  std::string trouble;
  for (auto last = Clock::now();;) {
    auto const control = next_control();
    if (!control) {
      if (!runtime_->is_alive(ImageId{0})) {
        throw ImageFailed(ImageId{0}, runtime_->loss_of(ImageId{0}), "serve");
      }
      std::this_thread::sleep_for(poll(last));
      continue;
    }
    last = Clock::now();
    switch (control->kind) {
      case ControlTag::shutdown:
        if (!control->content.empty()) trouble = text_of(control->content);
        if (!trouble.empty()) throw RemoteError(ImageId{0}, trouble);
        return;
      case ControlTag::end:
        return;
      case ControlTag::job:
      case ControlTag::traced_job:
        serve_job(service, *control, trouble, leave);
        break;
      case ControlTag::message:
        try {
          service.receive(control->content);
        } catch (std::exception const& error) {
          trouble = error.what();
        } catch (...) {
          trouble = no_exception;
        }
        break;
      case ControlTag::stop:
        break;  // heard when it came
    }
  }
}

void ImageTeamCore::serve_job(ImageService& service, ControlMessage const& order,
                              std::string const& trouble, std::stop_token const& leave) {
  ImageOutcome outcome{.report = devices_->idle_report(), .failure = trouble};
  std::optional<trace::Trace> trace;
  if (order.kind == ControlTag::traced_job) trace.emplace(devices_->threads());
  std::stop_token stop;
  {
    std::scoped_lock const lock(mutex_);
    bags_ = order.bag;
    order_stop_ = {};
    // A stop may come before the order that it stops is read.
    if (stopped_bag_ >= bags_) order_stop_.request_stop();
    stop = order_stop_.get_token();
  }
  std::stop_callback const stop_on_leave(leave, [this] {
    std::scoped_lock const lock(mutex_);
    order_stop_.request_stop();
  });
  try {
    if (trouble.empty()) {
      Bag const bag = service.begin(order.content);
      completion_proxy_.begin(service.runner());
      ImageDispatcher source(bag, context(completion_proxy_), devices_->state());
      outcome.report = devices_->run({.bag = bag,
                                      .runner = service.runner(),
                                      .stop = stop,
                                      .trace = trace ? &*trace : nullptr},
                                     source, bag_state_->board(),
                                     [this, begin = Clock::now()] { return poll(begin); });
    }
  } catch (DeviceFailed const& failure) {
    outcome.report = devices_->last_report();
    outcome.device_failure = failure.what();
  } catch (ImageFailed const& failure) {
    // Of one that the others have given up, no outcome is awaited.
    if (failure.image() == ImageId{0} || failure.image() == ImageId{image_}) throw;
    outcome.failure = failure.what();
  } catch (std::exception const& error) {
    outcome.failure = error.what();
  } catch (...) {
    outcome.failure = no_exception;  // image 0 waits for an outcome as long as this image lives
  }
  for (int thread = 0; trace && thread < trace->threads(); ++thread) {
    auto const spans = trace->spans(thread);
    outcome.spans.emplace_back(spans.begin(), spans.end());
  }
  send_outcome(outcome);
}

void ImageTeamCore::send_outcome(ImageOutcome const& outcome) {
  pgas::Fragment const first{.image = image_, .thread = -1, .number = bags_, .part = 0, .parts = 0};
  std::vector<pgas::Future<void>> under_way;
  pgas::send_fragments(first, bytes_of(outcome), part_bytes_max(*runtime_),
                       [&](pgas::Fragment const& part, std::span<std::byte const> data) {
                         under_way.push_back(runtime_->endpoint(0).rpc(
                             pgas::EndpointAddress{ImageId{0}, 0},
                             pgas::function<&ImageMessages::end>, name_, part, wire_bytes(data)));
                       });
  for (auto& answer : under_way) answer.get();
}

}  // namespace makespan::bag
