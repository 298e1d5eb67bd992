// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/fabric.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/pgas/call/queued_call.hpp"
#include "makespan/pgas/detail/network_transport.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/job/exchanged_value.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/progress/bound_core.hpp"
#include "makespan/pgas/transport/shm/shm_transport.hpp"

namespace makespan::pgas {

namespace {

constexpr std::int64_t page_bytes = 4096;

constexpr std::int64_t round_up(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// What all images must have been told alike. Not here: how long each of them waits (wait_limit).
std::string fingerprint(RuntimeOptions const& options) {
  return "transport " + options.transport + ", endpoints " + std::string(name_of(options.design)) +
         ", progress " + std::string(name_of(options.progress)) + ", RMA of UCX " +
         std::string(name_of(options.ucx_rma)) + ", heap " + std::to_string(options.heap_bytes) +
         ", message " + std::to_string(options.message_bytes_max) + ", calls " +
         std::to_string(options.calls_kept_max) + ", operations " +
         std::to_string(options.operations_max) + ", stealing " +
         std::string(name_of(options.stealing)) + ", stealing of progress " +
         std::string(name_of(options.progress_stealing)) + ", aggregation " +
         (options.aggregates ? "on" : "off") + ", silence " + short_text(options.silence.value()) +
         " s";
}

std::vector<std::string> exchange_texts_all(Job& job, std::string const& mine) {
  std::vector<std::string> texts;
  for (auto const& bytes : job.exchange_all(std::as_bytes(std::span(mine)))) {
    texts.emplace_back(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
  return texts;
}

}  // namespace

Fabric::Fabric(RuntimeOptions const& options) : Fabric(read(options)) {
}

Fabric::Request Fabric::read(RuntimeOptions const& options) {
  if (!options.trouble.empty()) return {{}, options.trouble};
  try {
    RuntimeOptions const asked = with_environment(options, process_environment);
    check(asked);
    if (asked.progress_core) expect_usable_core(*asked.progress_core);
    return {asked, {}};
  } catch (InputError const& error) {
    // Thrown when all images can hear of it: see expect_agreement_all().
    return {{}, error.what()};
  }
}

Fabric::Fabric(Request const& request)
    : options_{request.options},
      job_{open_job_all({.silence_limit = options_.silence})},
      mapped_(checked_cast<std::size_t>(job_->images())),
      channel_count_{agree_on_channels_all()},
      // A fixed share of the tasks for each channel of each image (docs/decisions/0019).
      calls_each_{std::max(1, options_.calls_kept_max / (channel_count_ * job_->images()))},
      credits_(channel_count_, job_->images(), calls_each_),
      // A task for each call that may be under way to this image.
      tasks_(calls_each_ * channel_count_ * job_->images()),
      accepted_losses_(checked_cast<std::size_t>(job_->images())) {
  expect_agreement_all(request.trouble);
  plan_ = plan_transport_all(options_.transport, *job_);
  open_memory_all();
  // Room for all tasks that there are: no queue is ever full.
  auto const capacity = std::bit_ceil(checked_cast<std::uint64_t>(tasks_.capacity()));
  for (int thread = 0; thread < options_.threads; ++thread) {
    queues_.push_back(
        std::make_unique<TaskQueue>(checked_cast<std::int64_t>(capacity), TakeOrder::oldest_first));
  }
  open_channels_all();
  // No image sends before all images can receive.
  static_cast<void>(job_->exchange_all({}));
  // Last: from here on a second thread polls the channels.
  if (options_.progress != ProgressMode::manual) {
    std::vector<Channel*> channels;
    channels.reserve(channels_.size());
    for (auto const& each : channels_) channels.push_back(each.get());
    helper_ = std::make_unique<ProgressThread>(options_.progress, std::move(channels),
                                               options_.progress_core);
  }
}

Fabric::~Fabric() = default;

// As many threads everywhere as on the image with most. Returns the number of channels that they
// have.
int Fabric::agree_on_channels_all() {
  auto const all = job_->exchange_all(std::as_bytes(std::span(&options_.threads, 1)));
  for (std::size_t image = 0; image < all.size(); ++image) {
    ImageId const from{static_cast<std::int64_t>(image)};
    auto const threads = exchanged_value<int>(all[image], from, "its number of threads");
    if (threads < 1 || threads > threads_most) {
      throw BadMessage(from, "it says that it has " + std::to_string(threads) + " threads, " +
                                 std::to_string(threads_most) + " at most");
    }
    options_.threads = std::max(options_.threads, threads);
  }
  return options_.design == EndpointDesign::per_thread ? options_.threads : 1;
}

// All images throw if one must, so that no image waits for one that has left.
void Fabric::expect_agreement_all(std::string const& trouble) {
  auto const troubles = exchange_texts_all(*job_, trouble);
  auto const told = exchange_texts_all(*job_, fingerprint(options_));
  for (std::size_t image = 0; image < told.size(); ++image) {
    std::string const who = "image " + std::to_string(image);
    if (!troubles[image].empty()) {
      throw InputError("the runtime's options on " + who, troubles[image],
                       "correct them there, or on all images");
    }
    if (told[image] == told[0]) continue;
    throw InputError(who + " runs with " + told[image], "image 0 runs with " + told[0],
                     "give all images the same options and MAKESPAN_… variables");
  }
}

void Fabric::open_memory_all() {
  if (plan_.network != Network::none) {
    network_ = make_network_transport_all(plan_, *job_, options_);
    // Of a network that has to allocate it: rma's is a window of MPI's, and UCX maps only what it
    // has allocated itself.
    heap_ = network_->own_heap();
  }
  if (heap_.empty()) {
    share_heap_all();
    if (network_) network_->show_heap_all(heap_);
  } else if (plan_.network != Network::rma) {
    mapped_[static_cast<std::size_t>(job_->image().value())] = heap_.data();
  }
  // With rma, words are MPI-atomic: no image may reach them in another way, not even their owner.
}

// Heaps in the node's memory, with the rings before them.
void Fabric::share_heap_all() {
  ShmLayout const layout(static_cast<int>(job_->node_images().size()), channel_count_,
                         options_.message_bytes_max);
  std::int64_t const ring_bytes = plan_.maps_node ? layout.bytes_per_image() : 0;
  // At a page, since the heap's alignments count from its beginning.
  std::int64_t const heap_begin = round_up(ring_bytes, page_bytes);
  node_memory_ = job_->allocate_node_memory_all(heap_begin + options_.heap_bytes);
  auto const heap_of = [&](ImageId image) {
    return node_memory_->segment(image).subspan(checked_cast<std::size_t>(heap_begin),
                                                checked_cast<std::size_t>(options_.heap_bytes));
  };
  heap_ = heap_of(job_->image());
  mapped_[static_cast<std::size_t>(job_->image().value())] = heap_.data();
  if (!plan_.maps_node) return;
  for (ImageId const mate : job_->node_images()) {
    mapped_[static_cast<std::size_t>(mate.value())] = heap_of(mate).data();
  }
  Wakeup const wakeup = options_.progress == ProgressMode::event ? Wakeup::doorbell : Wakeup::none;
  on_node_ =
      std::make_unique<ShmTransport>(*job_, *node_memory_, layout, ShmOptions{.wakeup = wakeup});
}

void Fabric::open_channels_all() {
  ChannelContext const shared{*job_, heap_, *this, credits_, pending_, options_.threads};
  // All tables before the first channel: an answer may come over another channel than its request.
  for (int number = 0; number < channel_count_; ++number) {
    pending_.push_back(std::make_unique<PendingTable>(checked_cast<std::uint16_t>(number),
                                                      options_.operations_max));
  }
  for (int number = 0; number < channel_count_; ++number) {
    // In the same order on all images, since links and memories are opened collectively.
    channels_.push_back(std::make_unique<Channel>(
        number, options_.design, shared, open_links_all(number, threading_of(options_.design))));
  }
}

ChannelLinks Fabric::open_links_all(int number, LinkThreading threading) {
  ChannelLinks links;
  if (on_node_) links.on_node = on_node_->open_link_all(number, threading);
  if (network_) links.network = network_->open_link_all(number, threading);
  links.network_transport = network_.get();
  return links;
}

void Fabric::close_all(bool all_came) {
  MAKESPAN_EXPECT(is_open_);
  is_open_ = false;
  // The channels' links are of the transports.
  stop();
  // What follows is collective, and a lost image does not come.
  bool all_are_well = all_came && job_->lost_images() == 0;
  auto const close_together = [&](auto& part) {
    if (!part || !all_are_well) return;
    try {
      part->close_all();
    } catch (ImageFailed const&) {
      all_are_well = false;  // it was lost at the very end
    }
  };
  close_together(network_);
  close_together(on_node_);
  network_.reset();
  on_node_.reset();
  // After the transports, whose rings lie in it.
  close_together(node_memory_);
  node_memory_.reset();
  job_->finish_all();
}

void Fabric::stop() {
  helper_.reset();  // it polls the channels
  // No answer comes any more. An operation that a future has let go holds itself until it is over.
  for (auto const& table : pending_) static_cast<void>(table->fail_rest(job_->image()));
  channels_.clear();
}

void Fabric::accept(WireHeader const& header, std::span<std::byte const> arguments) {
  MAKESPAN_ASSERT(header.thread < queues_.size());
  // There is one: senders have no more credits than there are tasks.
  Task* const task = tasks_.acquire();
  if (task == nullptr) throw BadMessage(ImageId{header.source}, "more calls than it may send");
  QueuedCall const call{.code = header.offset, .token = header.token, .source = header.source};
  std::span<std::byte> room;
  try {
    room = task->prepare(&Endpoint::run_queued_call, sizeof call + arguments.size());
  } catch (...) {
    tasks_.release(*task);
    throw;
  }
  std::memcpy(room.data(), &call, sizeof call);
  std::ranges::copy(arguments, room.subspan(sizeof call).begin());
  // Last: another thread may take it and run it at once.
  bool const has_room = queues_[header.thread]->push(*task);
  MAKESPAN_ASSERT(has_room);
}

void Fabric::take_answer(WireHeader const& reply, std::span<std::byte const> answer) {
  // As Channel::deliver() does with an answer of another image.
  credits_.give_back(reply.token.channel, job_->image());
  if (reply.kind == WireKind::refusal) {
    pending(reply.token.channel)
        .refuse(reply.token, {reinterpret_cast<char const*>(answer.data()), answer.size()});
  } else {
    pending(reply.token.channel).complete(reply.token, answer);
  }
}

Task* Fabric::find_call(int thread, Victims& victims) {
  if (are_calls_held_) return nullptr;
  Task* const found = find_in_queues(thread, victims);
  if (found != nullptr) note_run();
  return found;
}

Task* Fabric::find_in_queues(int thread, Victims& victims) {
  if (Task* const own = queues_[static_cast<std::size_t>(thread)]->take()) return own;
  // While the runtime closes, one thread runs what is queued for any.
  bool const may_steal = options_.stealing == Stealing::on || is_closing_;
  if (!may_steal || options_.threads == 1) return nullptr;
  VictimRound const round = victims.next_round();
  for (int index = 0; index < round.count(); ++index) {
    Task* stolen = nullptr;
    auto& victim = *queues_[static_cast<std::size_t>(round.victim(index))];
    if (victim.steal(stolen) == StealOutcome::got) return stolen;
  }
  return nullptr;
}

int Fabric::look_in(int thread) {
  if (options_.progress_stealing == Stealing::off && !is_closing_) return 0;
  int happened = 0;
  for (int number = 0; number < channels(); ++number) {
    Channel& other = channel(number);
    if (number == channel_number(thread)) continue;
    // That thread polls it already.
    if (other.has_waiting_thread() && !is_closing_) continue;
    happened += other.try_poll();
  }
  return happened;
}

void Fabric::rethrow_helper_error() {
  if (!helper_) return;
  if (auto const error = helper_->take_error()) std::rethrow_exception(error);
}

void Fabric::accept_loss(ImageId image) {
  accepted_losses_[static_cast<std::size_t>(image.value())] = true;
}

bool Fabric::is_accepted(ImageId image) const {
  return accepted_losses_[static_cast<std::size_t>(image.value())];
}

}  // namespace makespan::pgas
