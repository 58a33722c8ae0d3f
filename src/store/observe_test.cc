#include "store/observe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <sstream>

#include "base/time.h"
#include "crash/disk/sim_testing.h"
#include "store/layout_store_testing.h"
#include "store/metrics_file.h"
#include "store/span_line.h"
#include "store/store_metrics.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string> lines_of(const SimFileSystem& disk, const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream in(disk.read_file(path).value_or(""));
  for (std::string line; std::getline(in, line);) {
    EXPECT_TRUE(is_json_object_line(line)) << line;
    lines.push_back(line);
  }
  return lines;
}

std::string at(const std::string& line, std::string_view key) {
  const JsonView value = JsonView(line).find(key);
  return value.as_string().value_or(std::string(value.raw()));
}

struct Watched {
  explicit Watched(const std::string& layout = "holdfast") {
    context.clock = &clock;
    options.layout = layout;
    options.roots[""] = "/store";
    options.write = options.create = true;
    options.log_file = "/watch/deep/log.jsonl";
    options.spans_file = "/watch/spans.jsonl";
    options.metrics_file = "/watch/metrics.jsonl";
    open();
  }
  void open() {
    store.reset();
    store = must(Store::open(context, disk, options));
  }
  std::vector<std::string> named(std::string_view name) const {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(disk, options.log_file)) {
      if (at(line, "name") == name) found.push_back(line);
    }
    return found;
  }

  TestClock clock;
  Context context;
  SimFileSystem disk;
  StoreOptions options;
  std::shared_ptr<Store> store;
};

Message prompt(std::string text) {
  Message message;
  message.blocks.push_back({.text = std::move(text)});
  return message;
}

TEST(Observe, LogsWritesAndTheirFailures) {
  Watched watched;
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  auto writer = must(watched.store->write(watched.context, id));
  must(writer->append(watched.context, prompt("hello there")));
  const auto good = watched.named("storage.write.success");
  ASSERT_GE(good.size(), 2U);
  EXPECT_EQ("append", at(good.back(), "operation"));
  EXPECT_EQ(id, at(good.back(), "session"));
  EXPECT_EQ("holdfast:/store", at(good.back(), "store"));
  EXPECT_EQ("info", at(good.back(), "level"));
  EXPECT_TRUE(parse_iso8601(at(good.back(), "time")));
  EXPECT_TRUE(JsonView(good.back()).find("ms").as_double());

  // Only the session's log is full, not the operators' log.
  class FullDisk final : public SimObserver {
   public:
    Injection before(const SimCall& call) override {
      if (call.kind != SimCallKind::append || !call.path.ends_with("messages.jsonl")) return {};
      return {Injection::Kind::fail, ENOSPC};
    }
  } full;
  watched.disk.set_observer(&full);
  EXPECT_FALSE(writer->append(watched.context, prompt("not kept")));
  watched.disk.set_observer(nullptr);
  const auto bad = watched.named("storage.write.failure");
  ASSERT_EQ(1U, bad.size());
  EXPECT_EQ("disk_full", at(bad[0], "code"));
  EXPECT_EQ(std::to_string(ENOSPC), at(bad[0], "os_error"));
  EXPECT_EQ("error", at(bad[0], "level"));
  EXPECT_NE(std::string::npos, at(bad[0], "path").find("messages.jsonl"));
  // A caller's mistake is not a storage failure.
  EXPECT_FALSE(watched.store->update(watched.context, "ses_none", {.title = "x"}));
  EXPECT_EQ(1U, watched.named("storage.write.failure").size());
  EXPECT_EQ(std::string::npos, must(watched.disk.read_file(watched.options.log_file)).find("hello there"));
}

TEST(Observe, LogsFailedReads) {
  Watched watched;
  const RecordKey key{"mission", "/p", "1700000000"};
  const auto put = [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{
        {RecordEdit::Kind::put, key, R"({"text":"t","created_at":"2026-01-01T00:00:00Z","active":true})"}};
  };
  must(watched.store->edit_records(watched.context, put));
  must(watched.store->get_record(watched.context, key));
  for (const std::string& path : watched.disk.paths()) {
    if (path.find("/missions/") != std::string::npos && path.ends_with(".json"))
      must(watched.disk.put_file(path, "{\"text\":"));
  }
  EXPECT_FALSE(watched.store->get_record(watched.context, key));
  const auto bad = watched.named("storage.read.failure");
  ASSERT_EQ(1U, bad.size());
  EXPECT_EQ("serialization_failed", at(bad[0], "code"));
  EXPECT_NE(std::string::npos, at(bad[0], "path").find("/missions/"));
  // Not found is an answer, not a failure.
  EXPECT_FALSE(watched.store->get(watched.context, "ses_none"));
  EXPECT_EQ(1U, watched.named("storage.read.failure").size());
}

TEST(Observe, LogsQueueEventsAndRedactsSecrets) {
  Watched watched;
  const std::string token = "ghp_" + std::string(18, 'a') + std::string(18, '7');
  note(watched.context, *watched.store, "sync.enqueue", {{"entity", "thread"}, {"attempts", std::int64_t{0}}});
  note(watched.context, *watched.store, "sync.attempt", {{"item", "sq_1"}});
  note(watched.context, *watched.store, "sync.fail", {{"path", std::string_view(token)}, {"ms", 1.5}});
  EXPECT_EQ("thread", at(watched.named("sync.enqueue").at(0), "entity"));
  EXPECT_EQ("info", at(watched.named("sync.attempt").at(0), "level"));
  EXPECT_EQ("error", at(watched.named("sync.fail").at(0), "level"));
  EXPECT_EQ("[redacted: GitHub token]", at(watched.named("sync.fail").at(0), "path"));
}

TEST(Observe, WritesNothingUnlessFileIsConfigured) {
  SimFileSystem disk;
  StoreOptions options;
  options.roots[""] = "/store";
  options.write = options.create = true;
  auto store = must(Store::open({}, disk, options));
  EXPECT_EQ(nullptr, observer_of(*store));
  note({}, *store, "sync.fail");
  count_tick(*store, Tick::sync_attempts);
  must(store->create({}, {.project = "/p"}));
  store.reset();
  for (const std::string& path : disk.paths()) EXPECT_TRUE(path.starts_with("/store")) << path;
}

TEST(Observe, UnwritableLogDoesNotFailOperations) {
  Watched watched;
  class NoLogs final : public SimObserver {
   public:
    Injection before(const SimCall& call) override {
      if (call.path.starts_with("/watch")) return {Injection::Kind::fail, EIO};
      return {};
    }
  } none;
  watched.disk.set_observer(&none);
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  must(must(watched.store->write(watched.context, id))->append(watched.context, prompt("x")));
  watched.disk.set_observer(nullptr);
  EXPECT_EQ(1U, must(watched.store->read(watched.context, id)).messages.size());
}

// ---- spans

struct Span {
  std::string name, trace, id, parent;
  std::int64_t begin = 0, end = 0;
};

std::vector<Span> spans_in(const SimFileSystem& disk) {
  std::vector<Span> spans;
  for (const std::string& line : lines_of(disk, "/watch/spans.jsonl")) {
    const JsonView resource = JsonView(line).find("resourceSpans").elements().begin()->value;
    const JsonView scope = resource.find("scopeSpans").elements().begin()->value;
    const JsonView span = scope.find("spans").elements().begin()->value;
    const auto text = [&](std::string_view key) { return span.find(key).as_string().value_or(""); };
    EXPECT_EQ(32U, text("traceId").size());
    EXPECT_EQ(16U, text("spanId").size());
    spans.push_back({text("name"), text("traceId"), text("spanId"), text("parentSpanId"),
                     std::stoll(text("startTimeUnixNano")), std::stoll(text("endTimeUnixNano"))});
  }
  return spans;
}

// One process creates the session, another resumes and ends it: one trace, with everything inside the session's span.
TEST(Observe, SessionSpanContainsSaveAndResume) {
  Watched watched;
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  must(must(watched.store->write(watched.context, id))->append(watched.context, prompt("x")));
  watched.open();
  watched.clock.step(std::chrono::seconds(60));
  {
    auto writer = must(watched.store->write(watched.context, id, {.lease = LeaseRequest::take}));
    watched.clock.step(std::chrono::seconds(1));
    must(writer->append(watched.context, prompt("y")));
    must(writer->close(watched.context));
  }
  watched.clock.step(std::chrono::seconds(1));
  must(watched.store->update(watched.context, id, {.status = Status::complete}));

  const std::vector<Span> spans = spans_in(watched.disk);
  std::map<std::string, int> names;
  for (const Span& span : spans) ++names[span.name];
  EXPECT_EQ(1, names["session.create"]);
  EXPECT_EQ(1, names["session.resume"]);
  EXPECT_GE(names["session.save"], 3);
  ASSERT_FALSE(spans.empty());
  const Span& whole = spans.back();
  ASSERT_EQ("session", whole.name);
  EXPECT_EQ("", whole.parent);
  EXPECT_EQ(trace_id("holdfast:/store", id), whole.trace);
  EXPECT_GE(whole.end - whole.begin, std::int64_t{62} * 1'000'000'000);
  for (const Span& span : spans) {
    EXPECT_EQ(whole.trace, span.trace);
    if (span.name == "session") continue;
    EXPECT_EQ(whole.id, span.parent);
    EXPECT_NE(whole.id, span.id);
    EXPECT_LE(whole.begin, span.begin);
    EXPECT_GE(whole.end, span.end);
  }
}

// The same on a layout whose messages are files: everything that seed 004 requires.
TEST(MaestroObserve, M14_LogsWritesAndFailedWritesAndReads) {
  Watched watched("maestro");
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  auto writer = must(watched.store->write(watched.context, id));
  const auto made = watched.named("storage.write.success").size();
  must(writer->append(watched.context, prompt("hello there")));
  EXPECT_GT(watched.named("storage.write.success").size(), made);
  class FullDisk final : public SimObserver {
   public:
    Injection before(const SimCall& call) override {
      const bool ours = call.path.find("/watch/") == std::string::npos;
      if (!ours || call.kind != SimCallKind::write_at) return {};
      return {Injection::Kind::fail, ENOSPC};
    }
  } full;
  watched.disk.set_observer(&full);
  EXPECT_FALSE(writer->append(watched.context, prompt("not kept")));
  watched.disk.set_observer(nullptr);
  const auto bad = watched.named("storage.write.failure");
  ASSERT_FALSE(bad.empty());
  EXPECT_EQ("disk_full", at(bad[0], "code"));
  // Without messages, nothing can be read of a session whose record is damaged.
  const std::string empty = must(watched.store->create(watched.context, {.project = "/p"}));
  for (const std::string& path : watched.disk.paths()) {
    if (path.find("/sessions/") != std::string::npos && path.ends_with(empty + ".json"))
      must(watched.disk.put_file(path, "{\"id\":"));
  }
  EXPECT_FALSE(watched.store->read(watched.context, empty));
  EXPECT_FALSE(watched.named("storage.read.failure").empty());
  EXPECT_EQ(std::string::npos, must(watched.disk.read_file(watched.options.log_file)).find("hello there"));
}

TEST(MaestroObserve, M14_LogsQueuedItems) {
  Watched watched("maestro");
  watched.options.sync = true;
  watched.open();
  must(watched.store->edit_records(watched.context, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
    return std::vector<RecordEdit>{{RecordEdit::Kind::put,
                                    {"thread", {}, "thr_1"},
                                    R"({"created_at":"2026-01-21T10:00:00Z","updated_at":"2026-01-21T10:00:00Z",)"
                                    R"("title":"T","privacy":{"localOnly":false}})"}};
  }));
  const auto queued = watched.named("sync.enqueue");
  ASSERT_FALSE(queued.empty());
  EXPECT_NE(std::string::npos, queued[0].find("thr_1"));
}

TEST(MaestroObserve, M16_SessionTraceContainsSaveAndResume) {
  Watched watched("maestro");
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  must(must(watched.store->write(watched.context, id))->append(watched.context, prompt("x")));
  watched.open();
  watched.clock.step(std::chrono::seconds(60));
  {
    auto writer = must(watched.store->write(watched.context, id, {.lease = LeaseRequest::take}));
    must(writer->append(watched.context, prompt("y")));
    must(writer->close(watched.context));
  }
  must(watched.store->update(watched.context, id, {.status = Status::complete}));
  std::map<std::string, int> names;
  const std::vector<Span> spans = spans_in(watched.disk);
  for (const Span& span : spans) {
    ++names[span.name];
    EXPECT_EQ(trace_id("maestro:/store", id), span.trace);
  }
  EXPECT_EQ(1, names["session.create"]);
  EXPECT_EQ(1, names["session.resume"]);
  EXPECT_GE(names["session.save"], 3);
  EXPECT_GE(names["session"], 1);
}

// ---- metrics

struct Exposition {
  std::map<std::string, std::string> types;
  std::map<std::string, double> samples;  // by name and labels
};

// Parses as much of the Prometheus text format as needed; a wrong line fails.
Exposition parse(const std::string& text) {
  Exposition all;
  EXPECT_TRUE(text.ends_with('\n'));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# HELP ")) continue;
    if (line.starts_with("# TYPE ")) {
      std::istringstream words(line.substr(7));
      std::string name, type;
      words >> name >> type;
      EXPECT_TRUE(all.types.emplace(name, type).second) << "twice: " << name;
      continue;
    }
    const std::size_t open = line.find('{');
    const std::size_t close = line.rfind("} ");
    if (open == std::string::npos || close == std::string::npos) {
      ADD_FAILURE() << line;
      continue;
    }
    const std::string name = line.substr(0, open);
    EXPECT_EQ(std::string::npos, name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_")) << line;
    std::string base = name;
    for (const std::string_view suffix : {"_bucket", "_sum", "_count"}) {
      if (base.ends_with(suffix)) base.resize(base.size() - suffix.size());
    }
    EXPECT_TRUE(all.types.contains(name) || all.types.contains(base)) << "no type: " << line;
    std::size_t used = 0;
    const std::string value = line.substr(close + 2);
    all.samples[line.substr(0, close + 1)] = std::stod(value, &used);
    EXPECT_EQ(used, value.size()) << line;
  }
  return all;
}

std::string labelled(const std::string& name, const std::string& more = "") {
  return name + "{store=\"holdfast:/store\"" + more + "}";
}

TEST(Observe, MetricsAddUpAcrossReopens) {
  Watched watched;
  for (int process = 0; process < 3; ++process) {
    const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
    must(watched.store->get(watched.context, id));
    count_tick(*watched.store, Tick::sync_attempts, 2);
    watched.open();
  }
  const Exposition all = parse(must(store_metrics(*watched.store, 0)));
  EXPECT_EQ("histogram", all.types.at("storage_write_ms"));
  EXPECT_EQ("histogram", all.types.at("storage_read_ms"));
  EXPECT_EQ("gauge", all.types.at("sync_queue_depth"));
  EXPECT_EQ("counter", all.types.at("sync_attempts_total"));
  EXPECT_EQ(6, all.samples.at(labelled("sync_attempts_total")));
  EXPECT_EQ(0, all.samples.at(labelled("sync_queue_depth")));
  for (const std::string name : {"storage_write_ms", "storage_read_ms"}) {
    const double count = all.samples.at(labelled(name + "_count"));
    EXPECT_GE(count, 3) << name;
    EXPECT_EQ(count, all.samples.at(labelled(name + "_bucket", ",le=\"+Inf\"")));
    EXPECT_GT(all.samples.at(labelled(name + "_sum")), 0);
    double before = 0;
    for (const double end : kBucketEnds) {
      std::ostringstream le;
      le << ",le=\"" << end << "\"";
      const double so_far = all.samples.at(labelled(name + "_bucket", le.str()));
      EXPECT_GE(so_far, before);
      before = so_far;
    }
  }
}

TEST(MaestroObserve, M15_CountsWritesReadsAndQueue) {
  Watched watched("maestro");
  const std::string id = must(watched.store->create(watched.context, {.project = "/p"}));
  must(watched.store->get(watched.context, id));
  watched.open();
  const Exposition all = parse(must(store_metrics(*watched.store, 0)));
  const std::string label = "{store=\"maestro:/store\"}";
  EXPECT_GE(all.samples.at("storage_write_ms_count" + label), 1);
  EXPECT_GE(all.samples.at("storage_read_ms_count" + label), 1);
  EXPECT_EQ(0, all.samples.at("sync_queue_depth" + label));
  EXPECT_EQ(0, all.samples.at("sync_attempts_total" + label));
}

TEST(Observe, MetricsFileStaysSmallAndLosesNothing) {
  SimFileSystem disk;
  MetricsBook one;
  one.count(Tick::sync_attempts, 1);
  one.timed(StorageTime::write, 3);
  for (int i = 0; i < 2000; ++i) must(add_to_metrics_file(disk, "/m/metrics.jsonl", one));
  EXPECT_LT(must(disk.read_file("/m/metrics.jsonl")).size(), 80U * 1024);
  must(disk.foreign_append("/m/metrics.jsonl", "{\"v\":1,\"sync_att"));  // torn: skipped
  const Exposition all = parse(read_metrics_file(disk, "/m/metrics.jsonl").exposition("holdfast:/store", 4));
  EXPECT_EQ(2000, all.samples.at(labelled("sync_attempts_total")));
  EXPECT_EQ(2000, all.samples.at(labelled("storage_write_ms_count")));
  EXPECT_EQ(4, all.samples.at(labelled("sync_queue_depth")));
}

TEST(Observe, LabelsAreEscapedInExposition) {
  const std::string text = MetricsBook().exposition("maestro:/a\"b\\c\nd", 0);
  EXPECT_NE(std::string::npos, text.find("sync_queue_depth{store=\"maestro:/a\\\"b\\\\c\\nd\"} 0\n"));
}

}  // namespace
}  // namespace holdfast::inline v1
