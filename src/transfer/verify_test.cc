// Each kind of finding, planted in stores of five layouts.
#include "transfer/verify.h"

#include "store/layout_store_testing.h"
#include "transfer/planted_testing.h"

namespace holdfast::inline v1 {
namespace {

using Kinds = std::vector<std::string>;

struct Verify : testing::TestWithParam<std::string> {
  SimFileSystem files;
  Context context;

  VerifyReport verify(const Planted& planted, std::string_view id = {}) {
    const auto store = must(Store::open(context, files, {.layout = planted.layout, .roots = {{"", planted.root}}}));
    VerifyReport report;
    const auto before = files.tree();
    must(verify_store(context, *store, id, report));
    EXPECT_EQ(files.tree(), before) << "verifying changed something";
    return report;
  }
  VerifyReport after(const Planted& planted, const std::string& bytes) {
    must(files.put_file(planted.log, bytes));
    return verify(planted);
  }
  static Kinds kinds(const std::vector<VerifyFinding>& findings) {
    Kinds all;
    for (const VerifyFinding& finding : findings) all.push_back(finding.found.kind);
    std::ranges::sort(all);
    return all;
  }
  // Ignores checksums, which also report every change to bytes that Holdfast wrote.
  static Kinds but_checksums(const std::vector<VerifyFinding>& findings) {
    Kinds all = kinds(findings);
    std::erase(all, "checksum");
    return all;
  }
  // The only finding of that kind.
  static Finding of_kind(const std::vector<VerifyFinding>& findings, std::string_view kind) {
    std::vector<Finding> found;
    for (const VerifyFinding& finding : findings) {
      if (finding.found.kind == kind) found.push_back(finding.found);
    }
    EXPECT_EQ(found.size(), 1u) << kind << " among " << testing::PrintToString(kinds(findings));
    return found.empty() ? Finding{} : found.front();
  }
};

TEST_P(Verify, HealthyStoreHasNoFindings) {
  const Planted planted = plant(files, context, GetParam());
  const VerifyReport report = verify(planted);
  EXPECT_EQ(kinds(report.damage), Kinds{});
  EXPECT_EQ(kinds(report.notes), Kinds{});
  EXPECT_EQ(report.sessions, 1u);
  EXPECT_GE(report.files, 1u);
  EXPECT_GE(report.records, planted.lines.size());
  EXPECT_GE(report.bytes, planted.bytes().size());
}

TEST_P(Verify, FramingDamageIsLocated) {
  const Planted planted = plant(files, context, GetParam());
  const std::size_t victim = planted.victim;
  const std::uint64_t offset = planted.offset_of(victim);
  const std::string& line = planted.lines[victim];
  const auto check = [&](std::string_view kind, const std::string& bytes, std::uint32_t salvaged) {
    SCOPED_TRACE(kind);
    const Finding found = of_kind(after(planted, bytes).damage, kind);
    EXPECT_EQ(planted.root + "/" + found.file, planted.log);
    EXPECT_EQ(found.offset, offset);
    EXPECT_GT(found.length, 0u);
    EXPECT_EQ(found.salvaged, salvaged);
    EXPECT_FALSE(found.consequence.empty());
  };
  check("torn", planted.with_line(victim, line.substr(0, line.size() / 2)), 0);
  check("nul", planted.with_line(victim, std::string(64, '\0') + line), 1);
  std::string odd = line;
  odd.insert(odd.find("words"), "\xff");
  check("bad_utf8", planted.with_line(victim, odd), 1);
  check("not_json", planted.with_line(victim, "no records"), 0);
  std::string glued = planted.bytes();
  glued.erase(glued.find('\n', offset), 1);
  check("glued", glued, 2);
}

TEST_P(Verify, TruncatedEndIsDamageUnlessBeingWritten) {
  const Planted planted = plant(files, context, GetParam());
  const std::string whole = planted.bytes();
  const VerifyReport cut = after(planted, whole.substr(0, whole.size() - 9));
  const Finding found = of_kind(cut.damage, "truncated");
  EXPECT_EQ(found.offset, planted.offset_of(planted.lines.size() - 1));
  EXPECT_EQ(found.length, planted.lines.back().size() - 8);

  const VerifyReport no_newline = after(planted, whole.substr(0, whole.size() - 1));
  EXPECT_EQ(but_checksums(no_newline.damage), Kinds{});
  EXPECT_EQ(of_kind(no_newline.notes, "no_newline").offset, found.offset);

  TestClock clock;
  clock.now_ = std::chrono::system_clock::from_time_t(1'700'000'000);  // the time at which the simulated disk starts
  context.clock = &clock;
  must(files.put_file(planted.log, whole.substr(0, whole.size() - 9)));
  const VerifyReport live = verify(planted);
  of_kind(live.notes, "in_flight");
  EXPECT_EQ(std::ranges::count(kinds(live.damage), "truncated"), 0);
  clock.now_ -= std::chrono::hours(1);  // now the file is from the future
  of_kind(verify(planted).damage, "truncated");
}

struct VerifyCalls : Verify {};

TEST_P(VerifyCalls, OrphanCallsAndResultsAreDamage) {
  const Planted planted = plant(files, context, GetParam());
  // The record is gone without a trace, as after restoring a bad copy.
  const Finding call = of_kind(after(planted, planted.without_line(planted.result_line)).damage, "orphan_call");
  EXPECT_EQ(call.offset, planted.offset_of(planted.call_line));
  const VerifyReport lost = after(planted, planted.without_line(planted.call_line));
  of_kind(lost.damage, "orphan_result");
  // A program killed in a tool leaves a call at the end: nothing is lost.
  const VerifyReport killed = after(planted, planted.bytes().substr(0, planted.offset_of(planted.result_line)));
  EXPECT_EQ(but_checksums(killed.damage), Kinds{});
  of_kind(killed.notes, "open_call");
}

TEST_P(Verify, DuplicateIdsAreDamage) {
  const Planted planted = plant(files, context, GetParam());
  const std::string twice = planted.bytes() + planted.lines.back() + "\n";
  const VerifyReport report = after(planted, twice);
  // Codex gives its messages no ids; Gemini's log repeats a message when it grows.
  const bool shows = GetParam() != "codex" && GetParam() != "gemini";
  EXPECT_EQ(kinds(report.damage), shows ? Kinds{"duplicate_id"} : Kinds{});
  if (shows) {
    EXPECT_EQ(of_kind(report.damage, "duplicate_id").offset, planted.bytes().size());
  }
}

TEST_P(Verify, ChecksOneSessionById) {
  const Planted planted = plant(files, context, GetParam());
  must(files.put_file(planted.log, planted.with_line(planted.victim, "{")));
  const VerifyReport report = verify(planted, planted.id);
  EXPECT_EQ(report.sessions, 1u);
  of_kind(report.damage, "torn");
  const auto store = must(Store::open(context, files, {.layout = planted.layout, .roots = {{"", planted.root}}}));
  VerifyReport none;
  EXPECT_EQ(verify_store(context, *store, "nobody", none).error().code, Code::not_found);
}

std::string layout_in_name(const testing::TestParamInfo<std::string>& layout) {
  std::string name = layout.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Layouts, Verify, testing::Values("claude-code", "codex", "gemini", "open-agent", "holdfast"),
                         layout_in_name);
INSTANTIATE_TEST_SUITE_P(Layouts, VerifyCalls, testing::Values("claude-code", "codex", "open-agent", "holdfast"),
                         layout_in_name);

using VerifyOne = Verify;

TEST_F(VerifyOne, MissingParentIsOrphanMessage) {
  const Planted planted = plant(files, context, "claude-code");
  const VerifyReport report = after(planted, planted.without_line(planted.victim));
  EXPECT_EQ(of_kind(report.damage, "orphan_message").offset, planted.offset_of(planted.victim));
}

// In Gemini a call and its result are one record; a resume writes results as separate messages.
TEST_F(VerifyOne, GeminiOrphanCallsAndResultsAreDamage) {
  Planted planted = plant(files, context, "gemini");
  std::string& line = planted.lines[2];
  line.erase(line.find(",\"status\""));
  line += "}]}";
  EXPECT_EQ(of_kind(after(planted, planted.bytes()).damage, "orphan_call").offset, planted.offset_of(2));
  planted.lines.resize(3);
  const VerifyReport killed = after(planted, planted.bytes());
  EXPECT_EQ(kinds(killed.damage), Kinds{});
  of_kind(killed.notes, "open_call");
  planted.lines[2] =
      R"({"id":"r","type":"user","content":[{"functionResponse":{"id":"t9","response":{"output":"x"}}}]})";
  of_kind(after(planted, planted.bytes()).damage, "orphan_result");
}

TEST_F(VerifyOne, BackwardTimesAreANote) {
  Planted planted = plant(files, context, "claude-code");
  std::string& line = planted.lines.back();
  line.replace(line.find("2026-01-01"), 10, "2025-01-01");
  const VerifyReport report = after(planted, planted.bytes());
  EXPECT_EQ(kinds(report.damage), Kinds{});
  EXPECT_EQ(of_kind(report.notes, "out_of_order").offset, planted.offset_of(planted.lines.size() - 1));
}

TEST_F(VerifyOne, MissingSideFileIsDamage) {
  for (const std::string layout : {"claude-code", "open-agent", "gemini"}) {
    SCOPED_TRACE(layout);
    const Planted planted = plant(files, context, layout, {.spilled = true});
    EXPECT_EQ(kinds(verify(planted).damage), Kinds{"missing"});
    must(files.put_file(planted.root + "/" + planted.side_file, "the whole output"));
    EXPECT_EQ(kinds(verify(planted).damage), Kinds{});
  }
}

TEST_F(VerifyOne, ForkWithMissingParentIsDamage) {
  const Planted planted = plant(files, context, "codex", {.fork = true});
  const VerifyReport report = verify(planted);
  EXPECT_EQ(kinds(report.damage), Kinds{"missing_parent"});
  EXPECT_EQ(report.damage[0].session, planted.id);
}

TEST_F(VerifyOne, WrongIndexIsDamage) {
  const Planted planted = plant(files, context, "open-agent");
  const std::string index = planted.log.substr(0, planted.log.rfind('/')) + "/sessions-index.json";
  const auto entry = [](const std::string& id) {
    return "{\"id\":\"" + id + "\",\"firstPrompt\":\"x\",\"messageCount\":1,\"created\":1,\"modified\":1}";
  };
  const std::string gone = "99999999-9999-4999-8999-999999999999";
  must(files.put_file(index, "{\"projectPath\":\"/p\",\"sessions\":[" + entry(planted.id) + "," + entry(gone) + "]}"));
  VerifyReport report = verify(planted);
  const Finding extra = of_kind(report.damage, "index_lies");
  EXPECT_NE(extra.consequence.find(gone), std::string::npos);
  EXPECT_NE(extra.file.find("sessions-index.json"), std::string::npos);
  of_kind(report.notes, "index_stale");
  must(files.put_file(index, "{\"projectPath\":\"/p\",\"sessions\":[]}"));
  EXPECT_NE(of_kind(verify(planted).damage, "index_lies").consequence.find(planted.id), std::string::npos);
  must(files.put_file(index, "{\"projectPath\":"));
  EXPECT_EQ(kinds(verify(planted).damage), Kinds{"corrupt"});
}

TEST_F(VerifyOne, ChangedTextFailsItsChecksum) {
  const Planted planted = plant(files, context, "holdfast");
  std::string line = planted.lines[planted.victim];
  line.replace(line.find("words"), 5, "wards");
  EXPECT_EQ(kinds(after(planted, planted.with_line(planted.victim, line)).damage), Kinds{"checksum"});
}

TEST_F(VerifyOne, MissingLogIsFoundByChecksums) {
  const Planted planted = plant(files, context, "holdfast");
  must(must(files.open_directory("/", false))->remove(planted.log.substr(1)));
  EXPECT_EQ(kinds(verify(planted).damage), Kinds{"missing_log"});
}

TEST_F(VerifyOne, MissingSessionFolderIsFoundByChecksums) {
  const Planted planted = plant(files, context, "holdfast");
  const auto top = must(files.open_directory("/", false));
  const std::string folder = planted.log.substr(1, planted.log.rfind('/') - 1);
  for (const DirectoryEntry& entry : must(top->list(folder))) must(top->remove(folder + "/" + entry.name));
  must(top->remove_directory(folder));
  EXPECT_EQ(kinds(verify(planted).damage), Kinds{"missing_log"});
}

TEST_F(VerifyOne, DamagedStoreHidesNoOther) {
  const Planted good = plant(files, context, "claude-code");
  const Planted bad = plant(files, context, "codex");
  must(files.put_file(bad.log, bad.with_line(bad.victim, "{\"a\":")));
  const std::vector<std::shared_ptr<Store>> stores{
      must(Store::open(context, files, {.layout = bad.layout, .roots = {{"", bad.root}}})),
      must(Store::open(context, files, {.layout = good.layout, .roots = {{"", good.root}}}))};
  const VerifyReport report = must(verify_stores(context, stores));
  EXPECT_EQ(report.sessions, 2u);
  of_kind(report.damage, "torn");
  EXPECT_EQ(report.damage[0].store, stores[0]->name());
}

TEST_F(VerifyOne, StopsWhenAsked) {
  const Planted planted = plant(files, context, "claude-code");
  const auto store = must(Store::open(context, files, {.layout = planted.layout, .roots = {{"", planted.root}}}));
  std::stop_source source;
  source.request_stop();
  context.stop = source.get_token();
  VerifyReport report;
  EXPECT_EQ(verify_store(context, *store, {}, report).error().code, Code::cancelled);
}

}  // namespace
}  // namespace holdfast::inline v1
