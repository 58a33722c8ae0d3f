// Real processes on one open-agent store, on real files.
#include <fcntl.h>
#include <unistd.h>

#include <set>

#include "rules/upkeep/summary.h"
#include "store/open_agent_testing.h"
#include "store/processes_testing.h"
#include "store/session_header.h"

namespace holdfast::inline v1 {
namespace {

std::string whole_file(const std::string& root, const std::string& path) {
  return must(read_whole(*must(real_file_system().open_directory(root, false)), path));
}

// The SDK keeps 2 or 3 of 20 (facts, bug 4).
TEST(OpenAgent, O06_TwentyConcurrentCreatorsAreAllIndexed) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("home");
  ASSERT_TRUE(open_at("open-agent", path));
  std::vector<pid_t> children;
  for (int n = 0; n < 20; ++n) {
    children.push_back(start_process([&] {
      auto store = open_at("open-agent", path);
      if (!store) return false;
      const auto id = store->create({}, {.project = "/home/me/p", .title = std::to_string(n)});
      if (!id) return false;
      auto writer = store->write({}, *id);
      if (!writer || !(*writer)->append({}, said(Role::user, "prompt " + std::to_string(n)))) return false;
      if (n % 2 == 0 && !end_session({}, *store, *id)) return false;
      (*writer).reset();
      store.reset();  // writes the index
      return true;
    }));
  }
  expect_all_well(children);
  EXPECT_EQ(must(open_at("open-agent", path)->list({})).total, 20u);
  const std::string index = whole_file(path, "projects/-home-me-p/sessions-index.json");
  for (int n = 0; n < 20; ++n)
    EXPECT_NE(index.find("\"prompt " + std::to_string(n) + "\""), std::string::npos) << n << "\n" << index;
}

TEST(OpenAgent, O01_ConcurrentForeignWriterLosesNoLine) {
  const TemporaryDirectory scratch;
  const std::string path = scratch.path("home");
  auto store = open_at("open-agent", path);
  const std::string id = must(store->create({}, {.project = "/home/me/p"}));
  must(must(store->write({}, id))->append({}, said(Role::user, "first")));
  store.reset();
  const std::string log = "projects/-home-me-p/" + id + ".jsonl";
  constexpr int kEach = 200;
  std::vector<pid_t> children;
  for (int writer = 0; writer < 2; ++writer) {
    // Like the SDK: appendFile opens, writes and closes.
    children.push_back(start_process([&] {
      for (int n = 0; n < kEach; ++n) {
        const std::string line = R"({"type":"user","uuid":"f)" + std::to_string(writer) + "-" + std::to_string(n) +
                                 R"(","session_id":")" + id +
                                 R"(","message":{"role":"user","content":"foreign"}})"
                                 "\n";
        const int file = ::open((path + "/" + log).c_str(), O_WRONLY | O_APPEND);
        if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return false;
        ::close(file);
      }
      return true;
    }));
  }
  for (int writer = 0; writer < 2; ++writer) {
    children.push_back(start_process([&] {
      auto ours = open_at("open-agent", path);
      if (!ours) return false;
      auto open = ours->write({}, id);
      for (int n = 0; open && n < kEach; ++n) {
        if (!(*open)->append({}, said(Role::user, "ours"), Durability::process)) return false;
        // The first line is replaced while all of them write.
        if (n % 50 == 25) {
          if (!ours->update({}, id, {.title = std::to_string(writer) + std::to_string(n)})) return false;
          if (!write_header({}, *ours, id)) return false;
        }
      }
      return open.has_value();
    }));
  }
  expect_all_well(children);
  store = open_at("open-agent", path);
  must(must(store->write({}, id))->append({}, said(Role::user, "last")));  // includes what came late
  const Transcript read = must(store->read({}, id, {.branch = "all"}));
  std::set<std::string> foreign;
  int ours = 0;
  for (const Message& message : read.messages) {
    if (message.text() == "foreign") foreign.insert(message.id);
    if (message.text() == "ours") ++ours;
  }
  EXPECT_EQ(foreign.size(), 2u * kEach);
  EXPECT_EQ(ours, 2 * kEach);
  for (const Finding& finding : read.findings) EXPECT_EQ(finding.kind, "duplicate_id") << finding.consequence;
  EXPECT_EQ(read.messages.front().text(), "first");
  EXPECT_EQ(must(store->read({}, id)).messages.size(), read.messages.size()) << "all of it is one conversation";
}

}  // namespace
}  // namespace holdfast::inline v1
