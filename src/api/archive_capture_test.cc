// A run of which a part fails in a way that nobody foresaw, or beside which a session appears.
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>

#include "api/api_testing.h"
#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

struct ArchiveCapture : ApiTest {
  // Throws when the last session of Claude Code has been looked at.
  template <typename Exception>
  void throw_after_claude(Exception exception) {
    StoreSettings all = with_agents();
    all.progress = [exception](std::string_view line) {
      if (line.starts_with("capturing claude-code") && line.contains("2 sessions")) throw exception;
    };
    ASSERT_TRUE(files.put_file("/claude/projects/-p/" + first + ".jsonl", line(first)));
    ASSERT_TRUE(files.put_file("/claude/projects/-p/" + second + ".jsonl", line(second)));
    ASSERT_TRUE(files.put_file("/pi/sessions/--p--/2026-01-01T00-00-00-000Z_" + third + ".jsonl",
                               R"({"type":"session","version":3,"id":")" + third +
                                   R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"})"
                                   "\n"));
    use(all);
  }
  StoreSettings with_agents() {
    StoreSettings all = settings(false);
    all.archive = "/archive";
    for (const auto& [layout, root] : {std::pair("claude-code", "/claude"), std::pair("pi", "/pi")}) {
      StoreOptions store{.layout = layout};
      store.roots[""] = root;
      all.defaults.push_back(std::move(store));
    }
    return all;
  }
  void use(const StoreSettings& all) { stores_ = std::make_unique<Stores>(all); }
  static std::string line(const std::string& id, const std::string& project = "/p") {
    return R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" + id + R"(","cwd":")" + project +
           R"(","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}})"
           "\n";
  }
  Result<std::string> run() { return dispatch(context, *stores_, "archive.run", "{}"); }
  std::string log() { return files.read_file("/archive/log.jsonl").value_or(""); }
  std::string last_run() { return files.read_file("/archive/last-run.json").value_or(""); }

  const std::string first = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string second = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string third = "cccccccc-0000-4000-8000-000000000003";

 private:
  std::unique_ptr<Stores> stores_;
};

TEST_F(ArchiveCapture, FailureInOneStoreDoesNotKeepOthersOut) {
  throw_after_claude(std::out_of_range("map::at"));
  const auto answer = run();
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(JsonView(*answer).find("missed").as_bool().value_or(false)) << *answer;
  EXPECT_TRUE(answer->contains("this store is left out: unexpected exception: map::at")) << *answer;
  for (const std::string& id : {first, second, third}) EXPECT_TRUE(log().contains(id)) << id << log();
  EXPECT_TRUE(last_run().contains("\"missed\":true")) << last_run();
}

TEST_F(ArchiveCapture, KeepsWhatWasCapturedBeforeItFailed) {
  throw_after_claude(std::bad_alloc());
  const auto answer = run();
  ASSERT_FALSE(answer) << *answer;
  EXPECT_EQ(answer.error().code, Code::out_of_memory);
  EXPECT_TRUE(log().contains(first) && log().contains(second)) << log();
  EXPECT_TRUE(last_run().contains("\"failed\":\"there is not enough memory")) << last_run();
}

// Acts once when the rows of Claude Code have been read.
class AfterRows final : public SimObserver {
 public:
  explicit AfterRows(std::function<void()> act) : act_(std::move(act)) {}
  void after(const SimCall& call) override {
    if (act_ && call.kind == SimCallKind::rename && call.to.ends_with(index_)) std::exchange(act_, nullptr)();
  }
  bool has_acted() const { return !act_; }

 private:
  std::function<void()> act_;
  const std::string index_ = "/sessions-" + xxh3_hex("claude-code:/claude") + ".index";
};

// Its row says of which project it is.
TEST_F(ArchiveCapture, SessionThatAppearsDuringTheRunIsExcluded) {
  StoreSettings all = with_agents();
  all.cache = "/cache";
  all.archive_exclude = {"/excluded"};
  use(all);
  ASSERT_TRUE(files.put_file("/claude/projects/-p/" + first + ".jsonl", line(first)));
  AfterRows appears([&] {
    EXPECT_TRUE(files.put_file("/claude/projects/-excluded/" + second + ".jsonl", line(second, "/excluded")));
    EXPECT_TRUE(files.put_file("/claude/projects/-p/" + third + ".jsonl", line(third)));
  });
  files.set_observer(&appears);
  const auto answer = run();
  files.set_observer(nullptr);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(appears.has_acted());
  EXPECT_TRUE(log().contains(first) && log().contains(third)) << log();
  EXPECT_FALSE(log().contains(second)) << log();
  EXPECT_FALSE(log().contains("\"row\":{}")) << log();
}

}  // namespace
}  // namespace holdfast::inline v1
