// The stores of the corpus are whole: verify finds no damage in them, and notes the calls whose process was killed.
#include <fstream>
#include <iterator>
#include <set>

#include "base/corpus_testing.h"
#include "crash/disk/sim_testing.h"
#include "text/json_value.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

TEST(VerifyCorpus, StoresHaveNoDamage) {
  std::ifstream file(corpus_place() / "EXPECTED.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Context context;
  std::size_t killed = 0;
  for (const CorpusAgent& agent : kCorpusAgents) {
    SCOPED_TRACE(agent.name);
    const std::string root = corpus_store(agent).string();
    const auto store = must(Store::open(context, real_file_system(), {.layout = agent.name, .roots = {{"", root}}}));
    VerifyReport report;
    must(verify_store(context, *store, {}, report));
    EXPECT_GT(report.sessions, 0u);
    EXPECT_GT(report.records, 0u);
    for (const VerifyFinding& finding : report.damage) {
      ADD_FAILURE() << finding.session << " " << finding.found.file << " at " << finding.found.offset << ": "
                    << finding.found.kind << ", " << finding.found.consequence;
    }
    std::set<std::string> open, noted;
    for (const JsonItem& one : JsonView(text).find("clients").find(agent.name).find("sessions").elements()) {
      const auto calls = one.value.find("tool_calls").as_int64(), results = one.value.find("tool_results").as_int64();
      if (calls > results) open.insert(one.value.find("id").as_string().value_or(""));
    }
    for (const VerifyFinding& note : report.notes)
      if (note.found.kind == "open_call") noted.insert(note.session);
    EXPECT_EQ(noted, open);  // killed in a tool: nothing was lost
    killed += open.size();
  }
  EXPECT_GE(killed, 3u);
}

}  // namespace
}  // namespace holdfast::inline v1
