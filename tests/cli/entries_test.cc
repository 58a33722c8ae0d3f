// Entries through the door that programs use, as the adapters in bindings/ rely on them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "disk/real_testing.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Entries : testing::Test {
  TemporaryDirectory scratch;
  std::string where = "holdfast:" + scratch.path("store");
  RpcProcess door{scratch.path(), {"--store", where}};

  // Returns the answer's result, or its error.
  std::string ask(RpcProcess& to, const std::string& verb, const std::string& params) {
    const std::string answer = to.ask("entry." + verb, params);
    const JsonView result = JsonView(answer).find("result");
    return std::string(result ? result.raw() : JsonView(answer).find("error").raw());
  }
  std::string ask(const std::string& verb, const std::string& params) { return ask(door, verb, params); }
  std::string append(const std::string& key, const std::string& entries, const std::string& more = "") {
    return ask("append", "{" + key + ",\"entries\":" + entries + more + "}");
  }
  std::string load(const std::string& key) {
    const std::string answer = ask("load", "{" + key + "}");
    return std::string(JsonView(answer).find("entries").raw());
  }
  static std::string member(const std::string& answer, std::string_view name) {
    return std::string(JsonView(answer).find(name).raw());
  }
  static std::string code(const std::string& error) {
    return JsonView(error).find("data").find("code").as_string().value_or(error);
  }
  std::string tree() {
    std::string names;
    std::set<std::string> all;
    for (const auto& at : std::filesystem::recursive_directory_iterator(scratch.path("store")))
      if (at.path().string().find("/.side") == std::string::npos) all.insert(at.path().string());
    for (const auto& name : all) names += name + "\n";
    return names;
  }
};

const std::string kMain = R"("project":"-home-me","session":"s1")";
const std::string kSub = R"("project":"-home-me","session":"s1","stream":"subagents/agent-1")";

TEST_F(Entries, LoadReturnsEntriesVerbatimInOrder) {
  const std::string odd =
      R"([{"type":"user","n":1e400,"z":null,"a":{"b":[1,2.50,"\u0000\ud800x"]},"":"x"},{"type":"b","__proto__":{"c":1}}])";
  EXPECT_EQ(member(append(kMain, odd), "appended"), "2");
  EXPECT_EQ(load(kMain), odd);
  append(kMain, R"([{"n":3}])");
  append(kMain, R"([ { "n" : 4 } , {"n":5} ])");
  EXPECT_EQ(load(kMain), odd.substr(0, odd.size() - 1) + R"(,{"n":3},{"n":4},{"n":5}])");
  const std::string last = ask("load", "{" + kMain + ",\"last\":2}");
  EXPECT_EQ(member(last, "entries"), R"([{"n":4},{"n":5}])");
  EXPECT_EQ(member(last, "total"), "5");
  EXPECT_EQ(member(ask("load", "{" + kMain + ",\"from\":2,\"count\":1}"), "entries"), R"([{"n":3}])");
}

TEST_F(Entries, ReadsAndEmptyWritesCreateNothing) {
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "exists"), "false") << "not even a store";
  EXPECT_EQ(member(ask("list", R"({"project":"-home-me"})"), "total"), "0");
  EXPECT_EQ(member(ask("streams", R"({"project":"p","session":"s"})"), "total"), "0");
  EXPECT_EQ(member(ask("delete", "{" + kMain + "}"), "deleted"), "false");
  EXPECT_EQ(member(append(kMain, "[]"), "applied"), "false");
  const std::string before = tree();
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "exists"), "false");
  EXPECT_EQ(member(ask("list", R"({"project":"-home-me"})"), "sessions"), "[]");
  EXPECT_EQ(member(ask("delete", "{" + kMain + "}"), "deleted"), "false");
  EXPECT_EQ(code(ask("replace", "{" + kMain + R"(,"expected":[{"n":1}],"entries":[]})")), "conflict");
  EXPECT_EQ(tree(), before);
}

TEST_F(Entries, SkipsDuplicateUuids) {
  append(kMain, R"([{"uuid":"a","v":1},{"uuid":"b"},{"uuid":"a","v":2},{"t":"no uuid"},{"t":"no uuid"}])");
  const std::string all = R"([{"uuid":"a","v":1},{"uuid":"b"},{"t":"no uuid"},{"t":"no uuid"}])";
  EXPECT_EQ(load(kMain), all);
  const std::string again = append(kMain, R"([{"uuid":"b"},{"uuid":"a"}])");
  EXPECT_EQ(member(again, "applied"), "false");
  EXPECT_EQ(member(again, "duplicates"), "2");
  RpcProcess other(scratch.path(), {"--store", where});
  ask(other, "append", "{" + kMain + R"(,"entries":[{"uuid":"c"},{"uuid":"a"}]})");
  append(kMain, R"([{"uuid":"c"},{"uuid":"d"}])");
  EXPECT_EQ(load(kMain), all.substr(0, all.size() - 1) + R"(,{"uuid":"c"},{"uuid":"d"}])");
  append(kSub, R"([{"uuid":"a"}])");
  EXPECT_EQ(load(kSub), R"([{"uuid":"a"}])") << "a stream of its own";
}

TEST_F(Entries, AppliesOperationOnce) {
  const std::string once = R"(,"operation_id":"op-1")";
  EXPECT_EQ(member(append(kMain, R"([{"n":1,"m":2}])", once), "applied"), "true");
  RpcProcess other(scratch.path(), {"--store", where});
  const std::string again = ask(other, "append", "{" + kMain + R"(,"entries":[{"m":2,"n":1}])" + once + "}");
  EXPECT_EQ(member(again, "applied"), "false") << again;
  EXPECT_EQ(code(append(kMain, R"([{"n":2}])", once)), "already_exists");
  EXPECT_EQ(load(kMain), R"([{"n":1,"m":2}])");
  const std::string replace =
      "{" + kMain + R"(,"expected":[{"m":2,"n":1}],"entries":[{"n":7},{"n":8}],"operation_id":"op-2"})";
  EXPECT_EQ(member(ask("replace", replace), "total"), "2");
  EXPECT_EQ(member(ask("replace", replace), "applied"), "false");
  EXPECT_EQ(load(kMain), R"([{"n":7},{"n":8}])");
  EXPECT_EQ(code(ask("replace", "{" + kMain + R"(,"expected":[{"n":7}],"entries":[]})")), "conflict");
  EXPECT_EQ(code(ask("replace", "{" + kMain + R"(,"expected":[{"n":6},{"n":7},{"n":8}],"entries":[]})")), "conflict");
  EXPECT_EQ(load(kMain), R"([{"n":7},{"n":8}])");
  EXPECT_EQ(member(append(kMain, "[]", R"(,"operation_id":"op-3")"), "applied"), "true");
  EXPECT_EQ(code(append(kMain, R"([{"n":9}])", R"(,"operation_id":"op-3")")), "already_exists");
}

TEST_F(Entries, ReplacedUuidCanBeAppendedAgain) {
  append(kMain, R"([{"uuid":"a"},{"uuid":"b","v":1}])");
  ask("replace", "{" + kMain + R"(,"expected":[{"uuid":"b","v":1}],"entries":[{"uuid":"b","v":2},{"uuid":"a"}]})");
  EXPECT_EQ(load(kMain), R"([{"uuid":"a"},{"uuid":"b","v":2}])");
  ask("replace", "{" + kMain + R"(,"expected":[{"uuid":"b","v":2}],"entries":[]})");
  append(kMain, R"([{"uuid":"b","v":3}])");
  EXPECT_EQ(load(kMain), R"([{"uuid":"a"},{"uuid":"b","v":3}])");
}

TEST_F(Entries, AppendAfterStaleVersionConflicts) {
  const std::string first = append(kMain, R"([{"n":1}])", R"(,"summary":{"title":"one"})");
  const std::string version = R"(,"after":)" + member(first, "version");
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "version"), member(first, "version"));
  const std::string second = append(kMain, R"([{"n":2}])", version);
  EXPECT_EQ(member(second, "applied"), "true") << second;
  EXPECT_EQ(code(append(kMain, R"([{"n":3}])", version)), "conflict");
  EXPECT_EQ(code(append(kMain, R"([{"n":3}])", R"(,"after":"")")), "conflict");
  EXPECT_EQ(member(append(kSub, R"([{"n":3}])", R"(,"after":"")"), "applied"), "true") << "none yet";
  EXPECT_EQ(load(kMain), R"([{"n":1},{"n":2}])");
}

TEST_F(Entries, StoresNewSummaryOfKnownEntries) {
  const std::string known = R"([{"uuid":"a"}])";
  append(kMain, known, R"(,"summary":{"title":"S"})");
  const std::string second = append(kMain, known, R"(,"summary":{"title":"S2"})");
  EXPECT_EQ(member(second, "applied"), "true") << second;
  EXPECT_EQ(member(second, "appended"), "0");
  EXPECT_EQ(member(second, "duplicates"), "1");
  EXPECT_TRUE(ask("summaries", R"({"project":"-home-me"})").contains(R"("summary":{"title":"S2"})"));
  RpcProcess other(scratch.path(), {"--store", where});
  const std::string same = R"(,"entries":[{"uuid":"a"}],"summary":{"title":"S2"}})";
  EXPECT_EQ(member(ask(other, "append", "{" + kMain + same), "applied"), "false") << "it is there already";
  EXPECT_EQ(member(append(kSub, "[]", R"(,"summary":{"title":"only"})"), "applied"), "true");
  EXPECT_EQ(member(ask("load", "{" + kSub + "}"), "summary"), R"({"title":"only"})");
}

TEST_F(Entries, EmptyAppendReturnsStreamState) {
  const std::string first = append(kMain, R"([{"n":1},{"n":2}])");
  const std::string nothing = append(kMain, "[]");
  for (const char* name : {"total", "version", "mtime"}) EXPECT_EQ(member(nothing, name), member(first, name));
  EXPECT_EQ(member(nothing, "applied"), "false");
  EXPECT_EQ(code(append(kMain, "[]", R"(,"after":"wrong")")), "conflict");
  EXPECT_EQ(member(append(kMain, "[]", R"(,"after":)" + member(first, "version")), "total"), "2");
  EXPECT_EQ(code(append(kSub, "[]", R"(,"after":"wrong")")), "conflict");
}

struct EntriesAsText : CliHome {};

TEST_F(EntriesAsText, EmptyAppendDoesNotPrintNothingFound) {
  EXPECT_EQ(sh("$H entry append --project p --session s --entries '[]'"), 0) << err;
  EXPECT_FALSE((out + err).contains("nothing found")) << out << err;
}

TEST_F(Entries, ListsSessionsAndSummariesByProject) {
  append(kMain, R"([{"n":1}])", R"(,"summary":{"title":"one","x":[1]})");
  append(R"("project":"-home-me","session":"s2")", R"([{"n":1}])");
  append(R"("project":"-home-me","session":"only/sub","stream":"a")", R"([{"n":1}])");
  append(R"("project":"-home-you","session":"s1")", R"([{"n":1}])");
  append(kSub, R"([{"n":1}])");
  const std::string list = ask("list", R"({"project":"-home-me"})");
  EXPECT_EQ(member(list, "total"), "2") << list;
  for (const JsonItem& one : JsonView(list).find("sessions").elements())
    EXPECT_GT(one.value.find("mtime").as_int64().value_or(0), 1'000'000'000'000);
  append(kMain, R"([{"n":2}])");
  const std::string summaries = ask("summaries", R"({"project":"-home-me"})");
  EXPECT_EQ(member(summaries, "total"), "1");
  EXPECT_TRUE(summaries.contains(R"("session":"s1")")) << summaries;
  EXPECT_TRUE(summaries.contains(R"("summary":{"title":"one","x":[1]})")) << summaries;
  const JsonView summary = (*JsonView(summaries).find("summaries").elements().begin()).value;
  const std::string newest = ask("list", R"({"project":"-home-me","limit":1})");
  EXPECT_EQ(summary.find("mtime").raw(),
            (*JsonView(newest).find("sessions").elements().begin()).value.find("mtime").raw());
  EXPECT_EQ(member(ask("streams", R"({"project":"-home-me","session":"s1"})"), "streams"), R"(["subagents/agent-1"])");
  EXPECT_EQ(member(ask("streams", R"({"project":"-home-me","session":"s2"})"), "streams"), "[]");
  EXPECT_EQ(member(ask("list", R"({"project":"nobody"})"), "sessions"), "[]");
}

TEST_F(Entries, DeletingMainStreamDeletesOnlyThatSession) {
  const std::string other = R"("project":"-home-me","session":"s2")", apart = R"("project":"-home-you","session":"s1")";
  for (const std::string& key : {kMain, kSub, other, apart}) append(key, R"([{"n":1}])");
  append(R"("project":"-home-me","session":"s1","stream":"b")", R"([{"n":1}])");
  EXPECT_EQ(member(ask("delete", "{" + kSub + "}"), "deleted"), "true");
  EXPECT_EQ(load(kSub), "[]");
  EXPECT_EQ(member(ask("streams", R"({"project":"-home-me","session":"s1"})"), "streams"), R"(["b"])");
  EXPECT_EQ(load(kMain), R"([{"n":1}])");
  EXPECT_EQ(member(ask("delete", "{" + kMain + "}"), "deleted"), "true");
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "exists"), "false");
  EXPECT_EQ(member(ask("streams", R"({"project":"-home-me","session":"s1"})"), "streams"), "[]");
  for (const std::string& key : {other, apart}) EXPECT_EQ(load(key), R"([{"n":1}])");
  EXPECT_EQ(member(append(kMain, R"([{"n":2}])"), "total"), "1") << "a new one";
  EXPECT_EQ(load(kMain), R"([{"n":2}])");
}

TEST_F(Entries, ProcessWithDeletedLogOpenAppendsToNewLog) {
  append(kMain, R"([{"uuid":"a"}])");
  RpcProcess other(scratch.path(), {"--store", where});
  ask(other, "append", "{" + kMain + R"(,"entries":[{"uuid":"b"}]})");
  ask("delete", "{" + kMain + "}");
  append(kMain, R"([{"uuid":"z"}])");
  EXPECT_EQ(member(ask(other, "append", "{" + kMain + R"(,"entries":[{"uuid":"a"}]})"), "appended"), "1");
  EXPECT_EQ(load(kMain), R"([{"uuid":"z"},{"uuid":"a"}])");
}

TEST_F(Entries, WritesBatchAsOneLine) {
  std::string batch = "[";
  for (int i = 0; i < 500; ++i)
    batch += (i == 0 ? "" : ",") + std::string(R"({"uuid":"u)") + std::to_string(i) + R"(","text":")" +
             std::string(2000, 'x') + "\"}";
  batch += "]";
  EXPECT_EQ(member(append(kMain, batch), "appended"), "500");
  EXPECT_EQ(load(kMain), batch);
  std::size_t writes = 0;
  for (const auto& at : std::filesystem::recursive_directory_iterator(scratch.path("store/entries"))) {
    if (at.path().extension() != ".jsonl") continue;
    std::ifstream log(at.path());
    for (std::string line; std::getline(log, line);) writes += line.starts_with(R"({"type":"write")");
  }
  EXPECT_EQ(writes, 1U) << "one line, so whole or not at all";
}

TEST_F(Entries, NamesCannotEscapeStore) {
  for (const std::string name : {"../../../etc", "/", "..", "a/../../b", ".", "\\u0000", "CON"}) {
    const std::string key = R"("project":")" + name + R"(","session":")" + name + R"(","stream":")" + name + "\"";
    EXPECT_EQ(member(append(key, R"([{"n":1}])"), "appended"), "1") << name;
    EXPECT_EQ(load(key), R"([{"n":1}])") << name;
  }
  EXPECT_EQ(code(append(R"("project":"","session":"s")", R"([{"n":1}])")), "invalid_argument");
  EXPECT_EQ(code(append(R"("project":")" + std::string(5000, 'p') + R"(","session":"s")", R"([{"n":1}])")),
            "invalid_argument");
  EXPECT_EQ(code(append(kMain, R"([1])")), "invalid_record");
  for (const auto& at : std::filesystem::directory_iterator(scratch.path()))
    EXPECT_TRUE(at.path().filename() == "store" || at.path().filename() == "rpc.err") << at.path();
}

TEST_F(Entries, ConcurrentAppendsKeepEachUuidOnce) {
  const auto work = [&](const std::string& name) {
    RpcProcess own(scratch.path(), {"--store", where});
    for (int i = 0; i < 60; ++i) {
      const std::string answer = ask(own, "append",
                                     "{" + kMain + R"(,"entries":[{"uuid":")" + name + std::to_string(i) +
                                         R"("},{"uuid":"both)" + std::to_string(i) + "\"}]}");
      EXPECT_EQ(member(answer, "applied"), "true") << answer;
    }
  };
  std::thread one(work, "one"), two(work, "two");
  one.join();
  two.join();
  std::map<std::string, int> seen;
  const std::string all = load(kMain);
  for (const JsonItem& entry : JsonView(all).elements()) ++seen[entry.value.find("uuid").as_string().value_or("")];
  EXPECT_EQ(seen.size(), 180U);
  for (const auto& [uuid, count] : seen) EXPECT_EQ(count, 1) << uuid;
}

TEST_F(Entries, SigkillKeepsAcknowledgedWritesAndTearsNone) {
  int next = 0;
  std::set<int> acknowledged;
  for (int round = 0; round < 25; ++round) {
    RpcProcess victim(scratch.path(), {"--store", where});
    std::string lines;
    const int first = next;
    for (int i = 0; i < 30; ++i, ++next)
      lines += victim.request("entry.append", "{" + kMain + R"(,"operation_id":"op)" + std::to_string(next) +
                                                  R"(","entries":[{"n":)" + std::to_string(next) + R"(},{"n":)" +
                                                  std::to_string(next) + "}]}");
    victim.send(lines);
    int answered = 0;
    for (std::string answer = victim.receive(); !answer.empty(); answer = victim.receive()) {
      if (JsonView(answer).find("result"))
        acknowledged.insert(first + static_cast<int>(JsonView(answer).find("id").as_int64().value_or(0)) - 2);
      if (++answered == 1 + round) ::kill(victim.pid(), SIGKILL);
    }
    victim.wait();
  }
  std::map<int, int> seen;
  const std::string all = load(kMain);
  for (const JsonItem& entry : JsonView(all).elements()) ++seen[static_cast<int>(*entry.value.find("n").as_int64())];
  EXPECT_GT(acknowledged.size(), 100U);
  for (const int n : acknowledged) EXPECT_EQ(seen[n], 2) << n;
  for (const auto& [n, count] : seen) EXPECT_TRUE(count == 0 || count == 2) << n << " is half there";
  for (int n = 0; n < next; ++n)
    append(kMain, R"([{"n":)" + std::to_string(n) + R"(},{"n":)" + std::to_string(n) + "}]",
           R"(,"operation_id":"op)" + std::to_string(n) + "\"");
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "total"), std::to_string(2 * next))
      << "a retry applies the rest, once";
}

using EntryCommands = CliHome;

TEST_F(EntryCommands, AppendsLoadsListsAndDeletes) {
  ASSERT_EQ(sh("$H entry append --project p --session s --entries '[{\"n\":1}]'"), 0) << err;
  ASSERT_EQ(sh("$H entry load --project p --session s --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"entries\":[{\"n\":1}]")) << out;
  ASSERT_EQ(sh("$H entry list --project p --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"sessions\":[{\"session\":\"s\",")) << out;
  ASSERT_EQ(sh("$H entry list --project p"), 0) << err;
  EXPECT_TRUE(out.starts_with("session  updated\ns        20")) << out;
  EXPECT_EQ(sh("$H entry delete --project p --session s </dev/null"), 2) << err;
  EXPECT_EQ(sh("$H entry delete --project p --session s --yes"), 0) << err;
  ASSERT_EQ(sh("$H entry list --project p --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"sessions\":[]")) << out;
  ASSERT_EQ(sh("$H entry append --project p --session s --entries '[{\"n\":1}]'"), 0) << err;
  ASSERT_EQ(sh("f=$(find $HOME -name main.jsonl) && printf 'x%.0s' $(seq 9) >>$f && echo >>$f && $H verify"), 4)
      << out << err;
  EXPECT_TRUE(out.contains("entries/")) << out << err;
}

TEST_F(EntryCommands, VerifyFindsAFlippedBit) {
  const auto append = [&](int n) {
    ASSERT_EQ(sh("$H entry append --project p --session s --entries '[{\"n\":" + std::to_string(n) + "}]'"), 0) << err;
  };
  append(5);
  ASSERT_EQ(sh("$H entry delete --project p --session s --yes"), 0) << err;
  for (int n = 1; n <= 9; ++n) append(n);  // the checksums are those of the new log
  ASSERT_EQ(sh("$H verify"), 0) << out << err;
  ASSERT_EQ(sh("sed -i 's/\"n\":7/\"n\":6/' $(find $HOME -path '*/entries/*' -name main.jsonl)"), 0) << err;
  EXPECT_EQ(sh("$H verify"), 4) << out << err;
  EXPECT_TRUE(out.contains("not those that were written here")) << out;
}

// The stream is as it was read: nobody else wrote to it.
TEST_F(Entries, DuplicateAppendKeepsVersion) {
  append(kMain, R"([{"uuid":"a"}])");
  const std::string version = member(ask("load", "{" + kMain + "}"), "version");
  const std::string again = append(kMain, R"([{"uuid":"a"}])");
  EXPECT_EQ(member(again, "applied"), "false") << again;
  EXPECT_EQ(member(again, "version"), version);
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "version"), version);
  RpcProcess other(scratch.path(), {"--store", where});
  EXPECT_EQ(member(ask(other, "append", "{" + kMain + R"(,"entries":[{"uuid":"a"}]})"), "version"), version);
  const std::string next = append(kMain, R"([{"uuid":"c"}])", ",\"after\":" + version);
  EXPECT_EQ(member(next, "appended"), "1") << next;
  EXPECT_NE(member(next, "version"), version);
  EXPECT_EQ(member(ask("load", "{" + kMain + "}"), "version"), member(next, "version"));
  EXPECT_EQ(code(append(kMain, R"([{"uuid":"d"}])", ",\"after\":" + version)), "conflict");
}

// The project is any text, also in a store that belongs to a project of its own.
TEST_F(EntryCommands, LayoutWithoutEntriesRefusesThem) {
  for (const std::string layout : {"maestro", "linggen", "open-agent", "lopen", "workflow"}) {
    const std::string store = " --store " + layout + ":" + home + "/" + layout;
    ASSERT_EQ(sh("mkdir -p $HOME/" + layout + "/.git && $H store create" + store), 0) << err;
    for (const std::string verb : {"append", "load"}) {
      const std::string entries = verb == "append" ? R"(,"entries":[{"n":1}])" : "";
      EXPECT_EQ(sh("$H call entry." + verb + R"( '{"project":"x","session":"s")" + entries + "}'" + store), 2) << out;
      EXPECT_TRUE(err.contains("layout " + layout + " cannot hold: entries")) << err;
    }
  }
}

// It names nothing: dropping the second one would lose it.
TEST_F(Entries, EmptyUuidIsNone) {
  append(kMain, R"([{"uuid":"","n":1}])");
  EXPECT_EQ(member(append(kMain, R"([{"uuid":"","n":1},{"uuid":"","n":2}])"), "appended"), "2");
  EXPECT_EQ(load(kMain), R"([{"uuid":"","n":1},{"uuid":"","n":1},{"uuid":"","n":2}])");
}

}  // namespace
}  // namespace holdfast::inline v1
