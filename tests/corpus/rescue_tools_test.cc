// Every log of the corpus with calls of tools, with each of those records lost in turn: the
// rescued copy has no half of a pair, and has every other record.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/corpus_testing.h"
#include "crash/disk/sim_file_system.h"
#include "transfer/rescue.h"
#include "transfer/tool_pairs.h"

namespace holdfast::corpus {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Calls without a result, and results without a call, in the whole log, because Gemini rewrites its list.
struct UnpairedTools {
  std::set<std::string> calls, results;
};

UnpairedTools unpaired_tools(const std::vector<std::string>& lines, const ToolDialect& dialect) {
  UnpairedTools halves;
  std::set<std::string> calls, mentioned, answered;
  for (const std::string& line : lines) {
    const ToolActivity talk = dialect.talk(JsonView(line));
    for (const ToolMention& call : talk.calls) calls.insert(call.id);
    for (const ToolMention& mention : talk.mentions) (mention.answers ? answered : mentioned).insert(mention.id);
  }
  mentioned.insert(answered.begin(), answered.end());
  std::ranges::set_difference(calls, answered, std::inserter(halves.calls, halves.calls.end()));
  std::ranges::set_difference(mentioned, calls, std::inserter(halves.results, halves.results.end()));
  return halves;
}

const ToolDialect* dialect_of(const std::vector<std::string>& lines) {
  for (const ToolDialect* dialect : tool_dialects())
    for (const std::string& line : lines)
      if (!dialect->talk(JsonView(line)).calls.empty()) return dialect;
  return nullptr;
}

struct CorpusTools : testing::Test {
  Rescued rescued(const std::string& name, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    SimFileSystem files;
    EXPECT_TRUE(files.put_file("/s/" + name, text));
    auto directory = files.open_directory("/s", false);
    const RootDirectories roots{{"home", directory->get()}};
    DirectoryFeed feed(context, roots);
    auto copy = rescue_log(feed, {"home", name});
    EXPECT_TRUE(copy) << name;
    return copy ? std::move(*copy) : Rescued{};
  }

  Context context;
};

TEST_F(CorpusTools, LosingAnyToolRecordLeavesNoHalfPair) {
  std::set<const ToolDialect*> seen, repaired;
  const auto options = fs::directory_options::follow_directory_symlink;
  for (const auto& entry : fs::recursive_directory_iterator(corpus_place(), options)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::string> lines = lines_of({std::istreambuf_iterator<char>(file), {}});
    const ToolDialect* const dialect = dialect_of(lines);
    if (dialect == nullptr) continue;
    seen.insert(dialect);
    const std::string name = entry.path().filename();
    const UnpairedTools healthy = unpaired_tools(lines, *dialect);
    EXPECT_TRUE(healthy.results.empty()) << name;
    const Rescued whole = rescued(name, lines);
    EXPECT_EQ(whole.tools.results_made + whole.tools.calls_made + whole.tools.results_as_text, 0u) << name;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const ToolActivity talk = dialect->talk(JsonView(lines[n]));
      if (talk.calls.empty() && talk.mentions.empty()) continue;
      std::vector<std::string> damaged = lines;
      damaged[n].resize(damaged[n].size() / 2);
      const Rescued copy = rescued(name, damaged);
      const UnpairedTools left = unpaired_tools(lines_of(copy.bytes), *dialect);
      EXPECT_TRUE(left.results.empty()) << name << ":" << n + 1 << " " << *left.results.begin();
      // A call that is left open was open before, or is at the end.
      std::size_t behind = 0;
      for (std::size_t later = n + 1; later < lines.size(); ++later)
        behind += dialect->talk(JsonView(lines[later])).empty() ? 0 : 1;
      if (behind > 0) {
        EXPECT_TRUE(std::ranges::includes(healthy.calls, left.calls)) << name << ":" << n + 1;
      }
      if (copy.tools.results_made + copy.tools.calls_made + copy.tools.results_as_text > 0) repaired.insert(dialect);
      EXPECT_GE(copy.records + copy.repeated + 1, lines.size()) << name << ":" << n + 1;
    }
  }
  EXPECT_GE(seen.size(), 6u) << "Claude Code, Codex, Gemini, Qwen, pi, Copilot";
  EXPECT_EQ(repaired, seen);
}

}  // namespace
}  // namespace holdfast::corpus
