// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/host_name.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/job/shared_memory_room.hpp"
#include "makespan/pgas/mpi/detail/finalize_watch.hpp"
#include "makespan/pgas/mpi/detail/mpi_node_memory.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/mpi/mpi_library.hpp"

namespace makespan::pgas {

namespace {

// On busy cores images leave a collective seconds apart.
constexpr Seconds first_beat_limit{10.0};

// That one image tells in an exchange: addresses, keys and sentences have some kilobytes.
constexpr std::int64_t exchanged_bytes_max = std::int64_t{64} << 20;

ImageId rank_in(MPI_Comm communicator) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank", ImageId{});
  return ImageId{rank};
}

int size_of(MPI_Comm communicator, ImageId image) {
  int size = 0;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size", image);
  return size;
}

std::vector<ImageId> all_images(int images) {
  std::vector<ImageId> all;
  all.reserve(static_cast<std::size_t>(images));
  for (int image = 0; image < images; ++image) all.emplace_back(image);
  return all;
}

// Before memory is taken for them, or a byte is read by them.
void expect_sizes(std::span<std::int64_t const> sizes) {
  for (std::size_t image = 0; image < sizes.size(); ++image) {
    if (0 <= sizes[image] && sizes[image] <= exchanged_bytes_max) continue;
    throw BadMessage(ImageId{static_cast<std::int64_t>(image)},
                     "its part of an exchange, of " + std::to_string(sizes[image]) + " bytes, " +
                         std::to_string(exchanged_bytes_max) + " at most");
  }
}

}  // namespace

MpiJob::MpiJob(Launch const& launch, JobOptions const& options) try
    : process_{launch},
      options_{options},
      image_{rank_in(MPI_COMM_WORLD)},
      images_{size_of(MPI_COMM_WORLD, image_)},
      world_{std::make_unique<MpiCollectives>(pgas::duplicate_all(MPI_COMM_WORLD, image_),
                                              all_images(images_))},
      node_{world_->node_team_all()},
      launcher_{mpi_library_name()},
      losses_{images_},
      wait_{losses_} {
  // By rank, as learn_nodes() takes it: a node goes by the name of its first image.
  MAKESPAN_ENSURE(std::ranges::is_sorted(node_images()));
  auto const nodes = learn_nodes();
  learn_hosts();
  if (options.watch == Watch::on && images_ > 1) watch_all(nodes);
} catch (ImageFailed const& failure) {
  // No destructor notes it.
  MpiProcess::note_loss(failure.image(), "as a job began");
}

MpiJob::~MpiJob() {
  // After finish_all() there is nothing left to let go.
  if (world_ && lost_images() > 0) let_go();
}

std::vector<int> MpiJob::learn_nodes() {
  int const first = checked_cast<int>(node_images().front().value());
  std::vector<int> nodes(static_cast<std::size_t>(images_));
  auto const gathered = gather_all(std::as_bytes(std::span(&first, 1)));
  std::memcpy(nodes.data(), gathered.data(), gathered.size());
  for (int image = 0; image < images_; ++image) {
    nodes_ += nodes[static_cast<std::size_t>(image)] == image ? 1 : 0;
  }
  return nodes;
}

void MpiJob::watch_all(std::span<int const> nodes) {
  HeartbeatTimes const times{options_.beat_period, options_.silence_limit, first_beat_limit};
  HeartbeatTransport& transport = open_transport_all();
  HeartbeatRing ring(image_, spread_over_nodes(nodes), times, HeartbeatMonitor::now());
  monitor_ = std::make_unique<HeartbeatMonitor>(std::move(ring), times, transport, losses_, hosts_);
}

HeartbeatTransport& MpiJob::open_transport_all() {
  transport_ = std::make_unique<MpiHeartbeatTransport>(duplicate_all(), image_);
  if (nodes_ == images_) return *transport_;
  auto memory = allocate_node_memory_all(NodePulse::segment_bytes);
  // No other image would see this one's pulse.
  if (node_images().size() == 1) {
    // It has taken part in the call, which is collective over all nodes.
    memory->close_all();
    return *transport_;
  }
  pulses_ = std::move(memory);
  pulse_ = std::make_unique<NodePulse>(*pulses_, image_, node_images(), options_.beat_period);
  pulsed_ = std::make_unique<PulsedHeartbeatTransport>(*transport_, *pulse_);
  return *pulsed_;
}

// No image is watched any more: one that dies before it comes to the last meeting is noticed by its
// silence alone.
void MpiJob::close_all() {
  std::optional<FinalizeWatch> watch;
  if (std::isfinite(options_.finalize_limit.value())) {
    watch.emplace(options_.finalize_limit, "the last meeting of the job");
  }
  close_post_all();
  node_.reset();
  world_.reset();
}

void MpiJob::close_post_all() {
  // Each before what it uses; the pulse's thread writes to the segments until it has ended.
  pulsed_.reset();
  transport_.reset();
  pulse_.reset();
  if (pulses_) pulses_->close_all();
  pulses_.reset();
}

void MpiJob::learn_hosts() {
  std::string const mine = host_name();
  for (auto const& name : exchange_all(std::as_bytes(std::span(mine)))) {
    std::string host(name.size(), '\0');
    std::ranges::transform(name, host.begin(), [](std::byte c) { return static_cast<char>(c); });
    hosts_.push_back(std::move(host));
  }
}

std::string const& MpiJob::host(ImageId image) const {
  MAKESPAN_EXPECT(image.value() >= 0);
  MAKESPAN_EXPECT(image.value() < images_);
  return hosts_[static_cast<std::size_t>(image.value())];
}

// An exchange that was given up may still be written to by MPI: then it stays, see MpiCollectives.
std::vector<std::byte> MpiJob::gather_all(std::span<std::byte const> mine) {
  struct Exchange {
    std::vector<std::byte> in;
    std::vector<std::byte> out;
  };
  auto exchange = std::make_unique<Exchange>();
  exchange->in.assign(mine.begin(), mine.end());
  exchange->out.resize(mine.size() * static_cast<std::size_t>(images_));
  try {
    wait_.wait_for(*world_->all_gather(exchange->in, exchange->out), "exchange");
  } catch (...) {
    leak(std::move(exchange));
    throw;
  }
  return std::move(exchange->out);
}

// On its way, the part of each image has the size of the largest: what is exchanged is small, and
// mostly of one size.
std::vector<std::vector<std::byte>> MpiJob::exchange_all(std::span<std::byte const> mine) {
  std::int64_t const bytes = std::ssize(mine);
  auto const gathered = gather_all(std::as_bytes(std::span(&bytes, 1)));
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(images_));
  std::memcpy(sizes.data(), gathered.data(), gathered.size());
  expect_sizes(sizes);

  auto const largest = static_cast<std::size_t>(*std::ranges::max_element(sizes));
  std::vector<std::byte> padded(mine.begin(), mine.end());
  padded.resize(largest);
  auto const all = gather_all(padded);

  std::vector<std::vector<std::byte>> parts;
  parts.reserve(sizes.size());
  for (std::size_t image = 0; image < sizes.size(); ++image) {
    auto const part =
        std::span(all).subspan(image * largest, static_cast<std::size_t>(sizes[image]));
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

// On all images if there is trouble on one: none of them waits for that one.
void MpiJob::throw_first_all(std::string const& trouble) {
  auto const troubles = exchange_all(std::as_bytes(std::span(trouble)));
  for (std::size_t image = 0; image < troubles.size(); ++image) {
    auto const& text = troubles[image];
    if (text.empty()) continue;
    throw InputError("shared memory on host " + hosts_[image],
                     {reinterpret_cast<char const*>(text.data()), text.size()},
                     "mend that there, or run one image on that host");
  }
}

void MpiJob::expect_room_all(std::int64_t bytes) {
  SharedMemoryRoom mine;
  std::string trouble;
  // An image that is alone on its node gets plain memory.
  if (node_images().size() > 1) {
    mine.bytes_needed = bytes * std::ssize(node_images());
    try {
      mine.bytes_free = shared_memory_free_bytes();
    } catch (InputError const& error) {
      trouble = error.what();  // thrown when all images can hear of it
    }
  }
  throw_first_all(trouble);
  std::vector<SharedMemoryRoom> rooms(static_cast<std::size_t>(images_));
  auto const gathered = gather_all(std::as_bytes(std::span(&mine, 1)));
  std::memcpy(rooms.data(), gathered.data(), gathered.size());
  expect_shared_memory_room(rooms, hosts_);
}

std::unique_ptr<NodeMemory> MpiJob::allocate_node_memory_all(std::int64_t bytes) {
  MAKESPAN_EXPECT(bytes > 0);
  expect_room_all(bytes);
  return std::make_unique<MpiNodeMemory>(*node_, wait_, bytes);
}

std::unique_ptr<Collectives> MpiJob::world_collectives_all() {
  return std::make_unique<MpiCollectives>(duplicate_all(), all_images(images_));
}

MpiCommunicator MpiJob::duplicate_all() {
  // Leaked if it is given up, since MPI may still write it.
  auto copy = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
  try {
    wait_.wait_for(*world_->duplicate(*copy), "MPI_Comm_idup");
  } catch (...) {
    leak(std::move(copy));
    throw;
  }
  return own_communicator(*copy, image_);
}

void MpiJob::report_loss(ImageId image, std::string const& why) {
  // Here at once, so that waits end; the monitor tells the others.
  losses_.note(image, "on host " + host(image) + ", " + why);
  if (monitor_) monitor_->suspect(image);
}

void MpiJob::finish_all() {
  bool have_all_come = true;
  try {
    wait_.meet_all(*world_, "finish");
    leave_all();
  } catch (ImageFailed const& failure) {
    have_all_come = false;
    // MPI may have noticed before the monitor did. It may also not say who is lost.
    if (lost_images() == 0 && failure.image() >= ImageId{0}) {
      losses_.note(failure.image(), failure.what());
    }
  }
  // An image whose monitor has failed hears of no loss, and cannot know that all has ended well.
  if (monitor_) monitor_->rethrow_failure();
  if (!have_all_come || lost_images() > 0) {
    if (lost_images() == 0) MpiProcess::note_loss(ImageId{}, "which of them, MPI does not say");
    let_go();
    return;
  }
  monitor_.reset();
  close_all();
  process_.finish_all(nodes_ == 1 || can_finalize_between_hosts(launcher_),
                      options_.finalize_limit);
}

// So that no image is taken for lost because it has come to its end before others.
void MpiJob::leave_all() {
  if (!monitor_) return;
  monitor_->leave();
  auto const begin = HeartbeatMonitor::now();
  // One that is lost never leaves.
  while (!monitor_->has_left() && lost_images() == 0) {
    if (HeartbeatMonitor::now() - begin > options_.finish_limit) {
      throw WaitTimeout("image " + std::to_string(image_.value()) +
                        ": the job did not end within " +
                        std::to_string(options_.finish_limit.value()) +
                        " s after all images had come to its end");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Images are missing: what is held together with them stays as it is.
void MpiJob::let_go() {
  process_.leave_running();  // MPI_Finalize would wait for the lost
  if (auto const lost = losses_.first()) MpiProcess::note_loss(*lost, losses_.reason(*lost));
  // A monitor that fails notes its own image as lost (HeartbeatMonitor::run), and no other image
  // has said so: such an image may still end the job (MpiBackend::abort_job).
  bool const has_failed = monitor_ && monitor_->has_failed();
  if (!has_failed && !losses_.reason(image_).empty()) process_.note_given_up();
  monitor_.reset();
  pulsed_.reset();
  pulse_.reset();
  leak(std::move(pulses_));
  leak(std::move(transport_));
  leak(std::move(node_));
  leak(std::move(world_));
}

}  // namespace makespan::pgas
