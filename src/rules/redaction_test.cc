// Sessions full of planted secrets, on every writable layout, with redaction: at the
// end, and after every single call to the disk, even with failures, no secret is in the
// tree or in anything that the store reported.
#include <gtest/gtest.h>
#include <holdfast/store.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "crash/disk/sim_testing.h"
#include "layout/layout.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "rules/runs/logs.h"
#include "rules/upkeep/prompt_history.h"
#include "store/session_header.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/redact_json.h"
#include "text/secrets_testing.h"

namespace holdfast::inline v1 {
namespace {

using ::holdfast::testing::kLetters;
using ::holdfast::testing::made_up;

// A different secret for every place, so a leak shows where it came from.
class Planted {
 public:
  std::string operator()(const std::string& place) {
    std::string& secret = by_place_[place];
    if (secret.empty()) secret = "ghp_" + made_up(kLetters, 36, by_place_.size() * 977);
    return secret;
  }
  // A value that only its name reveals as a secret.
  std::string plain(const std::string& place) {
    std::string& secret = by_place_[place];
    if (secret.empty()) secret = "zq" + made_up("bcdfghjkmnpqrstvwxz", 8, by_place_.size() * 31);
    return secret;
  }
  std::vector<std::string> seen_in(std::string_view text) const {
    std::vector<std::string> places;
    for (const auto& [place, secret] : by_place_) {
      if (text.find(secret) != std::string_view::npos) places.push_back(place);
    }
    return places;
  }

 private:
  std::map<std::string, std::string> by_place_;
};

std::string seen_on(const Planted& planted, const SimFileSystem& disk) {
  std::string leaks;
  for (const SimEntry& entry : disk.tree()) {
    for (const std::string& place : planted.seen_in(entry.path + "\n" + entry.bytes))
      leaks += place + " in " + entry.path + "; ";
  }
  return leaks;
}

Message text_message(Role role, std::string text) {
  Message message;
  message.role = role;
  message.origin = role == Role::assistant ? Origin::model : role == Role::tool ? Origin::tool : Origin::typed;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

// Every kind of input to a store; if a layout cannot hold one, the refusal is recorded.
class Workload {
 public:
  Workload(Store& store, Planted& planted) : store_(store), plant_(planted) {
    store.subscribe([this](const StoreEvent& event) { said_ += event.name + event.json + "\n"; });
  }

  std::string run() {
    session();
    messages();
    if (!id_.empty()) {
      keep(store_.update({}, id_, {.title = plant_("patch title")}));
      keep(store_.update({}, id_, {.summary = "it was " + plant_("patch summary")}));
      keep(store_.update({}, id_, {.metadata = "{\"options\":{\"note\":\"" + plant_("patch metadata") + "\"}}"}));
      keep(store_.fork({}, id_, {.title = plant_("fork title")}));
      if (const auto read = store_.read({}, id_, {.raw = true})) {
        for (const Message& message : read->messages) said_ += message.raw;
      }
    }
    records();
    keep(append_prompt({}, store_,
                       {plant_("prompt"), "{\"1\":{\"content\":\"" + plant_("pasted") + "\"}}", "", "/p", ""}));
    keep(append_prompt({}, store_, {"x", "{}", plant_("prompt time"), "/p", ""}));
    keep(write_log({}, store_, "log " + plant_("log")));
    if (const auto list = store_.list({}, {})) {
      for (const Session& row : list->sessions) said_ += row.title + row.first_prompt + row.metadata + row.summary;
    }
    return said_;
  }

 private:
  template <typename T>
  void keep(const Result<T>& result) {
    if (!result) said_ += result.error().text() + "\n";
  }

  void session() {
    SessionDraft draft;
    draft.project = "/p";
    if (find_layout(store_.layout_name())->traits().sessions_in_threads) draft.thread = a_thread();
    draft.title = "title " + plant_("draft title");
    draft.first_prompt = plant_("draft prompt");
    draft.git_branch = "b-" + plant_("draft branch");
    draft.metadata = "{\"env\":{\"TERM\":\"xterm\",\"DEPLOY_KEY\":\"" + plant_.plain("environment") +
                     "\"},\"note\":\"" + plant_("draft metadata") + "\"}";
    auto made = store_.create({}, draft);
    if (!made) {
      keep(made);
      SessionDraft plain;
      plain.project = "/p";
      plain.thread = draft.thread;
      made = store_.create({}, plain);
    }
    keep(made);
    if (made) id_ = *made;
  }

  std::string a_thread() {
    keep(store_.edit_records({}, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
      return std::vector<RecordEdit>{{RecordEdit::Kind::put,
                                      {"thread", {}, "thr_1"},
                                      R"({"created_at":"2026-11-15T00:00:00Z","updated_at":"2026-11-15T00:00:00Z",)"
                                      R"("title":")" +
                                          plant_("thread title") + "\"}"}};
    }));
    return "thr_1";
  }

  void messages() {
    if (id_.empty()) return;
    auto writer = store_.write({}, id_, {});
    if (!writer) return keep(writer);
    const auto say = [&](const Message& message) { keep((*writer)->append({}, message)); };
    say(text_message(Role::user, "my key: " + plant_("user text")));
    say(text_message(Role::user, "DB_PASSWORD=" + plant_.plain("named in text") + "\n"));
    say(text_message(Role::assistant, "you said " + plant_("assistant text")));
    say(text_message(Role::user, std::string(300 * 1024, 'x') + " " + plant_("blob")));
    Message call = text_message(Role::assistant, plant_("assistant with call"));
    call.blocks.push_back({.kind = BlockKind::thinking, .text = plant_("thinking")});
    call.blocks.push_back({.kind = BlockKind::tool_call,
                           .id = "call-1",
                           .name = "bash",
                           .json = "{\"command\":\"curl -H 'x: \\u0067" + plant_("escaped").substr(1) +
                                   "'\",\"env\":{\"MY_TOKEN\":\"" + plant_.plain("tool environment") + "\"}}"});
    call.context.cwd = "/srv/" + plant_("cwd");
    call.context.git_branch = plant_("branch");
    call.model = plant_("model");
    say(call);
    Message result = text_message(Role::tool, "");
    result.blocks[0] = {
        .kind = BlockKind::tool_result, .text = std::string(40000, 'y') + "\n" + plant_("tool result"), .id = "call-1"};
    say(result);
    Message other = text_message(Role::system, "");
    other.blocks[0] = {.kind = BlockKind::other, .json = "{\"type\":\"x\",\"y\":[\"" + plant_("other") + "\"]}"};
    say(other);
    Message late = text_message(Role::user, "x");
    late.timestamp = plant_("timestamp");
    say(late);
    keep((*writer)->append_raw({}, "{\"type\":\"user\",\"role\":\"user\",\"uuid\":\"u-1\",\"content\":\"\\u0067" +
                                       plant_("raw").substr(1) + "\",\"agent_id\":\"a\",\"from_id\":\"user\"," +
                                       "\"to_id\":\"a\",\"timestamp\":1700000000,\"is_observation\":false}"));
    keep((*writer)->append_raw({}, "{\"broken\":\"" + plant_("broken raw")));
    keep((*writer)->close({}));
  }

  // Writes every kind of record, with a secret in each of its texts.
  void records() {
    for (const RecordShape& shape : shapes_of(*find_layout(store_.layout_name()))) {
      if (shape.secret || shape.kind == "config" || shape.kind == "log" || shape.form == RecordFormat::json_lines)
        continue;
      const std::string place = "record " + std::string(shape.kind);
      JsonWriter json;
      json.begin_object();
      const bool body = shape.form == RecordFormat::opaque || shape.form == RecordFormat::markdown;
      if (body) json.key("body").string("# A\n\n" + plant_(place) + "\n");
      for (const FieldShape& field : shape.fields) {
        if (field.name == shape.id_field || field.name == "schema_version" || field.name == "id") continue;
        json.key(field.name);
        switch (field.kind) {
          case FieldKind::string:
            field.name.ends_with("_id") || field.name == "path" ? json.string("/p") : json.string(plant_(place));
            break;
          case FieldKind::time: json.string("2026-11-15T00:00:00Z"); break;
          case FieldKind::boolean: json.boolean(true); break;
          case FieldKind::integer: json.int64(1); break;
          case FieldKind::number: json.number(1); break;
          case FieldKind::array: json.raw("[\"" + plant_(place) + "\"]"); break;
          case FieldKind::object:
          case FieldKind::json: json.raw("{\"deep\":[\"" + plant_(place) + "\"]}"); break;
        }
      }
      json.end_object();
      const RecordKey key{std::string(shape.kind), shape.per_project() ? "/p" : "", shape.many() ? "rec-1" : ""};
      keep(store_.edit_records({}, [&](const Store::Look&) -> Result<std::vector<RecordEdit>> {
        return std::vector<RecordEdit>{{RecordEdit::Kind::put, key, json.text()}};
      }));
    }
  }

  Store& store_;
  Planted& plant_;
  std::string id_;
  std::string said_;
};

StoreOptions options_for(const std::string& layout, RedactOptions request) {
  StoreOptions options;
  options.layout = layout;
  for (const RootName& root : find_layout(layout)->roots())
    options.roots.emplace(root.name, "/" + std::string(root.name));
  options.write = options.create = true;
  options.cache = "/cache";
  options.redact_inputs = request.inputs;
  options.redact_outputs = request.outputs;
  options.log_file = "/watch/log.jsonl";
  options.spans_file = "/watch/spans.jsonl";
  options.metrics_file = "/watch/metrics.jsonl";
  return options;
}

std::vector<std::string> writable_layouts() {
  std::vector<std::string> names;
  for (const Layout* layout : layouts()) {
    if (layout->writable()) names.emplace_back(layout->name());
  }
  return names;
}

// Checks the tree after every call that changed it, so no temporary file and no journal escapes.
class LeakWatch final : public SimObserver {
 public:
  LeakWatch(const SimFileSystem& disk, const Planted& planted) : disk_(disk), planted_(planted) {}
  void after(const SimCall& call) override {
    if (!leaks.empty() || (call.kind != SimCallKind::append && call.kind != SimCallKind::write_at)) return;
    for (const std::string& place : planted_.seen_in(disk_.read_file(call.path).value_or("")))
      leaks += place + " in " + call.path + "; ";
  }
  std::string leaks;

 private:
  const SimFileSystem& disk_;
  const Planted& planted_;
};

class FailOnce final : public SimObserver {
 public:
  explicit FailOnce(std::uint64_t at) : at_(at) {}
  Injection before(const SimCall& call) override {
    if (call.index != at_) return {};
    return {at_ % 3 == 0 ? Injection::Kind::short_write : Injection::Kind::fail, at_ % 2 == 0 ? ENOSPC : EIO};
  }

 private:
  std::uint64_t at_;
};

class Redaction : public ::testing::TestWithParam<std::string> {};

TEST_P(Redaction, NoSecretReachesDiskOrCaller) {
  SimFileSystem disk;
  Planted planted;
  LeakWatch watch(disk, planted);
  disk.set_observer(&watch);
  std::string said;
  {
    auto store = must(Store::open({}, disk, options_for(GetParam(), {true, true})));
    said = Workload(*store, planted).run();
  }
  disk.set_observer(nullptr);
  EXPECT_EQ("", watch.leaks);
  EXPECT_EQ("", seen_on(planted, disk));
  EXPECT_EQ(std::vector<std::string>{}, planted.seen_in(said)) << said;
  const std::string all = picture(disk);
  EXPECT_NE(std::string::npos, all.find("[redacted: GitHub token]")) << "nothing was recorded at all";
}

TEST_P(Redaction, NoSecretLeaksAfterFailedCall) {
  std::uint64_t calls = 0;
  {
    SimFileSystem disk;
    Planted planted;
    auto store = must(Store::open({}, disk, options_for(GetParam(), {true, true})));
    Workload(*store, planted).run();
    calls = disk.calls();
  }
  ASSERT_GT(calls, 20U);
  const std::uint64_t step = calls / 40 + 1;
  for (std::uint64_t at = 3; at < calls; at += step) {
    SimFileSystem disk;
    Planted planted;
    FailOnce fault(at);
    disk.set_observer(&fault);
    std::string said;
    if (const auto store = Store::open({}, disk, options_for(GetParam(), {true, true})))
      said = Workload(**store, planted).run();
    disk.set_observer(nullptr);
    ASSERT_EQ("", seen_on(planted, disk)) << "call " << at;
    ASSERT_EQ(std::vector<std::string>{}, planted.seen_in(said)) << "call " << at;
  }
}

// Without redaction, the same workload leaves them: the tests above look in the right places.
TEST_P(Redaction, DisabledRedactionChangesNothing) {
  SimFileSystem disk;
  Planted planted;
  {
    auto store = must(Store::open({}, disk, options_for(GetParam(), {})));
    Workload(*store, planted).run();
  }
  const std::string all = picture(disk);
  EXPECT_EQ(std::string::npos, all.find("[redacted"));
  EXPECT_FALSE(planted.seen_in(all).empty());
  // What operators see contains no text, with or without redaction.
  for (const std::string path : {"/watch/log.jsonl", "/watch/spans.jsonl", "/watch/metrics.jsonl"})
    EXPECT_EQ(std::vector<std::string>{}, planted.seen_in(disk.read_file(path).value_or(""))) << path;
}

INSTANTIATE_TEST_SUITE_P(Layouts, Redaction, ::testing::ValuesIn(writable_layouts()), [](const auto& name) {
  std::string text = name.param;
  std::erase(text, '-');
  return text;
});

TEST(RedactionSwitches, InputAndOutputSwitchesAreIndependent) {
  for (const bool inputs : {true, false}) {
    SimFileSystem disk;
    Planted planted;
    auto store = must(Store::open({}, disk, options_for("holdfast", {inputs, !inputs})));
    Workload(*store, planted).run();
    const std::vector<std::string> seen = planted.seen_in(picture(disk));
    const auto has = [&](const std::string& place) { return std::ranges::find(seen, place) != seen.end(); };
    EXPECT_EQ(has("user text"), !inputs);
    EXPECT_EQ(has("escaped"), false) << "an escape cannot be found by its letters";
    EXPECT_EQ(has("tool environment"), !inputs);
    EXPECT_EQ(has("environment"), false) << "native metadata is filtered always";
    EXPECT_EQ(has("draft metadata"), !inputs);
    EXPECT_EQ(has("assistant text"), inputs);
    EXPECT_EQ(has("thinking"), inputs);
    EXPECT_EQ(has("tool result"), inputs);
  }
}

TEST(RedactionHeaders, MetadataDropsNewSecretsAndReportsOldOnes) {
  SimFileSystem disk;
  auto store = must(Store::open({}, disk, options_for("holdfast", {})));
  const std::string metadata = R"({"a":1,"mcp":{"env":{"API_KEY":"zqplain","TERM":"x"}},"maxTokens":7})";
  const std::string id = must(store->create({}, {.project = "/p", .metadata = metadata}));
  EXPECT_EQ(must(store->get({}, id)).metadata, R"({"a":1,"mcp":{"env":{"TERM":"x"}},"maxTokens":7})");
  must(store->update({}, id, {.metadata = R"({"authToken":"zqplain","b":2})"}));
  EXPECT_EQ(std::string::npos, picture(disk).find("zqplain"));

  // A program without redaction wrote one earlier.
  std::string path;
  for (const std::string& each : disk.paths()) {
    if (each.ends_with("/session.json")) path = each;
  }
  std::string document = must(disk.read_file(path));
  const std::size_t at = document.find("\"b\"");
  ASSERT_NE(std::string::npos, at);
  document.insert(at, "\"password\": \"zqplain\", ");
  must(disk.put_file(path, document));
  const Transcript read = must(store->read({}, id, {}));
  EXPECT_EQ(std::string::npos, read.session.metadata.find("zqplain"));
  ASSERT_EQ(1U, read.findings.size());
  EXPECT_EQ("secret_in_header", read.findings[0].kind);
  EXPECT_EQ(0, read.session.damage);
  must(write_header({}, *store, id, HeaderRequest::without_secrets));
  EXPECT_EQ(std::string::npos, picture(disk).find("zqplain"));
  EXPECT_TRUE(must(store->read({}, id, {})).findings.empty());
}

}  // namespace
}  // namespace holdfast::inline v1
