// Half a line, cut at any byte, with the next one glued to it: every layout gets the next one,
// and nothing is made up if there is no next one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "crash/disk/sim_file_system.h"
#include "index/directory_feed.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

// Lines as each agent writes them: one with all kinds of values inside, and one that follows.
const std::
    map<std::string_view, std::vector<std::string>>
        kSamples =
            {
                {"claude-code",
                 {R"({"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2","gitBranch":"","type":"user","message":{"role":"user","content":"say \"{\" [1]"},"uuid":"u1","timestamp":"2026-01-01T00:00:00Z"})",
                  R"({"parentUuid":"u1","isSidechain":false,"cwd":"/w","sessionId":"s","type":"assistant","message":{"model":"m","id":"r","type":"message","role":"assistant","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"Read","input":{"path":"/x","limits":[1,{"a":{}}]}}],"usage":{"input_tokens":1,"output_tokens":2,"iterations":[{"type":"message"}]}},"uuid":"u2","timestamp":"2026-01-01T00:00:01Z"})",
                  R"({"parentUuid":"u2","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"ok"}]}]},"toolUseResult":{"type":"text","file":{"filePath":"/x"}},"uuid":"u3","timestamp":"2026-01-01T00:00:02Z"})",
                  R"({"type":"summary","summary":"x","leafUuid":"u3"})"}},
                {"codex",
                 {R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"i","git":{"branch":"b"},"source":[1,{"a":2}]}})",
                  R"({"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a {"}]}})",
                  R"({"timestamp":"2026-01-01T00:00:02Z","type":"event_msg","payload":{"type":"token_count","info":{"total":{"input":1}}}})"}},
                {"copilot",
                 {R"({"type":"user.message","data":{"content":"x","attachments":[{"type":"file","path":"p"}]},"id":"a","timestamp":"t","parentId":null})",
                  R"({"type":"assistant.message","data":{"messageId":"m","toolRequests":[{"toolCallId":"c","arguments":{"k":[{}]}}]},"id":"b","timestamp":"t","parentId":"a"})",
                  R"({"type":"tool.execution_complete","data":{"result":{"content":"ok"}},"id":"c","timestamp":"t","parentId":"b"})"}},
                {"gemini",
                 {R"({"sessionId":"s","projectHash":"h","startTime":"t","lastUpdated":"t","kind":"main"})",
                  R"({"id":"1","timestamp":"t","type":"user","content":[{"text":"x"}]})",
                  R"({"id":"2","timestamp":"t","type":"gemini","content":"y","toolCalls":[{"id":"c","name":"n","args":{"a":{"b":[1,{}]}},"status":"success","timestamp":"t","result":[{"functionResponse":{"id":"c","response":{"output":"z"}}}]}],"thoughts":[],"tokens":{"input":1},"model":"m"})",
                  R"({"$set":{"lastUpdated":"t2"}})", R"({"$rewindTo":"1"})"}},
                {"holdfast",
                 {R"({"type":"session","schema_version":1,"id":"ses_k7f3","created_at":"t","parent":{"id":"ses_a","kind":"fork","message":"m"}})",
                  R"({"type":"message","id":"msg_1","parent":null,"role":"user","origin":"typed","timestamp":"t","blocks":[{"type":"text","text":"why {"}]})",
                  R"({"type":"message","id":"msg_2","parent":"msg_1","role":"assistant","origin":"model","timestamp":"t","usage":{"input":1,"output":2},"blocks":[{"type":"tool_call","id":"c","name":"Read","input":{"path":"a","deep":[{"b":{}}]}},{"type":"other","raw":{"type":"x","id":"y"}}]})",
                  R"({"type":"leaf","message":"msg_1","timestamp":"t"})"}},
                {"linggen",
                 {R"({"agent_id":"ling","from_id":"user","to_id":"ling","content":"hello {","timestamp":1,"is_observation":false})",
                  R"({"agent_id":"ling","from_id":"ling","to_id":"user","content":"hi","timestamp":2,"is_observation":false,"usage":{"input":1,"more":[{"a":{}}]}})",
                  R"({"agent_id":"ling","from_id":"system","to_id":"ling","content":"Tool Read: x","timestamp":3,"is_observation":true})"}},
                {"open-agent",
                 {R"({"type":"session_header","id":"i","model":"m","provider":"p","createdAt":1,"updatedAt":2,"options":{"model":"m","list":[{"a":1}]}})",
                  R"({"type":"user","uuid":"u1","session_id":"s","message":{"role":"user","content":"x"},"parent_tool_use_id":null})",
                  R"({"type":"assistant","uuid":"u2","session_id":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{"a":[{}]}}],"tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{}"}}]},"parent_tool_use_id":null})",
                  R"({"type":"tool_result","uuid":"u3","session_id":"s","tool_use_id":"t","tool_name":"n","result":{"a":1},"is_error":false})"}},
                {"openclaw",
                 {R"({"type":"session","version":3,"id":"i","timestamp":"t","parentId":null,"cwd":"/w"})",
                  R"({"type":"message","id":"1","parentId":null,"timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"x"}],"timestamp":1}})",
                  R"({"type":"message","id":"2","parentId":"1","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":{}}}],"usage":{"input":1,"cost":{"total":0}},"timestamp":2}})"}},
                {"pi",
                 {R"({"type":"session","version":3,"id":"i","timestamp":"t","cwd":"/w"})",
                  R"({"type":"model_change","id":"0","parentId":null,"timestamp":"t","provider":"p","modelId":"m"})", R"({"type":"message","id":"1","parentId":"0","timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"x"}],"timestamp":1}})", R"({"type":"message","id":"2","parentId":"1","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":[{}]}}],"usage":{"input":1,"cost":{"total":0}},"timestamp":2}})"}},
                {"qwen",
                 {R"({"uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"t","type":"user","cwd":"/w","version":"1","message":{"role":"user","parts":[{"text":"x"}]}})",
                  R"({"uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"t","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"n","args":{"a":[{}]}}}]},"usageMetadata":{"totalTokenCount":1}})",
                  R"({"uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"t","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c","response":{"output":"y"}}}]},"toolCallResult":{"callId":"c","status":"success"}})"}},
};

struct GluedLines : testing::Test {
  Context context;
  SimFileSystem files;

  std::vector<std::string> records(const std::string& bytes, Check check) {
    EXPECT_TRUE(files.put_file("/s/log.jsonl", bytes));
    auto directory = files.open_directory("/s", false);
    EXPECT_TRUE(directory);
    const RootDirectories roots{{"home", directory->get()}};
    DirectoryFeed feed(context, roots, check);
    std::vector<std::string> all;
    EXPECT_TRUE(feed.records({"home", "log.jsonl"}, {}, [&](const FeedRecord& record) {
      all.emplace_back(record.bytes);
      return true;
    }));
    // Reading from the end gives the same.
    if (check == Check::whole) {
      DirectoryFeed last(context, roots, check);
      std::vector<std::string> again;
      EXPECT_TRUE(last.last_records({"home", "log.jsonl"}, 100, UINT64_MAX, [&](const FeedRecord& record) {
        again.emplace_back(record.bytes);
        return true;
      }));
      EXPECT_EQ(again, all);
    }
    return all;
  }
};

TEST_F(GluedLines, NextLineIsReadAfterACutAtAnyByte) {
  for (const auto& [name, lines] : kSamples) {
    SCOPED_TRACE(name);
    for (const std::string& half : lines) {
      for (const std::string& next : lines) {
        for (std::size_t cut = 1; cut < half.size(); ++cut) {
          for (const Check check : {Check::whole, Check::objects}) {
            const auto found = records(half.substr(0, cut) + next + "\n" + lines[0] + "\n", check);
            ASSERT_EQ(found, (std::vector{next, lines[0]})) << half.substr(0, cut);
          }
        }
      }
    }
  }
}

TEST_F(GluedLines, NothingInsideATornLineIsARecord) {
  for (const auto& [name, lines] : kSamples) {
    SCOPED_TRACE(name);
    for (const std::string& half : lines) {
      for (std::size_t cut = 1; cut < half.size(); ++cut) {
        const auto front = records(half.substr(0, cut) + "\n" + lines[0] + "\n", Check::whole);
        ASSERT_EQ(front, std::vector{lines[0]}) << half.substr(0, cut);
      }
    }
  }
}

// A layout with logs must define what a record is.
TEST_F(GluedLines, EveryLayoutWithLogsHasSamples) {
  for (const Layout* layout : layouts()) {
    const bool documents_only = layout->name() == "lopen" || layout->name() == "maestro" ||
                                layout->name() == "workflow" || layout->name() == "opencode" ||
                                layout->name() == "continue";
    EXPECT_EQ(kSamples.contains(layout->name()), !documents_only) << layout->name();
  }
}

}  // namespace
}  // namespace holdfast::inline v1
