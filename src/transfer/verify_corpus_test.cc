// Real stores of real agents are whole: verify finds no damage in them, and only reads
// them. Needs HOLDFAST_CORPUS.
#include <stdlib.h>

#include <set>

#include "crash/disk/sim_testing.h"
#include "layout/layout.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

struct CorpusStore {
  const char* layout;
  const char* root;
};

TEST(VerifyCorpus, RealStoresHaveNoDamage) {
  const char* corpus = ::getenv("HOLDFAST_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "HOLDFAST_CORPUS is not set";
  constexpr CorpusStore kStores[] = {{"claude-code", "claude-code/.claude"},
                                     {"codex", "codex/.codex"},
                                     {"gemini", "gemini/.gemini"},
                                     {"opencode", "opencode/.local/share/opencode"},
                                     {"copilot", "copilot/.copilot"},
                                     {"continue", "continue/.continue"},
                                     {"qwen", "qwen/.qwen"},
                                     {"pi", "pi/.pi/agent"},
                                     {"openclaw", "openclaw/.openclaw"}};
  const Context context;
  std::set<std::string> notes;
  for (const CorpusStore& each : kStores) {
    if (find_layout(each.layout) == nullptr) continue;
    SCOPED_TRACE(each.layout);
    const std::string root = std::string(corpus) + "/" + each.root;
    const auto store = must(Store::open(context, real_file_system(), {.layout = each.layout, .roots = {{"", root}}}));
    VerifyReport report;
    must(verify_store(context, *store, {}, report));
    EXPECT_GT(report.sessions, 0u);
    EXPECT_GT(report.records, 0u);
    for (const VerifyFinding& finding : report.damage) {
      ADD_FAILURE() << finding.session << " " << finding.found.file << " at " << finding.found.offset << ": "
                    << finding.found.kind << ", " << finding.found.consequence;
    }
    for (const VerifyFinding& note : report.notes) notes.insert(note.session + " " + note.found.kind);
  }
  // Killed in a tool: nothing was lost.
  for (const char* note : {"aaaaaaaa-0000-4000-8000-000000000003 open_call",  // claude-code
                           "01a1dcc1-0362-7322-8c8d-df0296748967 open_call",  // codex
                           "ses_e23374e6effesXhAGsEbq636iG open_call"}) {     // opencode
    EXPECT_TRUE(notes.contains(note)) << note;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
