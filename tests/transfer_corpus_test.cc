// Every session of the corpus is exported as ATIF and as JSON and imported into the
// native layout: what the model knows arrives unchanged, and what it does not know
// (blocks of other kinds) is kept byte for byte and counted.
#include <fstream>
#include <iterator>
#include <set>

#include "base/paths_testing.h"
#include "model/model_json.h"
#include "model/time_formats.h"
#include "tests/corpus_testing.h"
#include "text/json_scan.h"
#include "text/json_write.h"
#include "transfer/atif_export.h"
#include "transfer/import.h"
#include "transfer/json_schema_testing.h"

namespace holdfast::inline v1 {
namespace {

class TransferCorpus : public OpenCorpus {
 protected:
  // Returns every session that says something, with all its branches.
  std::vector<Transcript> transcripts() {
    std::vector<Transcript> all;
    SessionFilter filter;
    filter.inner = true;
    const auto list = store_->list({}, filter);
    EXPECT_TRUE(list) << list.error().text();
    if (!list) return all;
    for (const Session& session : list->sessions) {
      auto read = store_->read({}, session.id, {.history = false, .branch = "all"});
      EXPECT_TRUE(read) << session.id << ": " << read.error().text();
      if (read && !read->messages.empty()) all.push_back(std::move(*read));
    }
    EXPECT_FALSE(all.empty());
    return all;
  }
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string json_of(const Transcript& transcript) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("session");
  write_session(json, transcript.session);
  json.key("messages").begin_array();
  for (const Message& message : transcript.messages) write_message(json, message, message.ordinal);
  return json.end_array().end_object().take();
}

// Checks what a schema cannot express.
void check_steps(JsonView trajectory) {
  std::int64_t number = 0;
  const JsonView steps = trajectory.find("steps");
  for (const JsonItem& step : steps.elements()) {
    EXPECT_EQ(step.value.find("step_id").as_int64(), ++number);
    std::set<std::string> calls;
    const JsonView made = step.value.find("tool_calls");
    for (const JsonItem& call : made.elements()) calls.insert(call.value.find("tool_call_id").as_string().value_or(""));
    const JsonView results = step.value.find("observation").find("results");
    for (const JsonItem& result : results.elements()) {
      if (const auto id = result.value.find("source_call_id").as_string()) {
        EXPECT_TRUE(calls.contains(*id)) << *id;
      }
    }
  }
}

TEST_P(TransferCorpus, EveryTrajectoryMatchesTheSchema) {
  const std::string schema = text_of_file(paths::source() + "/docs/formats/atif.schema.json");
  ASSERT_TRUE(check_json(schema).ok());
  const SchemaChecker checker{JsonView(schema)};
  std::size_t written = 0;
  for (const Transcript& transcript : transcripts()) {
    SCOPED_TRACE(transcript.session.id);
    for (const AtifVersion version : {AtifVersion::v1_7, AtifVersion::v1_6}) {
      const auto text = export_atif(transcript, {.version = version});
      if (!text) {
        EXPECT_EQ(text.error().code, Code::invalid_argument) << "nothing was said in it";
        continue;
      }
      ++written;
      for (const std::string& fault : checker.check(JsonView(*text))) ADD_FAILURE() << fault;
      check_steps(JsonView(*text));
      const auto back = read_import(*text);
      ASSERT_TRUE(back) << back.error().text();
      EXPECT_EQ(back->format, "atif");
    }
  }
  EXPECT_GT(written, 0u);
}

// The message as JSON, without what the native layout fills in where the agent left it out.
std::string told(Message message, const Message& original) {
  if (original.id.empty()) message.id.clear();
  if (original.parent.empty()) message.parent.clear();
  if (original.timestamp.empty()) message.timestamp.clear();
  message.abandoned = false;                                  // a property of the branch, not of the message
  for (Block& block : message.blocks) block.spilled.clear();  // the file that had the text, which is here
  JsonWriter json;
  write_message(json, message, 0);
  return json.take();
}

TEST_P(TransferCorpus, ExportAndImportLoseNothing) {
  std::size_t unknown = 0, unknown_after = 0;
  for (const Transcript& before : transcripts()) {
    SCOPED_TRACE(before.session.id);
    const auto imported = read_import(json_of(before));
    ASSERT_TRUE(imported) << imported.error().text();
    const auto native = Store::in_memory({});
    ASSERT_TRUE(native);
    const auto id = import_session({}, **native, *imported);
    ASSERT_TRUE(id) << id.error().text();
    const auto after = (*native)->read({}, id->id, {.branch = "all"});
    ASSERT_TRUE(after) << after.error().text();
    EXPECT_EQ(after->session.usage, before.session.usage);
    EXPECT_EQ(after->session.counts.user, before.session.counts.user);
    EXPECT_EQ(after->session.counts.assistant, before.session.counts.assistant);
    EXPECT_EQ(after->session.counts.tool_calls, before.session.counts.tool_calls);
    EXPECT_EQ(after->session.counts.tool_results, before.session.counts.tool_results);
    ASSERT_EQ(after->messages.size(), before.messages.size());
    for (std::size_t n = 0; n < before.messages.size(); ++n) {
      ASSERT_EQ(told(after->messages[n], before.messages[n]), told(before.messages[n], before.messages[n]))
          << "message " << n;
      for (const Block& block : before.messages[n].blocks) unknown += block.kind == BlockKind::other ? 1 : 0;
      for (const Block& block : after->messages[n].blocks) unknown_after += block.kind == BlockKind::other ? 1 : 0;
    }
  }
  EXPECT_EQ(unknown_after, unknown);
  RecordProperty("blocks_kept_verbatim", std::to_string(unknown));
}

INSTANTIATE_TEST_SUITE_P(Of, TransferCorpus, testing::ValuesIn(kCorpusAgents));

}  // namespace
}  // namespace holdfast::inline v1
