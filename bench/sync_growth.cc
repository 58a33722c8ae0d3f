#include "bench/sync_growth.h"

#include <fmt/core.h>
#include <time.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "archive/archive_writer.h"
#include "base/time.h"
#include "bench/must.h"
#include "disk/real_file_system.h"
#include "model/model_json.h"
#include "sync/charter.h"
#include "sync/remote_abilities.h"
#include "sync/run_sync.h"
#include "text/json_write.h"
#include "text/sizes.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t kSessionsOfEach = 10;  // if there are many devices
constexpr const char* kProject = "/made-up/project";

// Counts what goes over the wire. A request is answered in one round trip.
class CountedRemote final : public Remote, public KnowsItsWriters, public KeepsDamage {
 public:
  explicit CountedRemote(std::unique_ptr<Remote> inner) : inner_(std::move(inner)) {}

  std::uint64_t requests = 0, bytes = 0;

  std::string place() const override { return inner_->place(); }
  Result<std::optional<std::string>> charter(const Context& context) override {
    return ++requests, inner_->charter(context);
  }
  Result<RemoteOutcome> found(const Context& context, std::string_view charter) override {
    return ++requests, inner_->found(context, charter);
  }
  Result<std::vector<RemoteStream>> heads(const Context& context) override {
    auto heads = inner_->heads(context);
    constexpr std::size_t kHead = 16 + 8 + 8 + 32;
    if (heads) bytes += heads->size() * kHead;
    return ++requests, heads;
  }
  Result<RemoteOutcome> publish(const Context& context, const StreamId& stream, const StreamHead& expected,
                                std::span<const StreamSegment> segments) override {
    for (const StreamSegment& one : segments) bytes += size_of(one);
    return ++requests, inner_->publish(context, stream, expected, segments);
  }
  Result<std::vector<StreamSegment>> read_after(const Context& context, const StreamId& stream,
                                                std::uint64_t seq) override {
    auto segments = inner_->read_after(context, stream, seq);
    if (segments)
      for (const StreamSegment& one : *segments) bytes += size_of(one);
    return ++requests, segments;
  }
  Result<RemoteOutcome> erase_bodies(const Context& context, const StreamId& stream,
                                     std::span<const std::uint64_t> seqs) override {
    return ++requests, inner_->erase_bodies(context, stream, seqs);
  }
  Result<RemoteOutcome> store_chunks(const Context& context, std::string_view device,
                                     std::span<const RemoteChunk> chunks) override {
    for (const RemoteChunk& one : chunks) bytes += one.bytes.size();
    return ++requests, inner_->store_chunks(context, device, chunks);
  }
  Result<std::vector<std::optional<std::string>>> read_chunks(const Context& context, std::string_view device,
                                                              std::span<const std::string> names) override {
    auto chunks = inner_->read_chunks(context, device, names);
    if (chunks)
      for (const auto& one : *chunks) bytes += one ? one->size() : 0;
    return ++requests, chunks;
  }
  Result<RemoteOutcome> erase_chunks(const Context& context, std::string_view device,
                                     std::span<const std::string> names) override {
    return ++requests, inner_->erase_chunks(context, device, names);
  }
  Result<RemoteOutcome> erase_device(const Context& context, std::string_view device) override {
    return ++requests, inner_->erase_device(context, device);
  }
  Result<bool> is_read_only(const Context& context, const StreamId& stream) override {
    auto* const knowing = dynamic_cast<KnowsItsWriters*>(inner_.get());
    return knowing == nullptr ? Result<bool>(false) : (++requests, knowing->is_read_only(context, stream));
  }

 private:
  static std::size_t size_of(const StreamSegment& segment) {
    return segment.header.size() + (segment.body ? segment.body->size() : 0);
  }
  const std::unique_ptr<Remote> inner_;
};

const Charter& the_charter() {
  static const Charter charter{std::string(31, '0') + "7", "2026-11-16T00:00:00.000Z", false};
  return charter;
}

class Device {
 public:
  Device(const std::string& folder, std::string name) : folder_(folder + "/" + name), name_(std::move(name)) {
    std::filesystem::create_directories(folder_);
    const auto home = open_home();
    RemoteSettings settings{"r", "made-up", the_charter().id};
    settings.machine = name_;
    settings.shares.push_back({std::string("path:") + kProject, kProject, "full"});
    must(home->save({}, settings));
  }

  // Captures new sessions. They all have the same bytes: the rows are what grows.
  void record(std::size_t count) {
    const auto writer = must(ArchiveWriter::open({}, real_file_system(), archive()));
    const std::string line = "{\"type\":\"user\"}\n";
    FileVersion version;
    version.blocks.push_back({must(writer->add_chunk({}, line)), static_cast<std::uint32_t>(line.size())});
    version.size = line.size();
    const auto file = std::make_shared<FileVersion>(version);
    for (std::size_t i = 0; i < count; ++i, ++recorded_) {
      Capture capture;
      const std::string id = fmt::format("{}-{:08}-4d2c-9f6b-5b7a1c3e9d20", name_, recorded_);
      capture.session = {"claude-code", "/home/me/.claude", id};
      capture.at = "2026-11-16T00:00:00.000Z";
      capture.row = row_of(id);
      capture.files.push_back({{"", "projects/-made-up-project/" + id + ".jsonl"}, file});
      must(writer->add({}, std::move(capture)));
    }
    must(writer->close({}));
  }

  void sync(Remote& remote) {
    const auto home = open_home();
    const auto lock = must(home->lock());
    RemoteSettings settings = must(home->remote({}, "r"));
    auto local = Archive::open({}, real_file_system(), archive());
    SyncReport report;
    must(run_sync({}, *home, settings, remote, local ? local->get() : nullptr, nullptr, report));
    for (const auto* const findings : {&report.pulled.findings, &report.pushed.findings})
      if (!findings->empty()) stop(findings->front().kind + ": " + findings->front().consequence);
    received += report.pulled.sessions.size();
  }

  std::size_t received = 0;

 private:
  std::string archive() const { return folder_ + "/archive"; }
  std::unique_ptr<SyncHome> open_home() const {
    return must(SyncHome::open({}, real_file_system(), folder_ + "/sync", true));
  }
  static std::string row_of(const std::string& id) {
    Session row{.id = id, .layout = "claude-code"};
    row.path = "projects/-made-up-project/" + id + ".jsonl";
    row.project = kProject;
    row.first_prompt = "please look at the failing test of session " + id + " and mend what is wrong there";
    row.created_at = "2026-11-16T00:00:00.000Z";
    row.updated_at = "2026-11-16T01:00:00.000Z";
    row.models = {"claude-opus-5-5"};
    row.counted = true;
    JsonWriter json;
    write_session(json, row);
    return json.take();
  }

  const std::string folder_, name_;
  std::size_t recorded_ = 0;
};

// CPU time of this process. On a busy machine it says more than the clock.
double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Row measured(const std::string& name, CountedRemote& remote, const std::function<void()>& deed) {
  remote.requests = remote.bytes = 0;
  const auto begin = std::chrono::steady_clock::now();
  const double before = cpu_ms();
  deed();
  const double worked = cpu_ms() - before;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  return {.name = fmt::format("{}: {}, {}", name, counted(remote.requests, "request"), human_size(remote.bytes)),
          .p50 = took.count(),
          .unit = "ms",
          .cpu_ms = worked};
}

std::unique_ptr<CountedRemote> new_remote(const SyncGrowth& request, const std::string& name) {
  auto remote = std::make_unique<CountedRemote>(request.connect(name));
  if (must(remote->found({}, write_charter(the_charter()))) != RemoteOutcome::done) stop("the remote is not empty");
  return remote;
}

Group with_sessions(const SyncGrowth& request, std::size_t count) {
  const std::string name = fmt::format("sessions{}", count);
  const std::string folder = request.folder + "/" + name;
  const auto remote = new_remote(request, name);
  Device writer(folder, "writer"), reader(folder, "reader");
  writer.record(count);
  Group group{fmt::format("{} sessions of one device, {}", count, request.remote), {}};
  group.rows.push_back(measured("publish them all", *remote, [&] { writer.sync(*remote); }));
  group.rows.push_back(measured("read them all, on a new device", *remote, [&] { reader.sync(*remote); }));
  if (reader.received != count) stop(fmt::format("{} of {} sessions were received", reader.received, count));
  if (count <= 10'000) {
    Row& read = group.rows.back();
    read.goal = "<= 300 ms";
    read.met = read.p50 <= 300;
  }
  writer.sync(*remote);  // that its stream was read is known now
  reader.sync(*remote);
  for (Device* const device : {&reader, &writer}) {
    group.rows.push_back(measured(device == &reader ? "nothing new" : "nothing new, on the device that shares them",
                                  *remote, [&] { device->sync(*remote); }));
    Row& nothing = group.rows.back();
    nothing.goal = "<= 3 requests";
    nothing.met = remote->requests <= 3;
  }
  writer.record(1);
  group.rows.push_back(measured("publish one more", *remote, [&] { writer.sync(*remote); }));
  group.rows.push_back(measured("read one more", *remote, [&] { reader.sync(*remote); }));
  std::filesystem::remove_all(folder);
  return group;
}

Group with_devices(const SyncGrowth& request, std::size_t count) {
  const std::string name = fmt::format("devices{}", count);
  const std::string folder = request.folder + "/" + name;
  const auto remote = new_remote(request, name);
  std::vector<std::unique_ptr<Device>> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(std::make_unique<Device>(folder, fmt::format("writer{}", i)));
    all.back()->record(kSessionsOfEach);
    all.back()->sync(*remote);
  }
  Device reader(folder, "reader");
  Group group{fmt::format("{} devices with {} sessions each, {}", count, kSessionsOfEach, request.remote), {}};
  group.rows.push_back(measured("read them all, on a new device", *remote, [&] { reader.sync(*remote); }));
  if (reader.received != count * kSessionsOfEach) stop(fmt::format("{} sessions were received", reader.received));
  reader.sync(*remote);
  group.rows.push_back(measured("nothing new", *remote, [&] { reader.sync(*remote); }));
  Row& nothing = group.rows.back();
  nothing.goal = "<= 3 requests";
  nothing.met = remote->requests <= 3;
  all.front()->record(1);
  all.front()->sync(*remote);
  group.rows.push_back(measured("read one more session", *remote, [&] { reader.sync(*remote); }));
  std::filesystem::remove_all(folder);
  return group;
}

}  // namespace

std::vector<Group> measure_sync_growth(const SyncGrowth& request) {
  std::vector<Group> groups;
  for (const std::size_t count : request.sessions) groups.push_back(with_sessions(request, count));
  for (const std::size_t count : request.devices) groups.push_back(with_devices(request, count));
  return groups;
}

}  // namespace holdfast::bench
